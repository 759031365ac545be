package import AppStoreReports
package import SubscriptionModel

/// Why a whole file is not used.
public struct FileProblem: Equatable, Sendable {
  /// A stable code, such as `missing-columns`.
  public var code: String
  /// What was found and what was expected.
  public var message: String
  /// Whether the stored bytes are damaged, rather than not understood.
  public var isCorruption: Bool
  /// The line that the message is about, from 1; `nil` for the whole file.
  public var line: Int? = nil
  /// The column that the message is about, from 1; `nil` for the whole line.
  public var field: Int? = nil
}

extension FileProblem {
  init(_ error: HeaderError) {
    self.init(code: error.code, message: error.message, isCorruption: false)
  }
}

/// What tells of a report's text which report it is: as long as the file stays the same, it need not be opened.
package struct ScoutedText: Hashable, Sendable {
  /// The header, the first line.
  package var headerLine: [UInt8] = []
  /// What most rows say, where the name does not tell day and frequency.
  package var period: ReportPeriod?

  package init(headerLine: [UInt8] = [], period: ReportPeriod? = nil) {
    self.headerLine = headerLine
    self.period = period
  }
}

/// What a file is, told from its name and its first lines.
package struct ScoutedFile: Sendable {
  /// What becomes of a file's rows.
  enum Role: Equatable, Sendable {
    case use
    /// Left aside, with the reason as health.csv prints it.
    case leave(reason: String)
    /// Left aside for another file, by its index: the same bytes, or the version that counts.
    case leaveFor(Int, reason: String)
  }

  package let file: InputFile
  package let name: ReportName
  var header: ReportHeader? = nil
  package var kind: ReportKind
  /// Whether it is no report but a dump of receipts.
  package var isReceiptDump = false
  /// Whether its rows count only after the reader has begun anew: the dump looks like one document first.
  var isReadTwice = false
  var problem: FileProblem? = nil
  /// The report date: the name's, else the most frequent day in the file.
  var day: Day? = nil
  package var frequency: Frequency? = nil
  /// The vendor number of the name; blank when the name has none.
  var vendor: String
  /// Whether it has no line, as files have that are kept empty on purpose.
  var isPlaceholder = false
  /// Whether the report has rows, but none with a date that can be read.
  var lacksReadableDates = false
  /// What it is when it is neither a report nor a dump of receipts.
  var foreign: ForeignFile? = nil
  /// The columns that every number depends on and that the header lacks.
  var missingColumns: [String] = []
  /// What told all this, beside the name; `nil` when more than that did.
  package var text: ScoutedText? = nil
  /// The SHA-256 of the text, found only where two files claim to be the same report.
  var textHash: [UInt8]? = nil
  var role = Role.use

  /// What it is when it is neither a report nor a dump of receipts; `nil` for those, and for nothing.
  var foreignUnlessKnown: ForeignFile? {
    guard kind == .unknown, !isReceiptDump, !isPlaceholder else { return nil }
    return foreign ?? Scout.foreignOrOther(file)
  }

  /// Whether it is an error that it is neither a report nor a dump of receipts.
  var isExpectedToBeRead: Bool { file.isNamed || name.isOfReport }

  /// Apple's version of the report: empty where there is none.
  var version: String { header?.version(inName: name.version) ?? "" }

  /// The source that the file's kind feeds.
  package var source: Source? { isReceiptDump ? .receipts : kind.source }

  /// The days that the file's rows may say; `nil` for any, where the name has no day.
  var nearbyDays: NearbyDays? { name.date.map { NearbyDays($0, frequency) } }

  /// The report's day or days, or its fiscal period, as health.csv prints them.
  var period: String {
    guard let day else { return "" }
    if kind.isFinance {
      let period = FiscalPeriod(containing: day)
      return period.lastDay == day ? period.description : ""
    }
    return switch frequency {
    case .monthly: day.month.description
    case .yearly: String(day.month.year)
    case .weekly: "\(day - 6)/\(day)"
    case .daily, nil: day.description
    }
  }
}

extension ScoutedFile {
  /// Whether the rows of the file count.
  package var isToBeUsed: Bool {
    role == .use && problem == nil && (header != nil || isReceiptDump)
      && (source != nil || kind.isFinance)
  }
}
