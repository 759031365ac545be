import AppStoreReports
import Scanning

/// Detects files that were changed since Apple made them: METRICS.md 2.11.
extension FileReport {
  /// The problem of a file that a spreadsheet has saved; `nil` for any other file.
  ///
  /// Its rewritten rows are rejected, but one message about the file replaces those about the rows.
  package var spreadsheetProblem: FileProblem? {
    guard rows.rewritten > 0, let first = rejects.first(where: \.isRewritten) else { return nil }
    return FileProblem(
      code: first.code.rawValue,
      message:
        "a spreadsheet has saved this file and rewritten dates or ids in \(rows.rewritten) row\(rows.rewritten == 1 ? "" : "s"), "
        + "the first in column \"\(first.column)\" (found \(first.shown(hiding: hiddenTexts, isQuoted: true)), "
        + "expected \(first.expected)); download it again",
      isCorruption: false, line: first.line, field: first.field)
  }

  /// The problem of a file that holds several reports; `nil` for any other file.
  var repeatedHeaderProblem: FileProblem? {
    guard rows.repeatedHeaders > 0 else { return nil }
    let first = rejects.first { $0.code == .repeatedHeader }
    return FileProblem(headers: rows.repeatedHeaders, firstLine: first?.line)
  }

  /// Refuses a file of several reports, and a file in which a spreadsheet has rewritten every row.
  ///
  /// Rows that a spreadsheet has not rewritten count; if there are none, the day counts as missing.
  ///
  /// - Parameter severalPeriods: Two periods of the rows of a SALES file, if it has several.
  mutating func refuseIfChanged(_ severalPeriods: [ReportPeriod]) {
    if let repeatedHeaderProblem {
      refuse(repeatedHeaderProblem)
    } else if let error = HeaderError(severalPeriods: severalPeriods) {
      refuse(FileProblem(error))
    } else if rows.used == 0, let spreadsheetProblem {
      refuse(spreadsheetProblem)
    }
  }

  /// The number of rejected rows without a message of their own, because one about the file covers them.
  package var coveredRejects: Int { rows.rewritten + rows.repeatedHeaders }
}

extension Reject {
  /// Whether a message about the whole file covers this row.
  package var isCovered: Bool { isRewritten || code == .repeatedHeader }
}
