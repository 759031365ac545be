package import AppStoreReports
package import Files
package import Receipts
package import Scanning
import Storage
package import SubscriptionModel

/// The result of reading one file: a row of health.csv and more.
package struct FileReport: Sendable {
  package let file: InputFile
  package let kind: ReportKind
  /// The kind of the receipts in a dump; `nil` when unknown.
  package internal(set) var receiptKind: ReceiptKind?
  /// Whether the reader began a dump again, such as line by line, after it had kept rows.
  package internal(set) var wasReadTwice = false
  /// The layout's version, such as `1_3`.
  package let version: String
  /// The days it covers, as health.csv prints them.
  package internal(set) var period: String
  /// The report date, if there is one.
  package let day: Day?
  /// The vendor number in its name or its folders; blank without one.
  package let vendor: String
  /// Whether the file lacks a line feed at its end, if that was found before; a step cannot open the file.
  private let wasExaminedInsideLine: Bool?
  /// Whether its rows count.
  package internal(set) var isUsed = false
  /// The SHA-256 of the stored bytes as hexadecimal digits; blank when they could not be read.
  package internal(set) var sha256 = ""
  /// The numbers of rows read, used, rejected and ignored.
  package internal(set) var rows = RowCounts()
  /// Whether a SUBSCRIBER report has blank lines below its header, so that a row's number does not give its line.
  var hasBlankLines = true
  /// The error that excludes the whole file.
  package internal(set) var problem: FileProblem?
  /// Whether the whole file is an error because it is not there or cannot be opened.
  package var cannotBeOpened: Bool { problem?.code == "cannot-open" }
  /// The file that is used instead of this one, and why.
  package var replacement: Replacement?
  /// Whether the whole file is ignored because its day is after as-of.
  package var isAfterAsOf = false
  /// Further remarks, such as the file that replaced it.
  package internal(set) var remarks: [String] = []
  /// Those of the remarks on values of receipts that are in no number.
  package internal(set) var losses: [String] = []
  /// Remarks on unknown event names.
  package var unknownEvents: [String] = []
  /// The rows of a SUBSCRIBER or SUBSCRIPTION_EVENT report by day.
  var eventDays: EventDays?
  /// The rows of months in which no file covers a day.
  var rowsOfMonthsWithoutFiles = 0
  /// The day, week, month or year in its name, if the report is of another one.
  package let otherPeriodInName: String?
  /// The days that its name is later than the report; `nil` for a name without a day.
  package let daysInNameLate: Int?
  /// The frequency of the SALES report that counts in `proceeds` in place of this daily one; `nil` for any other file.
  package let longerReport: Frequency?
  /// The rejected rows, in file order; at most `rejectLimit` of them.
  package internal(set) var rejects: [Reject] = []
  /// The sums that a financial report prints, compared with the sums of its rows.
  package internal(set) var trailers: [TrailerCheck] = []
  /// The apps of its rows, if the input has SUBSCRIBER reports of several vendors.
  var apps: [AppRows] = []
  /// The kind of a file that is neither a report nor a dump of receipts.
  package internal(set) var foreign: ForeignFile?
  /// Unknown columns of a SUBSCRIPTION report that look like counts, with their sums.
  package internal(set) var unknownCounts: [UnknownCount] = []
  /// Column names that no known version has.
  package let newColumns: [String]

  /// The file that is used instead of another one.
  package struct Replacement: Sendable {
    /// The file's index among the run's files.
    package var file: Int
    var reason: IgnoredReason
  }

  /// The kind of the file, as health.csv prints it.
  package var kindText: String { receiptKind?.rawValue ?? kind.rawValue }

  package internal(set) var isReceiptDump: Bool

  /// The length of a report's period.
  package let frequency: Frequency?

  /// Whether it is ignored because no table uses reports of its kind.
  var isOtherReport = false

  /// Returns whether the whole file is ignored for a reason, also a file without rows.
  package func isIgnored(_ reason: IgnoredReason) -> Bool { ignoredReason == reason }

  /// The reason for which the whole file is ignored whatever its rows are; `nil` for any other role.
  private let ignoredReason: IgnoredReason?

  /// Whether the same bytes were read from another file.
  package var isDuplicate: Bool { replacement?.reason == .duplicateFile }

  /// The largest number of rejected rows that are listed for a file; all are counted.
  package static let rejectLimit = 10_000

  init(_ recognized: RecognizedFile) {
    file = recognized.file
    kind = recognized.kind
    isReceiptDump = recognized.isReceiptDump
    version = recognized.version
    period = recognized.period
    day = recognized.day
    vendor = recognized.vendor
    frequency = recognized.frequency
    wasExaminedInsideLine = recognized.examined?.endsInsideLine
    problem = recognized.problem
    newColumns = recognized.header?.newColumns ?? []
    otherPeriodInName = recognized.otherPeriodInName
    daysInNameLate = recognized.name.date.flatMap { date in recognized.day.map { date - $0 } }
    longerReport = recognized.longerReport
    if case .ignore(let reason) = recognized.role {
      ignoredReason = reason
    } else {
      ignoredReason = nil
    }
    if let otherPeriodInName { remarks.append("name says \(otherPeriodInName)") }
    if let longerReport {
      remarks.append("not in proceeds: in a \(longerReport.rawValue) report")
    }
  }

  /// Whether the file is not gzip and lacks a line feed at its end, as after an interrupted download.
  var endsInsideLine: Bool { wasExaminedInsideLine ?? file.endsInsideLine }

  /// The line of the last record of a dump that ends inside it, as after an interrupted copy; `nil` for a whole dump.
  package var lineOfCut: Int? {
    guard isReceiptDump, let last = rejects.last, isCut(last) else { return nil }
    return last.line
  }

  /// Returns whether a rejected row is the last record of a dump that ends inside it.
  package func isCut(_ reject: Reject) -> Bool {
    isReceiptDump && reject.code == .truncatedRecord && reject.line >= rows.read
  }

  /// Counts a rejected row and lists it.
  mutating func note(_ reject: Reject) {
    rows.reject(reject)
    if rejects.count < Self.rejectLimit { rejects.append(reject) }
  }

  /// Ignores the whole file because of a problem; its rejected rows stay listed.
  mutating func refuse(_ problem: FileProblem) {
    self.problem = problem
    rows.ignore(rows.used, .unusableFile)
    isUsed = false
  }

  /// Reports the kind of an unrecognized file: an error if it should be a report, otherwise a remark.
  mutating func reportUnrecognized(_ recognized: RecognizedFile) {
    var recognized = recognized
    recognized.isReceiptDump = isReceiptDump
    guard let found = recognized.foreignKind else {
      remarks.append(ForeignFile.other.remark)
      return
    }
    foreign = found
    if recognized.isErrorIfUnrecognized {
      problem = FileProblem(HeaderError.unrecognized(found))
    } else {
      remarks.append(found.remark)
    }
  }

  /// The text of the `note` column: why rows are ignored, remarks and errors, such as `reason: n; remark`, sorted by
  /// bytes.
  package var note: String {
    var notes = rows.ignored.map { "\($0.key.rawValue): \($0.value)" } + remarks + unknownEvents
    // A file without rows has none that this reason could count.
    if isIgnored(.twoDates), rows.ignored[.twoDates] == nil {
      notes.append(IgnoredReason.twoDates.rawValue)
    }
    if let problem = problem ?? problemOfUnusedDump {
      notes.append("error: \(problem.message) [\(problem.code)]")
    }
    if rowsOfMonthsWithoutFiles > 0 {
      notes.append("rows of a month without files: \(rowsOfMonthsWithoutFiles)")
    }
    if rows.rejected > rejects.count { notes.append("rejects listed: \(rejects.count)") }
    notes += unknownCounts.map { "unknown count \"\($0.column)\": \($0.sum)" }
    if !newColumns.isEmpty { notes.append("new columns: \(newColumns.joined(separator: ", "))") }
    return notes.sorted { $0.precedes($1) }.joined(separator: "; ")
  }
}

/// What messages and tables show of a rejected row.
extension FileReport {
  /// Returns the text found in a row, or only its length if it may identify a person.
  package func found(_ reject: Reject) -> String { reject.shown(hiding: hiddenTexts) }

  /// Returns the message about a rejected row, without text that may identify a person.
  ///
  /// It says what to do about a dump that is cut off.
  package func message(_ reject: Reject) -> String {
    let advice = isCut(reject) ? "; the dump is cut off here: copy or take it again" : ""
    return "\(reject.text(hiding: hiddenTexts))\(advice) [\(reject.code.rawValue)]"
  }

  /// Returns a copy of a reject without the text that ``found(_:)`` hides.
  package func withoutPersonalText(_ reject: Reject) -> Reject {
    reject.withoutPersonalText(hiding: hiddenTexts)
  }

  var hiddenTexts: Reject.Hidden {
    isReceiptDump ? .tokens : kind == .subscriber ? .numbers : .addresses
  }
}

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

  /// Refuses a file of several reports, one with lines that end in CR among others, and one in which a spreadsheet
  /// has rewritten every row.
  ///
  /// Rows that a spreadsheet has not rewritten count; if there are none, the day counts as missing. `severalPeriods`
  /// are two periods of the rows of a SALES file, if it has several.
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
