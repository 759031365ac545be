import AppStoreReports
package import Files
import Pipeline
import Receipts
import Scanning
import SubscriptionModel
package import Tables

/// Recognizes files without counting subscriptions: the `inspect` command.
package enum Inspection {
  /// Inspects files and folders: one row per file, and a diagnostic for each that could not be read.
  package static func look(at inputs: [String]) -> (table: ReportTable, diagnostics: [Diagnostic]) {
    let (files, inputErrors, _) = InputListing.list(inputs)
    var diagnostics = inputErrors.map {
      Diagnostic(
        path: $0.path, text: "\($0.path): error: \($0.message) [\($0.code)]", reason: .unusableInput
      )
    }
    var recognizer = FileRecognizer()
    let rows = files.map { file -> [ReportTable.Cell] in
      var recognized = recognizer.recognize(file)
      var problem = recognized.problem
      var rowCount: Int?
      var kind = recognized.kind.rawValue
      var period = recognized.period
      switch recognized.isReceiptDump
        ? countReceipts(of: &recognized, &kind) : countRows(of: recognized, &period)
      {
      case .success(let count): rowCount = problem == nil ? count : nil
      case .failure(let found): problem = found.isCorruption ? found : problem ?? found
      }
      if problem == nil, let foreign = recognized.foreignKind, recognized.isErrorIfUnrecognized {
        problem = FileProblem(HeaderError.unrecognized(foreign))
      }
      if let problem {
        diagnostics.append(Diagnostic(problem, of: file))
      }
      return row(recognized, kind: kind, period: period, rowCount: rowCount, problem: problem)
    }
    return (ReportTable(name: "inspect", dimensions: [], columns: columns, rows: rows), diagnostics)
  }

  private static let columns: [ReportTable.Column] = [
    .init("path", .text), .init("kind", .text), .init("version", .text), .init("period", .text),
    .init("vendor", .text), .init("rows", .count), .init("columns_missing", .text),
    .init("columns_new", .text), .init("note", .text),
  ]

  private static func row(
    _ recognized: RecognizedFile, kind: String, period: String, rowCount: Int?,
    problem: FileProblem?
  ) -> [ReportTable.Cell] {
    let missing = recognized.missingColumns + (recognized.header?.missingOptionalColumns ?? [])
    let new = recognized.header?.newColumns ?? []
    let note =
      switch recognized.kind {
      case .unknown: recognized.foreignKind?.remark ?? ""
      case .subscription where recognized.day == nil:
        recognized.name.hasTwoDates ? "two dates in its name" : "no date in its name"
      default: ""
      }
    return [
      .text(recognized.file.shownPath), .text(kind),
      .text(recognized.version), .text(period), .text(recognized.vendor),
      rowCount.map { .count($0) } ?? .missing, .text(missing.joined(separator: ", ")),
      .text(new.joined(separator: ", ")),
      .text(problem.map(\.message) ?? note),
    ]
  }

  /// Counts the rows of a dump of receipts, and determines its kind.
  private static func countReceipts(
    of recognized: inout RecognizedFile, _ kind: inout String
  ) -> Result<Int?, FileProblem> {
    var count = 0
    do throws(ScanError) {
      var reader = ReceiptReader(symbols: SharedSymbols())
      let found = try reader.read(
        path: recognized.file.path, file: 0, firstResponse: 0, restart: { count = 0 }
      ) { _ in count += 1 }
      kind = found?.rawValue ?? kind
      recognized.isReceiptDump = found != nil
    } catch {
      return .failure(FileProblem(error))
    }
    return .success(recognized.isReceiptDump ? count : nil)
  }

  /// Counts the rows of a file, reading all of it to find damage, and sets `period` to that of a finance file.
  private static func countRows(
    of recognized: RecognizedFile, _ period: inout String
  ) -> Result<Int?, FileProblem> {
    let header = recognized.kind == .unknown ? nil : recognized.header
    var count = 0
    var finance = FinanceFileReader(header, Registries(), .apple)
    do throws(ScanError) {
      var scanner = try LineScanner(path: recognized.file.path)
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
    if header?.kind.isFinance == true, let file = try? finance.finish(recognized, 0) {
      period = file.period.description
    }
    return .success(header == nil ? nil : count)
  }
}
