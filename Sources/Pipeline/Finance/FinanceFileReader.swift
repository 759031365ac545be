package import AppStoreReports
import Crypto
import Files
package import Scanning
package import SubscriptionModel
import Tables

/// The content of one finance file; which of several files counts is decided after all are read.
package struct FinanceFile: Sendable {
  /// The settled rows or the payments of the file.
  package enum Content: Sendable {
    case statement(FinanceStatement)
    case payments(PaymentsStatement)
  }

  package var content: Content
  /// The sums that the file prints.
  package let trailers: [TrailerCheck]
  /// The reason to refuse the file.
  package let problem: FinanceError?
  /// The SHA-256 of the text without line ends: files with the same hash are the same file.
  package let textHash: [UInt8]

  package init(
    content: Content, trailers: [TrailerCheck], problem: FinanceError?, textHash: [UInt8]
  ) {
    self.content = content
    self.trailers = trailers
    self.problem = problem
    self.textHash = textHash
  }

  /// The file's place in the order of all files of the run.
  var fileIndex: Int {
    switch content {
    case .statement(let statement): statement.fileIndex
    case .payments(let payments): payments.fileIndex
    }
  }

  package var period: FiscalPeriod {
    switch content {
    case .statement(let statement): statement.period
    case .payments(let payments): payments.period
    }
  }
}

/// Reads one finance file after another, each with a reader of its own.
package struct FinanceFileReader: ~Copyable {
  private var finance: FinanceReader?
  private var payments: PaymentsReader?
  private var textHash: [UInt8] = []

  package init() {}

  /// Creates the reader of a file; it reads nothing when the report is no finance file.
  package init(_ header: ReportHeader?, _ registries: Registries, _ regions: FinanceRegions) {
    guard let header, header.kind.isFinance else { return }
    if header.kind == .payments {
      payments = PaymentsReader(header: header, registries: registries, regions: regions)
    } else {
      finance = FinanceReader(header: header, registries: registries, regions: regions)
    }
  }

  /// Reads a line without counting its row.
  package mutating func read(_ line: Span<UInt8>, _ place: Line) {
    _ = finance?.read(line, place)
    _ = payments?.read(line, place)
  }

  /// Reads the file to its end, counts its rows, and returns the SHA-256 of the bytes as stored.
  ///
  /// `outcomes` receives what became of each row; `nil` unless that was asked for.
  mutating func read(
    _ file: RecognizedFile, _ progress: RunProgress, _ report: inout FileReport,
    _ outcomes: inout RowOutcomes?
  ) throws(ScanError) -> String {
    let storedHash = StoredHash(of: file.file.path, progress)
    var hash = SHA256()
    var scanner = try LineScanner(path: file.file.path)
    try scanner.forEachLine(
      onStoredBytes: { storedHash.update($0) }, onTextBytes: { hash.updateWithoutLineEnds($0) }
    ) { line, place in
      let before = outcomes == nil ? nil : report.rows
      if let outcome = finance?.read(line, place) { report.count(outcome) }
      if let outcome = payments?.read(line, place) { report.count(outcome) }
      if let before {
        outcomes?.note(line: place.number, before, report.rows, taking: &report.rejects)
      }
      return .next
    }
    textHash = Array(hash.finalize())
    return storedHash.hexadecimalDigits()
  }

  /// Returns the content of the file that was read, and resets the reader.
  package mutating func finish(
    _ file: RecognizedFile, _ index: Int
  ) throws(FinanceError) -> FinanceFile {
    if let reader = payments.take() {
      let (statement, problem) = try reader.finish(fileIndex: index)
      return FinanceFile(
        content: .payments(statement), trailers: [], problem: problem, textHash: textHash)
    }
    guard let reader = finance.take() else { preconditionFailure("a finance file has a header") }
    let sheet = try reader.finish(name: file.name, vendor: file.vendor, fileIndex: index)
    return FinanceFile(
      content: .statement(sheet.statement), trailers: sheet.checks, problem: sheet.problem,
      textHash: textHash)
  }
}

extension SHA256 {
  /// Adds a block of text, so that the endings of lines make no difference.
  fileprivate mutating func updateWithoutLineEnds(_ text: Span<UInt8>) {
    var rest: [UInt8] = []
    rest.reserveCapacity(text.count)
    for index in text.indices where text[index] != 0x0D && text[index] != 0x0A {
      rest.append(text[index])
    }
    update(rest.span)
  }
}

extension FileReport {
  /// Counts a row of a finance file; good rows count as used until the file turns out not to count.
  fileprivate mutating func count<Row>(_ outcome: RowOutcome<Row>) {
    rows.read += 1
    switch outcome {
    case .row: rows.used += 1
    case .ignored(let reason): rows.ignored[reason, default: 0] += 1
    case .rejected(let reject): note(reject)
    }
  }

  /// The file's sums as rows of `checks.csv`.
  package var trailerChecks: [Check] {
    trailers.map { trailer in
      Check(
        name: "trailer", scope: "\(file.relativePath) \(trailer.name)",
        expected: trailer.printed.map(\.cell) ?? .missing, found: trailer.sum.cell,
        state: trailer.state)
    }
  }
}

extension FileProblem {
  init(_ error: FinanceError) {
    self.init(
      code: error.code, message: error.message, isCorruption: error.isCorruption, line: error.line)
  }
}
