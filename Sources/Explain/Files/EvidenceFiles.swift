import AppStoreReports
import Counting
package import Pipeline
import Rendering
import Scanning
package import Settlement
package import SubscriptionModel
import Tables

/// The files `evidence/TABLE.csv.gz` of a report: what the cells of the headline month's whole population are made of.
///
/// A file has the list of each column that `explain` can explain, in the order of the table: its rows, their columns.
/// The memory for it is that of the contributions to one row of a table, or to rows that together have half a million.
package struct EvidenceFiles: Sendable {
  package private(set) var files: [(name: String, bytes: [UInt8])] = []
  private var sums = EvidenceSums()

  /// Lists the contributions of a run that has kept its charges, its context and its receipts.
  ///
  /// Subscriptions have the place of their first row without a naming. The lines of bridges are those of one period.
  ///
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
    files.append((sums.path, writer.finish()))
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
    var charges = result.charges.map { KeptEvidence($0, .subscribers, result, naming, month) }
    var receipts = result.receipts.map { KeptEvidence($0, .receipts, result, naming, month) }
    let ofReceipts = zip(kinds, tables).filter {
      Self.sources(of: $0.0, result).contains(.receipts)
    }
    try receipts?.prepare(ofReceipts.map { ($0, $1) })
    for (kind, table) in zip(kinds, tables) {
      let keys = EvidenceRow.keyPlaces(table).map { table.columns[$0] }
      let hasMoney = table.columns.contains { $0.kind == .money }
      var writer = EvidenceWriter(keys + ExplanationTable.columns(hasMoney: hasMoney))
      sums.begin(kind.rawValue)
      for source in Self.sources(of: kind, result) {
        do {
          switch source {
          case .subscribers: try charges?.append(kind, table, to: &writer, &sums)
          case .receipts: try receipts?.append(kind, table, to: &writer, &sums)
          case .events, .sales:
            let context = result.keptContext
            let rows = try EvidenceRow.rows(
              of: kind, source, in: table, month: month, result, context.rowFilter,
              context.registries)
            let fold = CellFold(source: source, result: result, listing: Listing())
            for row in rows {
              let found = try fold.contributions(to: row.asked.columns, in: month) { _, _, _ in
                row.counted
              }
              for (column, own) in zip(row.asked.columns, found.sums) {
                sums.add(column, of: row, count: own.count, own.sum)
              }
              for cells in found.table.rows { writer.append(row.keys + cells) }
            }
          }
        } catch let error as QuestionError {
          sums.fail(error.message)
        }
      }
      files.append((sums.path, writer.finish()))
    }
  }

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
  /// The path of the current table's file in the folder.
  private(set) var path = ""

  mutating func begin(_ table: String) { path = "evidence/\(table).csv.gz" }

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
    if !sum.holds { fail("\(sum.column): its list does not add up") }
  }

  mutating func fail(_ message: String) { failures.append("\(path): \(message)") }
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

/// Lists the periods and refunds that rows of tables count, of a source that is folded again.
///
/// The files of receipts are read at once, so contributions are found twice: for the rows that they name, and to be
/// written. Then memory grows with the rows that are named.
struct KeptEvidence<Kept: ExplainedSource> {
  typealias Found = Contribution<Kept>

  private let kept: Kept
  private let source: Source
  private let result: RunResult
  private let naming: CustomerTable.Naming?
  private let month: Month
  private let table: ContributionTable<Kept>
  private var lines = Kept.noLines

  init(
    _ kept: Kept, _ source: Source, _ result: RunResult, _ naming: CustomerTable.Naming?,
    _ month: Month
  ) {
    (self.kept, self.source, self.result) = (kept, source, result)
    (self.naming, self.month) = (naming, month)
    table = ContributionTable(result.names, kept, naming, month, jobs: result.plan.jobs)
  }

  /// Reads the files of receipts once for all tables; called before ``append(_:_:to:_:)``.
  mutating func prepare(_ tables: [(kind: TableKind, table: ReportTable)]) throws {
    var wanted: Set<Kept.Row> = []
    for (kind, table) in tables {
      // Two rows with the same key are a failure when their list is written.
      for pass in EvidencePass.passes(for: (try? rows(kind, table)) ?? []) {
        for one in contributions(pass).joined() { wanted.formUnion(kept.namedRows(one, naming)) }
      }
    }
    try kept.read(Array(wanted), &lines, jobs: result.plan.jobs)
  }

  /// Writes the contributions to the rows of a table, and adds them up.
  ///
  /// - Throws: ``QuestionError`` for two rows with the same keys, ``KeptCharges/LineError`` for an unreadable file.
  mutating func append(
    _ kind: TableKind, _ table: ReportTable, to writer: inout EvidenceWriter,
    _ sums: inout EvidenceSums
  ) throws {
    for pass in EvidencePass.passes(for: try rows(kind, table)) {
      for (row, own) in zip(pass.rows, contributions(pass)) {
        if !Kept.isOfReceipts {
          let rows = own.flatMap { kept.namedRows($0, naming) }
          try kept.read(rows, &lines, jobs: result.plan.jobs)
        }
        for column in row.asked.columns { append(column, of: row, own, &writer, &sums) }
      }
    }
  }

  private func append(
    _ column: AskedRow.Column, of row: EvidenceRow, _ found: [Found],
    _ writer: inout EvidenceWriter, _ sums: inout EvidenceSums
  ) {
    var table = table
    table.row = row.counted
    guard column.measure.percent != nil else {
      var (count, sum) = (0, Int128(0))
      for one in found where column.counted.contains(one.counted) {
        writer.append(row.keys + table.cells(column.name, column.measure, one, lines))
        (count, sum) = (count + 1, sum + one.value(column.measure))
      }
      return sums.add(column, of: row, count: count, sum)
    }
    var list = ContributionList<Found>(column.measure)
    for one in found where column.counted.contains(one.counted) { list.add(one) }
    sums.add(column, of: row, count: list.count, list.result)
    for (place, one) in list.printed.enumerated() {
      let chosen = list.chosen == place + 1 ? (place + 1, list.count) : nil
      writer.append(row.keys + table.cells(column.name, column.measure, one, lines, chosen: chosen))
    }
  }

  private func rows(
    _ kind: TableKind, _ table: ReportTable
  ) throws(QuestionError) -> [EvidenceRow] {
    try EvidenceRow.rows(
      of: kind, source, in: table, month: month, result, kept.filter, kept.registries)
  }

  private func contributions(_ pass: EvidencePass) -> [[Found]] {
    kept.contributions(to: pass, named: naming != nil, jobs: result.plan.jobs)
  }
}

/// A row of the headline month for the whole population, whose cells a file of evidence explains.
struct EvidenceRow {
  /// The cells that identify the row, in the order of the table.
  let keys: [ReportTable.Cell]
  let asked: AskedRow
  /// The row in terms of a fold.
  let counted: CountedRow

  /// Finds the rows of a table's view of the whole population that are from one source, in their order.
  ///
  /// They are those of a month; in a table without months, all. In the filter, names have been replaced by ids.
  ///
  /// - Throws: ``QuestionError`` when two rows have the same keys.
  static func rows(
    of kind: TableKind, _ source: Source, in table: ReportTable, month: Month, _ result: RunResult,
    _ filter: Filter, _ registries: Registries
  ) throws(QuestionError) -> [EvidenceRow] {
    let places = keyPlaces(table)
    let monthName = result.plan.monthSystem.name(month)
    var rows: [EvidenceRow] = []
    for row in table.rows {
      var (isAsked, conditions) = (true, [String]())
      for place in places {
        let text = Self.text(row[place])
        switch table.columns[place].name {
        case "source": isAsked = isAsked && text == source.name(in: kind)
        case "month": isAsked = isAsked && text == monthName
        case let name: conditions += text.map { ["\(name)=\($0)"] } ?? []
        }
      }
      guard isAsked else { continue }
      let question = try Question(kind.rawValue, where: conditions, from: [source])
      let asked = try AskedRow(question, in: table, month: monthName)
      rows.append(
        EvidenceRow(
          keys: places.map { row[$0] }, asked: asked,
          counted: asked.countedRow(
            question, month: month, result, filter, registries)))
    }
    return rows
  }

  /// Returns the places of the columns that identify a row of a whole population.
  static func keyPlaces(_ table: ReportTable) -> [Int] {
    table.columns.indices.filter { table.columns[$0].identifies }
  }

  private static func text(_ cell: ReportTable.Cell) -> String? {
    switch cell {
    case .text(let text): text
    case .count(let count): String(count)
    default: nil
    }
  }

  /// The row in words, such as `subscribers 2026-08 USD`.
  var name: String { keys.compactMap(Self.text).joined(separator: " ") }

  /// The number of contributions to its counts.
  var size: Int { asked.columns.reduce(0) { $0 + ($1.measure == .count ? Int($1.expected) : 0) } }

  /// Returns whether one fold can find the contributions to this row and to another one.
  ///
  /// It can tell currencies of charges, refunds and instalments apart, and paid periods of retention.
  func sharesFold(with other: EvidenceRow) -> Bool {
    let areBySale = counted.isDatedBySale == other.counted.isDatedBySale
    let haveK = counted.k != nil && other.counted.k != nil
    let haveCurrency = counted.currency != nil && other.counted.currency != nil
    return areBySale && (haveK || haveCurrency) && asked.columns.allSatisfy(Self.isToldApart)
  }

  private static func isToldApart(_ column: AskedRow.Column) -> Bool {
    column.counted.allSatisfy { counted in
      switch counted {
      case .charge, .refund, .atRisk, .kept, .lost, .commitment: true
      default: false
      }
    }
  }
}

/// Some rows of a table whose contributions one fold finds: several currencies, or several paid periods of retention.
struct EvidencePass {
  /// What tells the rows apart.
  private struct Key: Hashable {
    var currency: UInt32?
    var k: Int?
  }

  let rows: [EvidenceRow]
  /// All rows in terms of a fold.
  let row: CountedRow
  /// What their columns count.
  let counted: Set<Counted>
  private let places: [Key: Int]

  /// The most contributions that the rows of a pass have, unless there is only one row.
  private static let mostContributions = 500_000

  /// Returns the passes for the rows of a table, in their order.
  static func passes(for rows: [EvidenceRow]) -> [EvidencePass] {
    var (groups, size) = ([[EvidenceRow]](), 0)
    for row in rows {
      if let last = groups.last?.last, row.sharesFold(with: last),
        size + row.size <= mostContributions
      {
        groups[groups.count - 1].append(row)
        size += row.size
      } else {
        groups.append([row])
        size = row.size
      }
    }
    return groups.map(EvidencePass.init)
  }

  /// Creates a pass for rows that can share a fold: at least one.
  private init(_ rows: [EvidenceRow]) {
    self.rows = rows
    counted = rows.reduce(into: []) { all, row in
      for column in row.asked.columns { all.formUnion(column.counted) }
    }
    var row = rows[0].counted
    if rows.count > 1 {
      row.lastK = rows[rows.count - 1].counted.k
      row.currency = nil
    }
    self.row = row
    places = Dictionary(
      rows.enumerated().map { (Key(currency: $1.counted.currency, k: $1.counted.k), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the index of the row that counts a period or a refund; `nil` if none does.
  func place(of found: CountedPeriod) -> Int? {
    // The fold finds nothing that a single row does not count.
    if rows.count == 1 { return 0 }
    return places[Key(currency: row.k == nil ? found.currency : nil, k: found.k)]
  }
}
