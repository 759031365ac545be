package import AppStoreReports
package import Counting
package import Files
package import Scanning
package import SubscriptionModel

/// Why a whole file is not used.
package struct FileProblem: Equatable, Sendable {
  /// A stable code, such as `missing-columns`.
  package var code: String
  /// What was found and what was expected.
  package var message: String
  /// Whether the stored bytes are damaged; otherwise the content is not understood.
  package var isCorruption: Bool
  /// The line that the message is about, from 1; `nil` for the whole file.
  package var line: Int? = nil
  /// The column that the message is about, from 1; `nil` for the whole line.
  package var field: Int? = nil

  package init(
    code: String, message: String, isCorruption: Bool, line: Int? = nil, field: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.isCorruption = isCorruption
    self.line = line
    self.field = field
  }
}

extension FileProblem {
  package init(_ error: HeaderError) {
    self.init(code: error.code, message: error.message, isCorruption: false)
  }
}

/// The header and period of a report, kept between runs so that an unchanged file need not be opened.
package struct RecognizedText: Hashable, Sendable {
  package var headerLine: [UInt8] = []
  /// The period taken from the rows, when the name lacks day or frequency.
  package var period: ReportPeriod?

  package init(headerLine: [UInt8] = [], period: ReportPeriod? = nil) {
    self.headerLine = headerLine
    self.period = period
  }
}

/// A file as recognized from its name and its first lines.
package struct RecognizedFile: Sendable {
  /// Whether and why a file's rows count.
  package enum Role: Equatable, Sendable {
    case use
    case ignore(IgnoredReason)
    /// Ignored because another file counts, given its index: an identical file or a later version.
    case ignoreFor(Int, IgnoredReason)

    /// Whether the file has the bytes of another one, which counts.
    var isOfDuplicate: Bool {
      if case .ignoreFor(_, .duplicateFile) = self { true } else { false }
    }
  }

  /// The index of the file that is used instead of this one; `nil` for any other role.
  var replacement: Int? {
    if case .ignoreFor(let other, _) = role { other } else { nil }
  }

  package let file: InputFile
  package let name: ReportName
  package var header: ReportHeader? = nil
  package var kind: ReportKind
  package var isReceiptDump = false
  /// Whether the reader restarts on this dump: it begins like one JSON document, but is lines.
  package var isReadTwice = false
  package var problem: FileProblem? = nil
  /// The report date: of SALES from the rows; of others from the name, without the days of ``DownloadDays``, else the
  /// most frequent day in the file.
  package var day: Day? = nil
  package var frequency: Frequency? = nil
  /// The vendor number in the name, else in the nearest folder below the input; blank when neither has one.
  package var vendor: String
  /// Whether the file is empty on purpose, such as `.gitkeep`.
  package var isPlaceholder = false
  /// Whether the report has rows, but none with a date that can be read.
  package var lacksReadableDates = false
  /// Whether it is a SALES report with a header and no rows.
  package var isEmptySales = false
  /// The kind of a file that is neither a report nor a dump of receipts.
  package var foreign: ForeignFile? = nil
  /// Required columns that the header lacks.
  package var missingColumns: [String] = []
  /// The header and period, for later runs; `nil` if they are not enough to recognize the file.
  package var text: RecognizedText? = nil
  /// The SHA-256 of the text, computed only where two files may be the same report.
  var textHash: [UInt8]? = nil
  /// The number of rows and their most frequent Event Date; `nil` unless a run has read a SUBSCRIBER or SUBSCRIPTION_EVENT
  /// report with rows.
  package var eventDays: EventDays? = nil
  /// The frequency of the SALES report that counts in `proceeds` in place of this daily one; `nil` for any other file.
  package var longerReport: Frequency? = nil
  /// The content of a file that was examined before others were known; `nil` where it is read when needed.
  package var examined: ExaminedContent? = nil
  package var role = Role.use

  package init(file: InputFile, name: ReportName, kind: ReportKind, vendor: String) {
    self.file = file
    self.name = name
    self.kind = kind
    self.vendor = vendor
  }

  /// The kind of a file that is neither a report nor a dump of receipts; `nil` for those and for placeholders.
  package var foreignKind: ForeignFile? {
    guard kind == .unknown, !isReceiptDump, !isPlaceholder else { return nil }
    return foreign ?? FileRecognizer.foreignOrOther(file)
  }

  /// Whether an unrecognized file is an error: the user named it, or it has a report's name.
  package var isErrorIfUnrecognized: Bool { file.isNamed || name.isReportName }

  /// Apple's version of the report; blank when there is none.
  package var version: String { header?.version(inName: name.version) ?? "" }

  /// The source whose tables count the file.
  package var source: Source? { isReceiptDump ? .receipts : kind.source }

  /// The days that the file's rows may have; `nil` for any, when the name has no day.
  package var nearbyDays: AllowedDays? { name.date.map { AllowedDays($0, frequency) } }

  /// The days of a SALES report; `nil` for other kinds.
  var salesDays: ClosedRange<Day>? {
    guard kind == .sales, let day else { return nil }
    return (frequency ?? .daily).days(until: day)
  }

  /// The day, week, month or year in the name of a report that is of another one; `nil` if they agree.
  var otherPeriodInName: String? {
    guard let date = name.date, let day, frequency != nil,
      [.sales, .subscriber, .subscriptionEvent, .subscription].contains(kind)
    else { return nil }
    var named = self
    named.day = date
    named.frequency = name.frequency ?? .daily
    guard kind == .sales else { return date == day ? nil : date.description }
    // Clients of Apple's API name a week or a month after its first day too.
    let isOther =
      name.frequency == nil
      ? ![salesDays?.lowerBound, day].contains(date) : named.period != period
    return isOther ? named.period : nil
  }

  package func mayHaveRows(in period: ClosedRange<Day>) -> Bool {
    salesDays?.overlaps(period) ?? nearbyDays?.overlaps(period) ?? true
  }

  /// The report's day or days, or its fiscal period, as health.csv prints them.
  package var period: String {
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

extension RecognizedFile {
  /// What the rows of a SALES report count in.
  package var salesUse: SalesUse {
    if frequency != .daily { return .proceeds }
    return longerReport == nil ? .proceedsAndPrices : .prices
  }

  /// The feed of a snapshot, as a hash: the folder of its path, without the folders that digits and hyphens name.
  ///
  /// Daily deliveries are in folders, or in zip archives, named by their dates. METRICS.md 3.7. A report is no
  /// snapshot: 0.
  package var feed: UInt64 {
    guard isReceiptDump else { return 0 }
    let folders = file.folder.filter { name in
      let stem = name.hasSuffix(".zip") ? name.dropLast(4) : name
      return !stem.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- 0x30 <= 9 }
    }
    var hasher = ByteHasher()
    let text = Array(folders.joined(separator: "/").utf8)
    hasher.add(text.span, text.indices)
    return hasher.finished()
  }

  /// Whether the rows of the file count.
  package var isToBeUsed: Bool {
    role == .use && problem == nil && (header != nil || isReceiptDump)
      && (source != nil || kind.isFinance)
  }
}
