import Rendering
import SubscriptionModel
package import Tables

/// Makes `changes.csv`: the numbers that differ from the last line of the ledger, and why.
package enum LedgerChanges {
  /// The columns that identify a row in the tables of months and of retention.
  private static let keys = ["source", "month", "dating", "currency", "k"]

  private static let columns =
    [ReportTable.Column("table", .key)] + keys.map { ReportTable.Column($0, .key) } + [
      // What else identifies a row, such as the product of an increase.
      ReportTable.Column("row", .key), ReportTable.Column("column", .key),
      ReportTable.Column("before", .number),
      ReportTable.Column("after", .number), ReportTable.Column("change", .number, isChange: true),
      ReportTable.Column("because", .text),
    ]

  /// Returns the changed cells.
  ///
  /// Rows of months that began after the last line are new and not listed. The same holds for a table that was not
  /// there, or whose rows are identified by other columns.
  package static func table(
    _ entry: LedgerEntry, since before: LedgerState, order: [String]
  ) -> ReportTable {
    var table = ReportTable(name: "changes", dimensions: [], columns: columns, rows: [])
    guard before.last != nil else { return table }
    let cause = LedgerCause(entry, since: before)
    let changed = Dictionary(entry.tables.map { ($0.name, $0) }) { first, _ in first }
    for name in order + changed.keys.filter({ !order.contains($0) }).sorted() {
      guard let old = before.tables[name], let new = changed[name],
        new.columns.map({ $0.keyNames == old.columns.keyNames }) != false
      else { continue }
      table.rows += Comparison(name, old, new, asOf: before.last?.asOf, cause).rows
    }
    return table
  }

  /// The two versions of one table.
  private struct Comparison {
    private let name: String
    private let old: LedgerState.Table
    private let columns: [ReportTable.Column]
    private let asOf: Day?
    private let cause: LedgerCause
    private(set) var rows: [[ReportTable.Cell]] = []

    init(
      _ name: String, _ old: LedgerState.Table, _ new: LedgerEntry.Table, asOf: Day?,
      _ cause: LedgerCause
    ) {
      (self.name, self.old, self.asOf, self.cause) = (name, old, asOf, cause)
      columns = new.columns ?? old.columns
      let after = Dictionary(
        new.rows.map { row in (columns.key(of: row), row) }, uniquingKeysWith: { $1 })
      // With other columns the line has all rows; a row that it lacks is gone.
      let gone = new.columns == nil ? new.gone : old.rows.keys.filter { after[$0] == nil }
      for key in (Array(after.keys) + gone).sorted(by: precedes) {
        compare(key, old.rows[key], after[key])
      }
    }

    /// Adds a row for each cell that has another value.
    private mutating func compare(
      _ key: [ReportTable.Cell], _ before: [ReportTable.Cell]?, _ after: [ReportTable.Cell]?
    ) {
      let names = old.columns.keyNames
      var keys = Dictionary(zip(names, key)) { first, _ in first }
      if let period = keys["period"] { keys["month"] = period }
      guard before != nil || hadBegun(keys["month"]) else { return }
      let row = Self.words(of: zip(names, key))
      let because = cause.text(keys["source"].flatMap(\.words))
      let oldNames = Set(old.columns.map(\.name))
      let all = old.columns + columns.filter { !oldNames.contains($0.name) }
      for column in all where column.isCompared && !names.contains(column.name) {
        let was = Self.cell(column.name, before, old.columns)
        let now = Self.cell(column.name, after, self.columns)
        // Compare as printed: 0 of 62 and 0 of 63 print the same.
        guard was.machineText != now.machineText else { continue }
        rows.append(
          [.text(name)] + LedgerChanges.keys.map { keys[$0] ?? .missing }
            + [row, .text(column.name), was, now, now.change(since: was), .text(because)])
      }
    }

    /// Returns the values that identify a row besides those with a column, such as `region EU, line cutoff_in`.
    private static func words(
      of keys: Zip2Sequence<[String], [ReportTable.Cell]>
    ) -> ReportTable.Cell {
      let named = Set(LedgerChanges.keys + ["period", "step"])
      let others = keys.filter { !named.contains($0) && !$1.machineText.isEmpty }
      guard !others.isEmpty else { return .missing }
      return .text(others.map { "\($0) \($1.machineText)" }.joined(separator: ", "))
    }

    /// Returns whether a month had begun at the end of the data of the last line.
    private func hadBegun(_ month: ReportTable.Cell?) -> Bool {
      guard let text = month?.words, let asOf else { return true }
      let system = MonthSystem(naming: text)
      return system.month(named: text).map { $0 <= system.month(of: asOf) } ?? true
    }

    private static func cell(
      _ name: String, _ row: [ReportTable.Cell]?, _ columns: [ReportTable.Column]
    ) -> ReportTable.Cell {
      guard let row, let place = columns.firstIndex(where: { $0.name == name }) else {
        return .missing
      }
      return row[place]
    }
  }
}

extension ReportTable.Column {
  /// Whether a change of the column has a row: the bounds of an interval only follow from the counts.
  fileprivate var isCompared: Bool { name != "low" && name != "high" }
}

extension ReportTable.Cell {
  /// The words of a text; `nil` for a number.
  var words: String? {
    if case .text(let text) = self { text } else { nil }
  }
}

extension MonthSystem {
  /// The system in which a month has a name such as `2026-10` or `FY2026-P05`.
  init(naming month: String) { self = month.hasPrefix("FY") ? .fiscal : .calendar }
}
