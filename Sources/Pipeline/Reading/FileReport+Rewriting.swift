import AppStoreReports
package import Scanning

/// Detects files that were changed since Apple made them: METRICS.md 2.11.
extension FileReport {
  /// The problem of a file that a spreadsheet has saved; `nil` for any other file.
  ///
  /// Its rewritten rows are rejected, but one message about the file replaces those about the rows.
  package var spreadsheetProblem: FileProblem? {
    guard rows.rewritten > 0, let first = rejects.first(where: \.isRewritten) else { return nil }
    let count = "\(rows.rewritten) row\(rows.rewritten == 1 ? "" : "s")"
    let (what, advice) =
      isReceiptDump
      ? (
        "this file was saved by a spreadsheet, or its ids were read as numbers: they are rewritten in \(count)",
        "export it again"
      )
      : (
        "a spreadsheet has saved this file and rewritten dates or ids in \(count)",
        "download it again"
      )
    return FileProblem(
      code: first.code.rawValue,
      message:
        "\(what), "
        + "the first in column \"\(first.column)\" (found \(first.shown(hiding: hiddenTexts, isQuoted: true)), "
        + "expected \(first.expected)); \(advice)",
      isCorruption: false, line: first.line, field: first.field == 0 ? nil : first.field)
  }

  /// The problem of a table of receipts that lacks columns, so that all its rows are rejected; `nil` for any other file.
  package var columnsProblem: FileProblem? {
    guard rows.lackingColumns > 0, let first = rejects.first(where: { $0.code == .missingColumn })
    else { return nil }
    return FileProblem(
      code: first.code.rawValue,
      message:
        "found \(first.shown(hiding: .addresses)), expected \(first.expected); add them to the export",
      isCorruption: false)
  }

  /// The problem of a file that replaces the messages about its rejected rows; `nil` without one.
  package var problemOfRows: FileProblem? {
    columnsProblem ?? (isReceiptDump ? lineEndsProblem : nil) ?? spreadsheetProblem
  }

  /// The problem of a dump that excludes all its rows; `nil` for any other file.
  var problemOfUnusedDump: FileProblem? {
    isReceiptDump && rows.used == 0 ? problemOfRows : nil
  }

  /// The problem of a report with several headers, or with rows that end in CR among others; `nil` for any other file.
  private var problemOfLines: FileProblem? {
    guard rows.refusing > 0, !isReceiptDump else { return nil }
    if let lineEndsProblem { return lineEndsProblem }
    let first = rejects.first { $0.code == .repeatedHeader }
    return FileProblem(headers: rows.refusing, firstLine: first?.line)
  }

  /// The problem of lines that end otherwise than those that are read; `nil` without one.
  private var lineEndsProblem: FileProblem? {
    rejects.first { $0.code == .lineEnds }.map { first in
      FileProblem(
        code: first.code.rawValue, message: first.text(hiding: hiddenTexts), isCorruption: false,
        line: first.line)
    }
  }

  /// Refuses a file of several reports, one with lines that end in CR among others, and one in which a spreadsheet has
  /// rewritten every row.
  ///
  /// Rows that a spreadsheet has not rewritten count; if there are none, the day counts as missing.
  ///
  /// - Parameter severalPeriods: Two periods of the rows of a SALES file, if it has several.
  mutating func refuseIfChanged(_ severalPeriods: [ReportPeriod]) {
    if let problemOfLines {
      refuse(problemOfLines)
    } else if let error = HeaderError(severalPeriods: severalPeriods) {
      refuse(FileProblem(error))
    } else if rows.used == 0, !isReceiptDump, let spreadsheetProblem {
      refuse(spreadsheetProblem)
    }
  }

  /// The number of rejected rows without a message of their own, because one about the file covers them.
  package var coveredRejects: Int {
    hasLineEnds ? rows.rejected : rows.rewritten + rows.refusing + rows.lackingColumns
  }

  /// Returns whether a message about the whole file covers a rejected row.
  package func covers(_ reject: Reject) -> Bool { hasLineEnds || reject.isCovered }

  /// Whether the file is refused because lines end in CR among others.
  private var hasLineEnds: Bool { problem?.code == Reject.Code.lineEnds.rawValue }
}

extension Reject {
  /// Whether a message about the whole file covers this row.
  fileprivate var isCovered: Bool {
    isRewritten || refusesFile || code == .missingColumn
  }

  /// Whether the whole file is refused, because the row is a header, or several rows.
  var refusesFile: Bool { code == .repeatedHeader || code == .lineEnds }
}
