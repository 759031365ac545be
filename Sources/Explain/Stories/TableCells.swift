import Counting
import Pipeline
import PriceImpact
import Storage
import SubscriptionModel
import Tables

/// A cell of a table of the whole population, in which a subscription counts.
struct TableCell: Hashable {
  let table: String
  let column: String
  /// The month, as the table prints it; blank in retention and price increases.
  let month: String
  /// The values that choose the row, such as `dating=sale`, `currency=EUR`, `k=3` or `product=Pro Monthly`.
  let conditions: [String]

  /// The cell as `explain` takes it: `refunds.charges 2026-08 dating=sale currency=EUR`.
  var text: String {
    (["\(table).\(column)"] + (month.isEmpty ? [] : [month]) + conditions).joined(separator: " ")
  }

  /// The rows of all months, such as `refunds dating=sale currency=EUR`.
  var rows: String { ([table] + conditions).joined(separator: " ") }

  /// Returns one text for the cells of the same columns: `churn 2026-02, 2026-03: active_start`.
  static func byRow(_ cells: [TableCell]) -> [String] {
    let byMonth = cells.grouped { [$0.rows, $0.month] }
    return byMonth.grouped { [$0[0].rows] + $0.map(\.column) }.map { months in
      let first = months[0]
      let names = months.map { $0[0].month }.filter { !$0.isEmpty }.joined(separator: ", ")
      return
        "\(first[0].rows)\(names.isEmpty ? "" : " ")\(names): \(first.map(\.column).joined(separator: ", "))"
    }
  }
}

extension Array {
  /// Returns the elements with equal keys together, in the order of the first of each.
  fileprivate func grouped(_ key: (Element) -> [String]) -> [[Element]] {
    var groups: [[Element]] = []
    var places: [[String]: Int] = [:]
    for element in self {
      let key = key(element)
      if let place = places[key] {
        groups[place].append(element)
      } else {
        places[key] = groups.count
        groups.append([element])
      }
    }
    return groups
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

    func cell(_ month: String, _ conditions: [String]) -> TableCell {
      TableCell(table: table.rawValue, column: name, month: month, conditions: conditions)
    }
  }

  private let columns: [Column]
  private let filled: Set<TableCell>

  /// Takes the cells of a run's tables, given the source of the rows.
  init(_ result: RunResult, _ source: Source) throws {
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
    let sourceName = source.rawValue
    for table in tables {
      let made = try result.table(table)
      let names = made.columns.map(\.name)
      let place = { (name: String) in names.firstIndex(of: name) }
      let own = columns.filter { $0.table == table }.map { ($0.name, place($0.name)) }
      let conditions = ["dating", "currency", "k"].compactMap { key in place(key).map { (key, $0) }
      }
      let (source, month) = (place("source"), place("month"))
      for row in made.rows where source.map({ row[$0].words }) == sourceName {
        for (name, column) in own where column.map({ row[$0] != .missing }) == true {
          filled.insert(
            TableCell(
              table: table.rawValue, column: name, month: month.flatMap { row[$0].words } ?? "",
              conditions: conditions.compactMap { key, place in
                row[place].words.map { "\(key)=\($0)" }
              }))
        }
      }
    }
    self.filled = filled
  }

  /// All kinds of things that columns count.
  var counted: Set<Counted> { columns.reduce(into: []) { $0.formUnion($1.counted) } }

  /// Returns the cells that count something, in the order of tables and columns.
  func cells(_ item: CountedPeriod, month: String, currency: String) -> [TableCell] {
    let datings =
      if case .refund = item.counted { [item.isDatedBySale ? "sale" : "refund"] } else {
        ["sale", "refund"]
      }
    return columns.filter { $0.counted.contains(item.counted) && $0.table != .retention }
      .flatMap { column in
        let keys = Definition.definition(of: column.table).keys
        let names = keys.leading + keys.trailing
        let own = names.contains("currency") ? ["currency=\(currency)"] : []
        let hasDatings = names.contains("dating")
        // Dated by sale, a refund counts in the table of refunds alone.
        let datings = hasDatings ? datings.map { ["dating=\($0)"] } : item.isDatedBySale ? [] : [[]]
        return datings.map { column.cell(month, $0 + own) }
      }.filter(filled.contains)
  }

  /// Returns the cells of retention that count something at a paid period.
  func cells(_ counted: Counted, k: Int) -> [TableCell] {
    columns.filter { $0.counted.contains(counted) && $0.table == .retention }
      .map { $0.cell("", ["k=\(k)"]) }.filter(filled.contains)
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
    let renewals = fold.hear(own.chain, own.terms)
    // Row by row: the renewals come in the order of a hash table.
    for row in rows {
      for addition in renewals.flatMap(row.explained.additions(of:)) {
        let charge = addition.charge - own.chain.charges.startIndex
        cells[own.periods[charge].upperBound, default: []] +=
          row.columns.filter { $0.part?.value(of: addition) != nil }.map {
            TableCell(
              table: ExplainedTable.priceImpact.name, column: $0.name, month: "",
              conditions: [row.name])
          }
      }
    }
    return cells
  }
}

extension ReportTable.Cell {
  /// The text of a cell of words or of a count; `nil` for any other cell.
  fileprivate var words: String? {
    switch self {
    case .text(let text): text
    case .count(let count): String(count)
    default: nil
    }
  }
}
