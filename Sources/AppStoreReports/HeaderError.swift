import Scanning

/// Why the header of a file cannot be used.
package enum HeaderError: Error, Equatable, Sendable {
  /// The file has no lines, or only blank lines.
  case empty
  /// A report lacks required columns; the texts are Apple's newest names for them.
  case missingColumns(ReportKind, [String])
  /// A report has a column twice, so it is not clear which to read.
  case duplicateColumns(ReportKind, [String])
  /// The header of a report was changed by another program.
  case damagedHeader(looksLike: ReportKind, found: String, expected: String)
  /// The header is among lines that end in CR, after a line that does not.
  case lineEnds(ReportKind)
  /// The file contains an error answer from Apple in place of a report; `detail` is Apple's text.
  case appleError(detail: String)
  /// The rows have several days: daily reports were joined into one file, without their headers.
  case severalDays(Int)
  /// The rows of a SALES report have several periods, of which two are given.
  case severalReports(ReportPeriod, ReportPeriod)
  /// The rows of a SALES report have a period that no report of Apple has.
  case unknownPeriod(ReportPeriod)
  /// The file is neither a report nor a dump of receipts.
  case unrecognized(ForeignFile)

  /// Creates the error of a SALES report whose rows have several periods; `nil` for one.
  package init?(severalPeriods periods: [ReportPeriod]) {
    guard periods.count > 1 else { return nil }
    self = .severalReports(periods[0], periods[1])
  }

  /// The stable name of ``severalReports(_:_:)``.
  package static let severalReportsCode = "several-reports"

  /// The stable name of the error.
  package var code: String {
    switch self {
    case .empty: "empty-file"
    case .missingColumns: "missing-columns"
    case .duplicateColumns: "duplicate-columns"
    case .damagedHeader: "damaged-header"
    case .lineEnds: Reject.Code.lineEnds.rawValue
    case .appleError: "apple-error"
    case .severalDays: "several-days"
    case .severalReports: Self.severalReportsCode
    case .unknownPeriod: "unknown-period"
    case .unrecognized: "unrecognized-file"
    }
  }

  /// What was found and what was expected, in lower case and without a full stop.
  package var message: String {
    switch self {
    case .empty:
      "found no line, expected the header of a report"
    case .missingColumns(let kind, let names):
      "looks like a \(kind.displayName) report, but has no column \(Self.list(names))"
    case .duplicateColumns(let kind, let names):
      "looks like a \(kind.displayName) report, but has more than one column \(Self.list(names))"
    case .damagedHeader(let kind, let found, let expected):
      "looks like the damaged header of a \(kind.displayName) report: found \(found), "
        + "expected \(expected); download it again"
    case .lineEnds: Reject(lineEndsIn: Line(number: 1, byteOffset: 0)).text(hiding: .addresses)
    case .appleError(let detail):
      "holds an error answer from Apple instead of a report: \"\(detail)\""
    case .severalDays(let count): Self.joined("reports of \(count) days")
    case .severalReports(let one, let other):
      "has rows of \(one.text) and of \(other.text), but a report has rows of one day, week, month or year; "
        + "give subreport the files as Apple sends them, in a folder"
    case .unknownPeriod(let period):
      "has rows of \(period.text), which is no day, week, month or year; download it again"
    case .unrecognized(let file): file.message
    }
  }

  /// The kind of report that the file looks like.
  package var kind: ReportKind {
    switch self {
    case .empty, .severalDays, .unrecognized: .unknown
    case .severalReports, .unknownPeriod: .sales
    case .missingColumns(let kind, _), .duplicateColumns(let kind, _): kind
    case .damagedHeader(let kind, _, _), .lineEnds(let kind): kind
    case .appleError: .appleError
    }
  }

  /// Returns the message for a file that holds several reports.
  ///
  /// - Parameter reports: How many, such as `3 reports`.
  /// - Returns: The message.
  package static func joined(_ reports: String) -> String {
    "\(reports) were joined into this file, so their days cannot be distinguished; "
      + "give subreport the files as Apple sends them, in a folder"
  }

  private static func list(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}
