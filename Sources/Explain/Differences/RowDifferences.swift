import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import SubscriptionModel
import Tables

/// The rows of events or sales that only one side counts.
///
/// They name no subscription. A row of one file is the same row on both sides; all others came or went.
struct RowDifferences {
  /// A side with the context in which its files were read.
  struct Side {
    let side: DifferenceSide
    let asked: AskedRow
    let context: ReadContext

    init(_ side: DifferenceSide, _ asked: AskedRow, _ context: ReadContext) {
      (self.side, self.asked, self.context) = (side, asked, context)
    }

    /// Returns all contributions to each column.
    func lists(
      _ question: Question, _ columns: [AskedRow.Column]
    ) throws -> [[RowContribution]] {
      let row = asked.countedRow(
        question, month: side.month, side.result.names, context.rowFilter, context.registries)
      return try RowFold.lists(
        row, columns, question.source, limit: nil, side.result, context
      ).counted.map { Array($0.printed) }
    }
  }

  /// A row of a file, wherever the run has the file in its order.
  private struct Place: Hashable {
    let path: String
    let line: Int
  }

  /// A row that came, went, or adds another value.
  fileprivate struct Item {
    let after: RowContribution?
    let before: RowContribution?
    /// The place of the file in the run of the later side, and the line.
    let file: UInt64
    let line: Int

    var value: Int128 { (after?.value ?? 0) - (before?.value ?? 0) }
    var kind: DifferenceKind {
      after == nil ? .went : before == nil ? .came : .changed
    }
  }

  /// The differences of a column.
  struct List {
    fileprivate(set) var counts = DifferenceCounts()
    fileprivate(set) var sum: Int128 = 0
    fileprivate(set) var (after, before): (Int128, Int128) = (0, 0)
    fileprivate var items: [Item] = []
  }

  private(set) var lists: [List] = []
  let table: ReportTable

  /// Compares the rows of both sides.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - columns: The columns that both sides have.
  ///   - after: The later side.
  ///   - before: The side that it is compared with.
  ///   - order: By value, or by file and line.
  ///   - limit: How many rows of each column are printed; `nil` for all.
  /// - Throws: `KeptCharges.LineError` for a file that cannot be read again.
  init(
    _ question: Question, _ columns: [ComparedColumns.Column], _ after: Side, _ before: Side,
    order: ContributionOrder, limit: Int?
  ) throws {
    let names = columns.map(\.after)
    let filePlaces = before.side.filePlaces(in: after.side.result)
    lists = zip(try after.lists(question, names), try before.lists(question, names)).map {
      Self.list($0, $1, after, before, filePlaces, order)
    }
    table = Self.table(zip(names, lists).map { ($0, $1) }, after, before, limit: limit)
  }

  private static func list(
    _ own: [RowContribution], _ other: [RowContribution], _ after: Side, _ before: Side,
    _ filePlaces: [UInt64], _ order: ContributionOrder
  ) -> List {
    var list = List()
    var rest: [Place: RowContribution] = [:]
    for one in other {
      list.before += one.value
      rest[place(one, before)] = one
    }
    for one in own {
      list.after += one.value
      let same = rest.removeValue(forKey: place(one, after))
      if let same, same.value == one.value {
        list.counts.inBoth += 1
      } else {
        list.items.append(
          Item(after: one, before: same, file: UInt64(one.file), line: one.row.line))
      }
    }
    list.items += rest.values.map {
      Item(after: nil, before: $0, file: filePlaces[$0.file], line: $0.row.line)
    }
    list.items.sort { left, right in
      let (own, other) = (left.value.magnitude, right.value.magnitude)
      if order == .value, own != other { return own > other }
      return (left.file, left.line) < (right.file, right.line)
    }
    for item in list.items {
      list.counts.add(item.kind)
      list.sum += item.value
    }
    return list
  }

  private static func place(_ one: RowContribution, _ side: Side) -> Place {
    Place(path: side.side.result.files[one.file].file.path, line: one.row.line)
  }

  // MARK: The table

  private static func table(
    _ lists: [(column: AskedRow.Column, list: List)], _ after: Side, _ before: Side, limit: Int?
  ) -> ReportTable {
    let printers = (printer(after), printer(before))
    var rows: [[ReportTable.Cell]] = []
    for (column, list) in lists {
      let shown = list.items.prefix(limit ?? list.items.count)
      for item in shown {
        let (side, printer) = item.after == nil ? (before, printers.1) : (after, printers.0)
        guard let main = item.after ?? item.before else { continue }
        rows.append(
          row(printer.cells(column, main), column.measure.cell(item.value), item, side.side.name))
      }
      let rest = list.items.count - shown.count
      guard rest > 0 else { continue }
      let sum = list.sum - shown.reduce(0) { $0 + $1.value }
      rows.append(ExplanationTable.restRow(column.name, column.measure.cell(sum), rest))
    }
    return ReportTable(
      name: "explain", dimensions: [],
      columns: ExplanationTable.columns(hasMoney: lists.contains(where: \.column.measure.isMoney)),
      rows: rows)
  }

  private static func printer(_ side: Side) -> RowTable {
    RowTable(side.side.result.names, side.side.result, RowFold.Terms(side.context.registries))
  }

  private static func row(
    _ cells: [ReportTable.Cell], _ value: ReportTable.Cell, _ item: Item, _ side: String
  ) -> [ReportTable.Cell] {
    var cells = cells
    for (index, column) in ExplanationTable.columns(hasMoney: false).enumerated() {
      switch (column.name, cells[index]) {
      case ("value", _): cells[index] = value
      case ("fact", .text(let fact)): cells[index] = .text("\(item.kind): \(fact)")
      case ("because", .text(let because)): cells[index] = .text("\(side): \(because)")
      default: break
      }
    }
    return cells
  }
}
