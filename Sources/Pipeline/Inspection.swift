import AppStoreReports
public import Metrics
import Receipts
import Scanning
import SubscriptionModel

/// Recognizes files without counting subscriptions: the `inspect` command.
public enum Inspection {
  /// Inspects files and folders.
  ///
  /// - Parameter inputs: Files and folders; `-` is standard input.
  /// - Returns: One row per file, and the diagnostics of what could not be read.
  public static func look(at inputs: [String]) -> (table: ReportTable, diagnostics: [Diagnostic]) {
    let (files, inputErrors) = InputListing.list(inputs)
    var diagnostics = inputErrors.map {
      Diagnostic(text: "\($0.path): error: \($0.message) [\($0.code)]", reason: .unusableInput)
    }
    var scout = Scout()
    let rows = files.map { file -> [ReportTable.Cell] in
      var scouted = scout.look(at: file)
      var problem = scouted.problem
      var rowCount: Int?
      var kind = scouted.kind.rawValue
      var period = scouted.period
      switch scouted.isReceiptDump
        ? countRecords(of: &scouted, &kind) : countRows(of: scouted, &period)
      {
      case .success(let count): rowCount = problem == nil ? count : nil
      case .failure(let found): problem = found.isCorruption ? found : problem ?? found
      }
      if problem == nil, let foreign = scouted.foreignUnlessKnown, scouted.isExpectedToBeRead {
        problem = FileProblem(HeaderError.unrecognized(foreign))
      }
      if let problem {
        diagnostics.append(Diagnostic(problem, of: file))
      }
      return row(scouted, kind: kind, period: period, rowCount: rowCount, problem: problem)
    }
    return (ReportTable(name: "inspect", dimensions: [], columns: columns, rows: rows), diagnostics)
  }

  private static let columns: [ReportTable.Column] = [
    .init("path", .text), .init("kind", .text), .init("version", .text), .init("period", .text),
    .init("vendor", .text), .init("rows", .count), .init("columns_missing", .text),
    .init("columns_new", .text), .init("note", .text),
  ]

  private static func row(
    _ scouted: ScoutedFile, kind: String, period: String, rowCount: Int?, problem: FileProblem?
  ) -> [ReportTable.Cell] {
    let missing = scouted.missingColumns + (scouted.header?.missingOptionalColumns ?? [])
    let new = scouted.header?.newColumns ?? []
    let note =
      switch scouted.kind {
      case .unknown: scouted.foreignUnlessKnown?.remark ?? ""
      case .subscription where scouted.day == nil: "no date in its name"
      default: ""
      }
    return [
      .text(scouted.file.shownPath), .text(kind),
      .text(scouted.version), .text(period), .text(scouted.vendor),
      rowCount.map { .count($0) } ?? .missing, .text(missing.joined(separator: ", ")),
      .text(new.joined(separator: ", ")),
      .text(problem.map(\.message) ?? note),
    ]
  }

  /// Counts the records of a dump of receipts, and determines its kind.
  private static func countRecords(
    of scouted: inout ScoutedFile, _ kind: inout String
  ) -> Result<Int?, FileProblem> {
    var count = 0
    do throws(ScanError) {
      var reader = ReceiptReader(symbols: SharedSymbols())
      let found = try reader.read(
        path: scouted.file.path, file: 0, firstResponse: 0, restart: { count = 0 }
      ) { _ in count += 1 }
      kind = found?.rawValue ?? kind
      scouted.isReceiptDump = found != nil
    } catch {
      return .failure(FileProblem(error))
    }
    return .success(scouted.isReceiptDump ? count : nil)
  }

  /// Counts the rows of a file; reads it to its end in any case, to find damage.
  ///
  /// - Parameters:
  ///   - scouted: The file.
  ///   - period: Set to the fiscal period of a finance file that states one.
  /// - Returns: The number of rows; `nil` for a file that is no known report.
  private static func countRows(
    of scouted: ScoutedFile, _ period: inout String
  ) -> Result<Int?, FileProblem> {
    let header = scouted.kind == .unknown ? nil : scouted.header
    var count = 0
    var finance = FinanceFileReader(header, Registries(), .apple)
    do throws(ScanError) {
      var scanner = try LineScanner(path: scouted.file.path)
      try scanner.forEachLine { line, place in
        if let header, place.number > header.headerLine, header.isDataRow(line, place) {
          count += 1
        }
        finance.read(line, place)
        return .next
      }
    } catch {
      return .failure(FileProblem(error))
    }
    // A finance file states its period in its rows and preamble, and not only in its name.
    if header?.kind.isFinance == true, let file = try? finance.finish(scouted, 0) {
      period = file.period.description
    }
    return .success(header == nil ? nil : count)
  }
}
