import AppStoreReports
import Counting
package import Pipeline
package import Settlement
import Rendering
import Scanning
package import SubscriptionModel
import Tables

/// The files `evidence/TABLE.csv.gz` of a report: what the cells of the headline month are made of, for the whole
/// population.
///
/// A file has the list of each column that `explain` can explain, in the order of the table: its rows, their columns.
/// The memory for it is that of the contributions to one row of a table, or to rows that together have half a million.
package struct EvidenceFiles: Sendable {
  /// The name and the bytes of each file.
  package private(set) var files: [(name: String, bytes: [UInt8])] = []
  private var sums = EvidenceSums()

  /// Lists the contributions of a run that has kept its charges, its context and its receipts.
  ///
  /// - Parameters:
  ///   - result: The run; it has a view of the whole population.
  ///   - naming: How subscriptions are named; `nil` for the place of their first row.
  ///   - settlement: The bridges, and the period whose lines are listed; `nil` without finance files.
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  package init(
    _ result: RunResult, naming: CustomerTable.Naming? = nil,
    settlement: (reconciliation: Reconciliation, period: FiscalPeriod)? = nil
  ) throws {
    try listMonth(of: result, naming)
    guard let settlement, let context = result.context else { return }
    let evidence = try PeriodEvidence(
      of: settlement.period, settlement.reconciliation, result, context)
    var writer = EvidenceWriter([.init("period", .key)] + PeriodEvidence.columns)
    for row in evidence.table(limit: nil).rows {
      writer.append([.text(settlement.period.description)] + row)
    }
    sums.begin("reconcile")
    for sum in evidence.sums { sums.add(sum) }
    files.append(("evidence/reconcile.csv.gz", writer.finish()))
  }

  /// Lists the contributions to the rows of the headline month.
  private mutating func listMonth(of result: RunResult, _ naming: CustomerTable.Naming?) throws {
    guard let month = result.lastCompleteMonth() else { return }
    guard let view = result.plan.views.firstIndex(of: []) else {
      preconditionFailure("a report has a view of the whole population")
    }
    let maker = result.tableMaker()
    // Each of the hundreds of rows of lifetime value would list all charges again.
    let kinds = TableKind.allCases.filter {
      $0 != .lifetime && $0 != .definitions && !Self.sources(of: $0, result).isEmpty
        && maker.allows($0)
    }
    let tables = try kinds.map { try maker.table($0, view: view) }
    var evidence: [Source: any SourceEvidence] = [:]
    evidence[.subscribers] = result.charges.map {
      KeptEvidence($0, .subscribers, result, naming, month)
    }
    evidence[.receipts] = result.receipts.map { KeptEvidence($0, .receipts, result, naming, month) }
    for source in evidence.keys {
      let own = zip(kinds, tables).filter { Self.sources(of: $0.0, result).contains(source) }
      try evidence[source]?.prepare(own.map { ($0.0, $0.1) })
    }
    for (kind, table) in zip(kinds, tables) {
      let keys = EvidenceRow.keyPlaces(table).map { table.columns[$0] }
      let hasMoney = table.columns.contains { $0.kind == .money }
      var writer = EvidenceWriter(keys + ExplanationTable.columns(hasMoney: hasMoney))
      sums.begin(kind.rawValue)
      for source in Self.sources(of: kind, result) {
        do {
          if evidence[source] != nil {
            try evidence[source]?.append(kind, table, to: &writer, &sums)
          } else if let context = result.context {
            let rows = try EvidenceRow.rows(
              of: kind, source, in: table, month: month, result, context.rowFilter,
              context.registries)
            try Self.append(rows, source, to: &writer, &sums, result, context)
          }
        } catch let error as QuestionError {
          sums.fail(error.message)
        }
      }
      files.append((Self.name(kind), writer.finish()))
    }
  }

  /// The path of a table's file in the folder.
  private static func name(_ kind: TableKind) -> String { "evidence/\(kind.rawValue).csv.gz" }

  /// Returns the sources of a run from which a table can be explained, in the order of the table.
  private static func sources(of kind: TableKind, _ result: RunResult) -> [Source] {
    let able = result.sources.map(\.source).filter { source in
      let isRead =
        switch source {
        case .subscribers: result.charges != nil
        case .events, .sales: result.context != nil
        case .receipts: result.receipts != nil
        }
      return isRead && ColumnMakeup.tables(from: source).contains(kind)
    }
    return able.sorted { $0.rawValue < $1.rawValue }
  }

  /// Writes the rows of reports that add to rows of a table, and adds them up.
  private static func append(
    _ rows: [EvidenceRow], _ source: Source, to writer: inout EvidenceWriter,
    _ sums: inout EvidenceSums, _ result: RunResult, _ context: ReadContext
  ) throws {
    for row in rows {
      let lists = try RowFold.lists(
        row.counted, row.asked.columns, source, Listing(), result, context)
      let table = RowTable(result, context.registries)
      for (column, list) in zip(row.asked.columns, lists.counted) {
        sums.add(column, of: row, count: list.count, list.sum)
        for one in list.printed {
          writer.append(row.keys + table.cells(column.name, column.measure, one))
        }
      }
    }
  }

  // MARK: Sums

  /// A line for each cell to which its list does not add up.
  package var failures: [String] { sums.failures }

  /// A line about all lists, such as `1,204 contributions add up to 62 cells`; they do if nothing has failed.
  package var line: String {
    guard !files.isEmpty else {
      return "no lists: they need Subscriber, event or Sales reports, or receipts"
    }
    let verb = sums.contributions == 1 ? "adds" : "add"
    return
      "\(counted(sums.contributions, "contribution")) \(verb) up to \(counted(sums.cells, "cell"))"
  }
}

/// Compares the sums of lists with the cells of tables.
struct EvidenceSums {
  private(set) var failures: [String] = []
  private(set) var cells = 0
  private(set) var contributions = 0
  private var table = ""

  /// Begins the lists of a table.
  mutating func begin(_ table: String) { self.table = table }

  /// Adds the list of a cell; for a rank `sum` is the value at it.
  mutating func add(_ column: AskedRow.Column, of row: EvidenceRow, count: Int, _ sum: Int128) {
    cells += 1
    contributions += count
    guard sum != column.expected else { return }
    let (found, expected) = (column.measure.text(sum), column.measure.text(column.expected))
    fail(
      "\(column.name) of \(row.name): the list gives \(found), but \(row.asked.fileName) says \(expected)"
    )
  }

  /// Adds the list of a line of a bridge.
  mutating func add(_ sum: Explanation.Sum) {
    cells += 1
    contributions += sum.count
    for failure in sum.holds ? [] : [sum.column] { fail("\(failure): its list does not add up") }
  }

  /// Adds a failure of the table's lists.
  mutating func fail(_ message: String) {
    failures.append("evidence/\(table).csv.gz: \(message)")
  }
}

/// Writes the rows of a file of evidence as compressed CSV, some at a time.
struct EvidenceWriter: ~Copyable {
  private let columns: [ReportTable.Column]
  private let renderer = TableRenderer(.csv)
  private var gzip = GzipWriter()
  private var rows: [[ReportTable.Cell]] = []

  /// The number of rows that are compressed at once.
  static let rowsAtOnce = 1_000

  /// Creates a writer, and writes the header.
  init(_ columns: [ReportTable.Column]) {
    self.columns = columns
    gzip.append(renderer.bytes(of: table([])))
  }

  /// Adds a row.
  mutating func append(_ row: [ReportTable.Cell]) {
    rows.append(row)
    if rows.count == Self.rowsAtOnce { compress() }
  }

  /// Ends the file, and returns its bytes.
  consuming func finish() -> [UInt8] {
    compress()
    return gzip.finish()
  }

  private mutating func compress() {
    var text: [UInt8] = []
    renderer.appendRows(of: table(rows), to: &text)
    gzip.append(text)
    rows.removeAll(keepingCapacity: true)
  }

  private func table(_ rows: [[ReportTable.Cell]]) -> ReportTable {
    ReportTable(name: "evidence", dimensions: [], columns: columns, rows: rows)
  }
}
