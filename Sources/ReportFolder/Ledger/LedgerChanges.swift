import AppStoreReports
import Rendering
import Storage
package import SubscriptionModel
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

/// Why numbers of a run differ from those of the run before: other definitions, options or inputs.
struct LedgerCause {
  private static let namedFiles = 5

  /// The change of an input.
  private enum Event: String, CaseIterable {
    case restated
    case late = "came late"
    case gone
    case added
  }

  /// The inputs of one source that were added, changed or removed.
  private struct Inputs {
    var paths: [Event: [String]] = [:]
    var newDays: ClosedRange<Day>?

    mutating func add(_ event: Event, _ path: String) { paths[event, default: []].append(path) }

    mutating func add(_ day: Day) {
      newDays = newDays.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
    }

    var parts: [String] {
      var parts = Event.allCases.compactMap { event in
        paths[event].map { "\(event.rawValue): \(LedgerCause.names($0))" }
      }
      guard let newDays else { return parts }
      parts.append(
        newDays.lowerBound == newDays.upperBound
          ? "new day \(newDays.lowerBound)"
          : "new days \(newDays.lowerBound) to \(newDays.upperBound)")
      return parts
    }
  }

  private let ofRun: [String]
  /// The change of as-of; it is a reason only if no other was found.
  private var otherEnd = ""
  /// The inputs by the source whose numbers they change; those of no table under `nil`.
  private var inputs: [Source?: Inputs] = [:]

  init(_ entry: LedgerEntry, since before: LedgerState) {
    guard let last = before.last else {
      ofRun = ["the first run in the ledger"]
      return
    }
    ofRun = Self.differences(of: entry, last)
    if let now = entry.asOf, let then = last.asOf, now != then {
      otherEnd = "as-of \(now) instead of \(then)"
    }
    let added = Set(entry.files.added.map(\.sha256))
    let removed = Set(entry.files.removed.map(\.sha256))
    let versions = Set(entry.files.added.compactMap(LedgerState.Report.init))
    for change in entry.files.changed {
      inputs[change.file.source, default: Inputs()].add(.restated, change.file.path)
    }
    for file in entry.files.added where !removed.contains(file.sha256) {
      add(file, before)
    }
    for file in entry.files.removed where !added.contains(file.sha256) {
      let isReplaced = LedgerState.Report(file).map(versions.contains) ?? false
      if !isReplaced { inputs[file.source, default: Inputs()].add(.gone, file.path) }
    }
  }

  private mutating func add(_ file: LedgerEntry.File, _ before: LedgerState) {
    let source = file.source
    guard let report = LedgerState.Report(file) else {
      inputs[source, default: Inputs()].add(.added, file.path)
      return
    }
    if let hashes = before.versions[report] {
      // A copy changes nothing.
      guard !hashes.contains(file.sha256) else { return }
      inputs[source, default: Inputs()].add(.restated, file.path)
    } else if let last = before.lastDays[report.name], report.day <= last {
      inputs[source, default: Inputs()].add(.late, file.path)
    } else {
      inputs[source, default: Inputs()].add(report.day)
    }
  }

  /// Returns such as `restated: subscriber/a.txt; new day 2026-10-02`; blank when no cause is in the ledger.
  func text(_ source: String?) -> String {
    // Settlements come from finance files, which have no source, and from SALES.
    let sources: [Source?] =
      source == "finance" ? [nil, .sales] : source.flatMap(Source.init).map { [$0] } ?? []
    let own = sources.flatMap { inputs[$0]?.parts ?? [] }
    guard own.isEmpty else { return (ofRun + own).joined(separator: "; ") }
    let others = inputs.sorted { ($0.key?.rawValue ?? "") < ($1.key?.rawValue ?? "") }
    let all = (ofRun + others.flatMap(\.value.parts)).unique
    return all.isEmpty ? otherEnd : all.joined(separator: "; ")
  }

  private static func differences(of entry: LedgerEntry, _ last: LedgerEntry) -> [String] {
    var parts: [String] = []
    if entry.definitions != last.definitions {
      parts.append("definitions \(entry.definitions) instead of \(last.definitions)")
    }
    if entry.version != last.version {
      parts.append("subreport \(entry.version) instead of \(last.version)")
    }
    // The preferred source chooses a number of the headlines, and changes none; nor does the day that reports must reach.
    let names = Set(entry.options.keys).union(last.options.keys)
      .subtracting(["primary", "through"])
    let others = names.filter { entry.options[$0] != last.options[$0] }.sorted()
    if !others.isEmpty { parts.append("other options: \(others.joined(separator: ", "))") }
    return parts
  }

  static func names(_ paths: [String]) -> String {
    let shown = paths.prefix(namedFiles).joined(separator: ", ")
    let more = paths.count - namedFiles
    return more > 0 ? "\(shown) and \(counted(more, "more file"))" : shown
  }
}

extension LedgerEntry.File {
  /// The word for the kind of every dump of receipts.
  static let receipts = "receipts"

  /// The source whose numbers the file changes; `nil` for a file of no table.
  package var source: Source? {
    guard let kind = report?.prefix(while: { $0 != " " }) else { return nil }
    return kind == Self.receipts ? .receipts : ReportKind(rawValue: String(kind))?.source
  }
}
