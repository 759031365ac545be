import PriceImpact
import Rendering
import Settlement
import Storage
import SubscriptionModel
package import Tables

/// The inputs and the tables of the last run, put together from all lines of a ledger.
package struct LedgerState: Sendable {
  /// A table of the whole population.
  package struct Table: Sendable {
    package fileprivate(set) var columns: [ReportTable.Column]
    /// The rows by their keys.
    package fileprivate(set) var rows: [[ReportTable.Cell]: [ReportTable.Cell]] = [:]

    init(_ columns: [ReportTable.Column]) {
      self.columns = columns
    }

    /// How the months of the rows are written, which is the same in all rows of a run; `nil` without months.
    var monthSystem: MonthSystem? {
      guard let place = columns.monthPlace,
        let month = rows.keys.first?[place].words
      else { return nil }
      return MonthSystem(naming: month)
    }

    func key(_ row: [ReportTable.Cell]) -> [ReportTable.Cell] { columns.key(of: row) }

    /// Returns the table with its rows in the order of their keys.
    package func table(named name: String) -> ReportTable {
      let axis = columns.keyNames.firstIndex { $0 == "axis" }
      // The rows of definitions are in the order of their steps.
      let place = { (key: [ReportTable.Cell]) -> [ReportTable.Cell] in
        guard let axis, let step = key[axis].words.flatMap(OtherAxis.init) else { return key }
        var key = key
        key[axis] = .count(OtherAxis.allCases.firstIndex(of: step) ?? 0)
        return key
      }
      let keys = rows.keys.sorted { precedes(place($0), place($1)) }
      return ReportTable(
        name: name, dimensions: [], columns: columns, rows: keys.compactMap { rows[$0] })
    }
  }

  /// A report whatever its version: its kind and vendor, and its day.
  struct Report: Hashable, Sendable {
    var name: String
    var day: Day

    init?(_ file: LedgerEntry.File) {
      guard let name = file.report, let day = file.day else { return nil }
      (self.name, self.day) = (name, day)
    }
  }

  package private(set) var tables: [String: Table] = [:]
  /// The last line, without its files and tables; `nil` for an empty ledger.
  package private(set) var last: LedgerEntry?
  package private(set) var fileCount = 0
  private var files: [ExactText: [LedgerEntry.File]] = [:]
  /// The hashes of the versions of each report.
  private(set) var versions: [Report: [String]] = [:]
  /// The last day of each kind of report that there ever was.
  private(set) var lastDays: [String: Day] = [:]

  var inputs: [LedgerEntry.File] { files.values.flatMap { $0 } }

  /// Creates the state before the first line.
  package init() {}

  // MARK: Adding lines

  package mutating func apply(_ entry: LedgerEntry) {
    for file in entry.files.removed { remove(file.path, file.sha256) }
    for change in entry.files.changed {
      remove(change.file.path, change.was)
      add(change.file)
    }
    for file in entry.files.added { add(file) }
    for table in entry.tables { apply(table) }
    last = entry
    last?.files = LedgerEntry.Files()
    last?.tables = []
  }

  private mutating func apply(_ change: LedgerEntry.Table) {
    if let columns = change.columns {
      tables[change.name] = columns.isEmpty ? nil : Table(columns)
    }
    guard var table = tables.removeValue(forKey: change.name) else { return }
    for key in change.gone { table.rows[key] = nil }
    for row in change.rows { table.rows[table.key(row)] = row }
    tables[change.name] = table
  }

  private mutating func add(_ file: LedgerEntry.File) {
    files[file.path, default: []].append(file)
    fileCount += 1
    guard let report = Report(file) else { return }
    versions[report, default: []].append(file.sha256)
    lastDays[report.name] = max(report.day, lastDays[report.name] ?? report.day)
  }

  private mutating func remove(_ path: String, _ sha256: String) {
    guard let place = files[path]?.firstIndex(where: { $0.sha256 == sha256 }),
      let file = files[path]?.remove(at: place)
    else { return }
    if files[path]?.isEmpty == true { files[path] = nil }
    fileCount -= 1
    guard let report = Report(file), var hashes = versions[report] else { return }
    if let place = hashes.firstIndex(of: sha256) { hashes.remove(at: place) }
    versions[report] = hashes.isEmpty ? nil : hashes
  }

  // MARK: The next line

  /// Adds its number and the differences of a run to its line.
  package func completed(
    _ entry: LedgerEntry, inputs: [LedgerEntry.File], tables made: [ReportTable]
  ) -> LedgerEntry {
    var entry = entry
    entry.sequence = (last?.sequence ?? 0) + 1
    entry.files = differences(of: inputs)
    entry.tables = made.compactMap { difference(of: $0) }
    let names = Set(made.map(\.name))
    entry.tables += tables.keys.filter { !names.contains($0) }.sorted().map { name in
      var gone = LedgerEntry.Table(name)
      gone.columns = []
      return gone
    }
    return entry
  }

  private func differences(of inputs: [LedgerEntry.File]) -> LedgerEntry.Files {
    let new = Dictionary(grouping: inputs) { ExactText($0.path) }
    var differences = LedgerEntry.Files()
    for path in Set(files.keys).union(new.keys).sorted() {
      var added = new[path] ?? []
      var removed: [LedgerEntry.File] = []
      for file in files[path] ?? [] {
        if let same = added.firstIndex(where: { $0.sha256 == file.sha256 }) {
          added.remove(at: same)
        } else {
          removed.append(file)
        }
      }
      for (file, old) in zip(added, removed) {
        differences.changed.append(.init(file, was: old.sha256))
      }
      differences.added += added.dropFirst(removed.count)
      differences.removed += removed.dropFirst(added.count)
    }
    return differences
  }

  /// Returns the rows of a table that differ from the last line; `nil` when none does.
  private func difference(of table: ReportTable) -> LedgerEntry.Table? {
    var difference = LedgerEntry.Table(table.name)
    guard let old = tables[table.name], old.columns == table.columns else {
      difference.columns = table.columns
      difference.rows = table.rows
      return difference
    }
    var keys: Set<[ReportTable.Cell]> = []
    for row in table.rows {
      let key = old.key(row)
      keys.insert(key)
      if old.rows[key] != row { difference.rows.append(row) }
    }
    difference.gone = old.rows.keys.filter { !keys.contains($0) }.sorted(by: precedes)
    return difference.rows.isEmpty && difference.gone.isEmpty ? nil : difference
  }
}

/// Returns whether a row's keys come before another's, in the order of tables.
func precedes(_ left: [ReportTable.Cell], _ right: [ReportTable.Cell]) -> Bool {
  for (first, second) in zip(left, right) where first != second {
    switch (first, second) {
    case (.text(let first), .text(let second)): return first.precedes(second)
    case (.count(let first), .count(let second)): return first < second
    case (.money(let first), .money(let second)): return first < second
    case (.missing, _): return true
    default: return false
    }
  }
  return false
}

/// The tables of a ledger: their names, and the columns that identify a row.
package enum LedgerTable {
  private static let reconcile = "reconcile"
  private static let ofPrices: [PriceTable] = [.changes, .impact]

  /// The names of the tables, in order.
  package static let names =
    TableKind.allCases.map(\.rawValue) + ofPrices.map(\.rawValue) + [reconcile]

  /// Returns the columns of a table with their meanings; `nil` for a name of no table.
  package static func columns(of name: String) -> [Definition.Column]? {
    guard names.contains(name) else { return nil }
    return ColumnMeanings.columns(of: name)?.filter { isKept($0.column.name) }
  }

  /// Whether a column can tell of a change; the id of a product says the same as its name.
  private static func isKept(_ column: String) -> Bool {
    column != ReportTable.Column.productID.name
  }

  /// Returns the tables of a run that its line has: those of the whole population.
  static func whole(
    _ tables: [TableKind: [ReportTable]], prices: [ReportTable], settlement: ReportTable?
  ) -> [ReportTable] {
    let counted = TableKind.allCases.compactMap { kind in
      tables[kind]?.first { $0.dimensions.isEmpty }
    }
    let names = Set(ofPrices.map(\.rawValue))
    let ofPrices = prices.filter { $0.dimensions.isEmpty && names.contains($0.name) }
    return counted + ofPrices.map { $0.keeping(isKept) } + [settlement].compactMap(\.self)
  }
}

extension [ReportTable.Column] {
  /// The lines of a settlement that have several rows, one for each cause.
  private static let linesByCause = [Bridge.Line.shareDifference, .otherRegion].map {
    ReportTable.Cell.text($0.name)
  }

  var keyNames: [String] { keyPlaces.map { self[$0].name } }

  /// The place of the month among the cells of a key; a settlement has its fiscal period there.
  var monthPlace: Int? { keyNames.firstIndex { $0 == "month" || $0 == "period" } }

  /// Returns the cells that identify a row.
  ///
  /// The cause of a line tells its rows apart if it has several. Of any other line it is a remark, which may change.
  func key(of row: [ReportTable.Cell]) -> [ReportTable.Cell] {
    var key = keyPlaces.map { row[$0] }
    let names = keyNames
    if let cause = names.firstIndex(of: "cause"), let line = names.firstIndex(of: "line"),
      !Self.linesByCause.contains(key[line])
    {
      key[cause] = .missing
    }
    return key
  }
}
