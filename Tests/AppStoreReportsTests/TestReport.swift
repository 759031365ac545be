import AppStoreReports
import Scanning
import SubscriptionModel

/// A report for tests: the lines of a file, and what readers make of them.
struct TestReport {
  var lines: [[UInt8]]

  init(lines: [[UInt8]]) { self.lines = lines }

  /// Creates a report from its text; a line feed at the end makes no line.
  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.utf8) }
    if lines.last == [] { lines.removeLast() }
  }

  /// Creates a report from its columns and rows.
  init(columns: [String], rows: [[String]] = []) {
    self.init(([columns] + rows).map { $0.joined(separator: "\t") }.joined(separator: "\n"))
  }

  /// What the recognizer says, and the index of the line at which it said so.
  var recognized: (step: HeaderRecognizer.Step, index: Int) {
    var recognizer = HeaderRecognizer()
    let places = places
    for (index, line) in lines.enumerated() {
      let step = recognizer.feed(line.span, places[index])
      if step != .more { return (step, index) }
    }
    return (recognizer.finish(), lines.count - 1)
  }

  var step: HeaderRecognizer.Step { recognized.step }

  var header: ReportHeader? {
    guard case .recognized(let header) = step else { return nil }
    return header
  }

  var error: HeaderError? {
    guard case .failed(let error) = step else { return nil }
    return error
  }

  /// The lines after the header that are rows, with their places.
  var rows: [(bytes: [UInt8], place: Line)] {
    let (step, index) = recognized
    guard case .recognized(let header) = step else { return [] }
    let places = places
    return lines.indices.dropFirst(index + 1).compactMap { index in
      let line = lines[index]
      let isRow = header.isDataRow(line.span, places[index])
      return isRow ? (line, places[index]) : nil
    }
  }

  func subscribers(_ registries: Registries = Registries()) -> [RowOutcome<ChargeRecord>] {
    guard let header else { return [] }
    var reader = SubscriberReader(header: header, registries: registries)
    var outcomes: [RowOutcome<ChargeRecord>] = []
    for (index, row) in rows.enumerated() {
      let line = row.bytes
      outcomes.append(reader.read(line.span, row.place, fileIndex: 7, row: UInt32(index)))
    }
    return outcomes
  }

  func events(_ registries: Registries = Registries()) -> [RowOutcome<EventRow>] {
    guard let header else { return [] }
    var reader = SubscriptionEventReader(header: header, registries: registries)
    var outcomes: [RowOutcome<EventRow>] = []
    for row in rows {
      let line = row.bytes
      outcomes.append(reader.read(line.span, row.place))
    }
    return outcomes
  }

  func snapshots(_ registries: Registries = Registries()) -> [RowOutcome<SnapshotRow>] {
    guard let header else { return [] }
    var reader = SubscriptionReader(header: header, registries: registries)
    var outcomes: [RowOutcome<SnapshotRow>] = []
    for row in rows {
      let line = row.bytes
      outcomes.append(reader.read(line.span, row.place))
    }
    return outcomes
  }

  func sales(
    _ registries: Registries = Registries(), readsAllTypes: Bool = false
  ) -> [RowOutcome<SalesRow>] {
    guard let header else { return [] }
    var reader = SalesReader(
      header: header, registries: registries, readsAllTypes: readsAllTypes)
    var outcomes: [RowOutcome<SalesRow>] = []
    for row in rows {
      let line = row.bytes
      outcomes.append(reader.read(line.span, row.place))
    }
    return outcomes
  }

  /// What the reader of financial reports makes of all lines.
  func finance(
    _ registries: Registries = Registries(), named name: String = "financial.tsv"
  ) throws -> (outcomes: [RowOutcome<FinanceRow>], sheet: CheckedStatement) {
    guard let header else { throw NoHeader() }
    var reader = FinanceReader(header: header, registries: registries, regions: .apple)
    let outcomes = read(&reader)
    return (
      outcomes,
      try reader.finish(
        name: ReportName(name), vendor: ReportName(name).vendor ?? "", fileIndex: 3)
    )
  }

  /// What becomes of the rows of a financial report that may not make sense as a whole.
  func financeOutcomes() -> [RowOutcome<FinanceRow>] {
    guard let header else { return [] }
    var reader = FinanceReader(header: header, registries: Registries(), regions: .apple)
    return read(&reader)
  }

  private func read(_ reader: inout FinanceReader) -> [RowOutcome<FinanceRow>] {
    var outcomes: [RowOutcome<FinanceRow>] = []
    for (line, place) in zip(lines, places) {
      if let outcome = reader.read(line.span, place) { outcomes.append(outcome) }
    }
    return outcomes
  }

  /// What the reader of payments makes of all lines.
  func payments(
    _ registries: Registries = Registries()
  ) throws -> (outcomes: [RowOutcome<PaymentsRow>], statement: PaymentsStatement) {
    guard let header else { throw NoHeader() }
    var reader = PaymentsReader(header: header, registries: registries, regions: .apple)
    let outcomes = read(&reader)
    let (statement, problem) = try reader.finish(fileIndex: 3)
    if let problem { throw problem }
    return (outcomes, statement)
  }

  /// What becomes of the rows of payments that may not make sense as a whole.
  func paymentsOutcomes() -> [RowOutcome<PaymentsRow>] {
    guard let header else { return [] }
    var reader = PaymentsReader(header: header, registries: Registries(), regions: .apple)
    return read(&reader)
  }

  private func read(_ reader: inout PaymentsReader) -> [RowOutcome<PaymentsRow>] {
    var outcomes: [RowOutcome<PaymentsRow>] = []
    for (line, place) in zip(lines, places) {
      if let outcome = reader.read(line.span, place) { outcomes.append(outcome) }
    }
    return outcomes
  }

  /// The report begins with no header that a reader could be made for.
  struct NoHeader: Error {}

  /// The place of each line.
  private var places: [Line] {
    var byteOffset = 0
    return lines.enumerated().map { index, line in
      defer { byteOffset += line.count + 1 }
      return Line(number: index + 1, byteOffset: byteOffset)
    }
  }
}

extension RowOutcome {
  var used: Row? {
    guard case .row(let row) = self else { return nil }
    return row
  }

  var reject: Reject? {
    guard case .rejected(let reject) = self else { return nil }
    return reject
  }

  var ignored: IgnoredReason? {
    guard case .ignored(let reason) = self else { return nil }
    return reason
  }
}

/// A row whose cells are set by the names of their columns.
struct TestRow {
  var cells: [String: String]

  init(_ cells: [String: String]) { self.cells = cells }

  func with(_ changes: [String: String]) -> TestRow {
    TestRow(cells.merging(changes) { $1 })
  }

  func values(_ columns: [String]) -> [String] { columns.map { cells[$0] ?? "" } }
}
