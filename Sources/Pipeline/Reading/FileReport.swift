public import AppStoreReports
public import Receipts
public import Scanning
public import SubscriptionModel

/// What a run found in one file: a row of health.csv and more.
public struct FileReport: Sendable {
  /// The file.
  public let file: InputFile
  /// What it is.
  public let kind: ReportKind
  /// What the records of a dump of receipts are; `nil` when nobody can tell.
  public internal(set) var receiptKind: ReceiptKind?
  /// Whether rows of a dump were kept before it was clear that they are none.
  var wasReadTwice = false
  /// The layout's version, such as `1_3`.
  public let version: String
  /// The days it is about, as health.csv prints them.
  public internal(set) var period: String
  /// The report date, where there is one.
  public let day: Day?
  /// The vendor number of its name, blank without one.
  public let vendor: String
  /// Whether its rows are in the numbers.
  public internal(set) var isUsed = false
  /// The SHA-256 of the bytes as stored, as hexadecimal digits; blank when they could not be read.
  public internal(set) var sha256 = ""
  /// What became of its rows.
  public internal(set) var rows = RowCounts()
  /// Why the whole file is not used, when that is an error.
  public internal(set) var problem: FileProblem?
  /// The file that is read instead of this one, and why.
  var replacement: Replacement?
  /// Whether the whole file is about a day after as-of and was left aside for that.
  var isAfterAsOf = false
  /// What else to know: which file replaced it, unknown event names.
  public internal(set) var remarks: [String] = []
  /// The rejected rows, in file order; at most `rejectLimit` of them.
  public internal(set) var rejects: [Reject] = []
  /// The sums that a financial report prints, and what its rows add up to.
  public internal(set) var trailers: [TrailerCheck] = []
  /// What the file is when it is neither a report nor a dump of receipts.
  public internal(set) var foreign: ForeignFile?
  /// Columns of a SUBSCRIPTION report that are not known and seem to be counts, with their sums.
  public internal(set) var unknownCounts: [UnknownCount] = []
  /// Column names that no version is known to have.
  public let newColumns: [String]

  /// A file that is read instead of another one.
  struct Replacement: Sendable {
    /// The file's index among the run's files.
    var file: Int
    /// The reason as health.csv prints it.
    var reason: String
  }

  /// What the file is, as health.csv prints it.
  public var kindText: String { receiptKind?.rawValue ?? kind.rawValue }

  /// Whether it is a dump of receipts.
  public internal(set) var isReceiptDump: Bool

  /// The length of the period, of a report.
  let frequency: Frequency?

  /// Whether it is left aside because no table uses reports of its kind.
  var isOtherReport = false

  /// Whether it is left aside for reports of shorter periods.
  var isOtherFrequency: Bool { rows.ignored[ReportResolution.otherFrequency] != nil }

  /// Whether the same bytes were read from another file.
  var isDuplicate: Bool { replacement?.reason == ReportResolution.duplicate }

  /// How many rejected rows of a file are kept to be listed; all are counted.
  public static let rejectLimit = 10_000

  init(_ scouted: ScoutedFile) {
    file = scouted.file
    kind = scouted.kind
    isReceiptDump = scouted.isReceiptDump
    version = scouted.version
    period = scouted.period
    day = scouted.day
    vendor = scouted.vendor
    frequency = scouted.frequency
    problem = scouted.problem
    newColumns = scouted.header?.newColumns ?? []
  }

  /// Counts a rejected row and lists it.
  mutating func note(_ reject: Reject) {
    rows.reject(reject)
    if rejects.count < Self.rejectLimit { rejects.append(reject) }
  }

  /// Leaves the whole file aside as one that cannot be used; its bad rows stay listed.
  mutating func refuse(_ problem: FileProblem) {
    self.problem = problem
    rows.ignore(rows.used, "unusable file")
    isUsed = false
  }

  /// Says what a file is of which nothing can be read: an error where a report was to be expected.
  mutating func leaveUnrecognized(_ scouted: ScoutedFile) {
    var scouted = scouted
    scouted.isReceiptDump = isReceiptDump
    guard let found = scouted.foreignUnlessKnown else {
      remarks.append(ForeignFile.other.remark)
      return
    }
    foreign = found
    if scouted.isExpectedToBeRead {
      problem = FileProblem(HeaderError.unrecognized(found))
    } else {
      remarks.append(found.remark)
    }
  }

  /// The reasons and remarks of the `note` column: `reason: n; remark`, sorted by bytes.
  public var note: String {
    var notes = rows.ignored.map { "\($0.key): \($0.value)" } + remarks
    if let problem { notes.append("error: \(problem.message) [\(problem.code)]") }
    if rows.rejected > rejects.count { notes.append("rejects listed: \(rejects.count)") }
    notes += unknownCounts.map { "unknown count \"\($0.column)\": \($0.sum)" }
    if !newColumns.isEmpty { notes.append("new columns: \(newColumns.joined(separator: ", "))") }
    return notes.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "; ")
  }
}
