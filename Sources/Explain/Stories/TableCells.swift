import Counting
import Pipeline
import PriceImpact
import Storage
import SubscriptionModel
import Tables

/// A cell of a table of the whole population, in which a subscription counts.
struct TableCell: Hashable {
  /// The name of the table.
  let table: String
  let column: String
  /// The month, as the table prints it.
  let month: String
  /// `sale` or `refund`, in the table of refunds.
  var dating: String?
  /// The currency, in tables of money.
  var currency: String?
  /// The number of the paid period, in retention, which has no months.
  var k: Int?
  /// The values that choose a row of price increases, such as `product=Pro Monthly country=US effective=2026-05-26`.
  var increase: String?

  /// The cell as `explain` takes it: `refunds.charges 2026-08 dating=sale currency=EUR`.
  var text: String {
    "\(table).\(column)\(month.isEmpty ? "" : " ")\(month)\(conditions)"
  }

  /// The rows of all months, such as `refunds dating=sale currency=EUR`.
  var rows: String { "\(table)\(conditions)" }

  private var conditions: String {
    [
      dating.map { " dating=\($0)" }, currency.map { " currency=\($0)" }, k.map { " k=\($0)" },
      increase.map { " \($0)" },
    ]
    .compactMap { $0 }.joined()
  }
}

extension TableCell {
  /// Returns one text for the cells of the same columns: `churn 2026-02, 2026-03: active_start`.
  static func byRow(_ cells: [TableCell]) -> [String] {
    var byMonth: [(rows: String, month: String, columns: [String])] = []
    for cell in cells {
      let place = byMonth.firstIndex { $0.rows == cell.rows && $0.month == cell.month }
      if let place {
        byMonth[place].columns.append(cell.column)
      } else {
        byMonth.append((cell.rows, cell.month, [cell.column]))
      }
    }
    var merged: [(rows: String, months: [String], columns: [String])] = []
    for one in byMonth {
      let place = merged.firstIndex { $0.rows == one.rows && $0.columns == one.columns }
      if let place {
        merged[place].months.append(one.month)
      } else {
        merged.append((one.rows, [one.month], one.columns))
      }
    }
    return merged.map { one in
      let months = one.months.filter { !$0.isEmpty }.joined(separator: ", ")
      return
        "\(one.rows)\(months.isEmpty ? "" : " ")\(months): \(one.columns.joined(separator: ", "))"
    }
  }
}

/// The cells that have a number, of all tables of the whole population.
///
/// Example: in the month of the first file `active_start` is not known, so nothing counts there.
struct TableCells {
  /// A column that counts something.
  private struct Column {
    let table: TableKind
    let name: String
    let counted: Set<Counted>
  }

  private let columns: [Column]
  private let filled: Set<TableCell>

  /// Takes the cells of a run's tables, given the source of the rows.
  init(_ result: RunResult, _ source: Source) throws {
    guard let view = result.plan.views.firstIndex(of: []) else {
      preconditionFailure("the run has the view of the whole population")
    }
    let tables = ColumnMakeup.tables(from: source)
    columns = tables.flatMap { table in
      ColumnMakeup.names(in: table, from: source).compactMap { name in
        // A value among others adds nothing to the cell.
        guard let sum = ColumnMakeup.of(name, in: table, from: source)?.sum,
          sum.measure.percent == nil
        else { return nil }
        return Column(table: table, name: name, counted: sum.counted)
      }
    }
    var filled: Set<TableCell> = []
    let maker = result.tableMaker()
    for table in tables {
      let made = try maker.table(table, view: view)
      let names = made.columns.map(\.name)
      let place = { (name: String) in names.firstIndex(of: name) }
      let own = columns.filter { $0.table == table }.map { ($0.name, place($0.name)) }
      let keys = (place("source"), place("month"), place("dating"), place("currency"))
      let k = place("k")
      for row in made.rows where keys.0.map({ row[$0].words }) == source.rawValue {
        for (name, column) in own where column.map({ row[$0] != .missing }) == true {
          filled.insert(
            TableCell(
              table: table.rawValue, column: name, month: keys.1.flatMap { row[$0].words } ?? "",
              dating: keys.2.flatMap { row[$0].words }, currency: keys.3.flatMap { row[$0].words },
              k: k.flatMap { row[$0].count }))
        }
      }
    }
    self.filled = filled
  }

  /// All kinds of things that columns count.
  var counted: Set<Counted> { columns.reduce(into: []) { $0.formUnion($1.counted) } }

  /// Returns the cells that count something, in the order of tables and columns; `datings` are those of `refunds`.
  func cells(
    _ counted: Counted, month: String, datings: [String], currency: String
  ) -> [TableCell] {
    columns.filter { $0.counted.contains(counted) && $0.table != .retention }.flatMap { column in
      let keys = Definition.definition(of: column.table).keys
      let names = keys.leading + keys.trailing
      let own = names.contains("currency") ? currency : nil
      return (names.contains("dating") ? datings.map(Optional.some) : [nil]).map { dating in
        TableCell(
          table: column.table.rawValue, column: column.name, month: month, dating: dating,
          currency: own)
      }
    }.filter(filled.contains)
  }

  /// Returns the cells of retention that count something at a paid period.
  func cells(_ counted: Counted, k: Int) -> [TableCell] {
    columns.filter { $0.counted.contains(counted) && $0.table == .retention }.map {
      TableCell(table: $0.table.rawValue, column: $0.name, month: "", k: k)
    }.filter(filled.contains)
  }
}

/// The cells of `price_impact.csv`, of the whole population, in which a subscription counts.
struct ImpactCells {
  /// A row, the values that choose it, and the columns that have a number.
  private struct Row {
    let explained: ExplainedImpact
    /// Such as `product=Pro Monthly country=US effective=2026-05-26`.
    let name: String
    let columns: [ImpactColumn]
  }

  private let rows: [Row]
  private let changes: [PriceChange]
  private let completeness: Completeness

  /// Takes the rows of a run that has looked for price changes, given their source and the days that its data cover.
  init(_ result: RunResult, _ source: Source, _ completeness: Completeness) {
    let names = PriceTable.impact.allColumns.map(\.column.name)
    rows = result.priceTableMaker.explainedRows(view: .whole, of: source).map { explained in
      let cells = Dictionary(zip(names, explained.cells)) { first, _ in first }
      let keys = ["product", "country", "effective"].map { key in
        "\(key)=\(cells[key]?.words ?? "")"
      }
      return Row(
        explained: explained, name: keys.joined(separator: " "),
        columns: ImpactColumn.columns(of: source).filter {
          $0.part != nil && cells[$0.name] ?? .missing != .missing
        })
    }.sorted { $0.name.precedes($1.name) }
    changes = result.prices.first { $0.source == source }?.changes ?? []
    self.completeness = completeness
  }

  /// Returns the cells in which a chain counts, by the period at whose end it counts there, row by row.
  func cells(of own: PricedSubscription) -> [Int: [TableCell]] {
    guard !rows.isEmpty else { return [:] }
    var fold = ImpactFold(changes: changes, completeness: completeness, lastDay: nil)
    var cells: [Int: [TableCell]] = [:]
    for heard in fold.hear(own.chain, own.terms) {
      for row in rows {
        for addition in row.explained.additions(of: heard) {
          let charge = addition.charge - own.chain.charges.startIndex
          cells[own.periods[charge].upperBound, default: []] +=
            row.columns.filter { $0.part?.value(of: addition) != nil }.map {
              TableCell(
                table: ExplainedTable.priceImpact.name, column: $0.name, month: "",
                increase: row.name)
            }
        }
      }
    }
    return cells
  }
}

extension ReportTable.Cell {
  /// The text of a cell of words; `nil` for any other cell.
  fileprivate var words: String? {
    if case .text(let text) = self { text } else { nil }
  }

  /// The number in a cell of a count; `nil` for any other cell.
  fileprivate var count: Int? {
    if case .count(let count) = self { count } else { nil }
  }
}
