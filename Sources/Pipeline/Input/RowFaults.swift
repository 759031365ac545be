import AppStoreReports
import Crypto
package import Files
import Scanning
package import SubscriptionModel

/// Looks for faults in the rows of files for the same report.
///
/// A file with faults never replaces one without: METRICS.md section 7, "Conflicts".
enum RowFaults {
  /// Returns the files to replace by an older version without faults, each with its problem.
  ///
  /// `isDamaged` returns whether the file at an index has a rejected row or ends inside a line.
  static func damagedVersions(
    _ files: [RecognizedFile], isDamaged: (Int) -> Bool
  ) -> [(index: Int, problem: FileProblem)] {
    var older: [Int: [Int]] = [:]
    for (index, file) in files.enumerated() {
      if case .ignoreFor(let newest, .restated) = file.role {
        older[newest, default: []].append(index)
      }
    }
    var damaged: [(index: Int, problem: FileProblem)] = []
    let order = DownloadOrder(older.isEmpty ? [] : files.map(\.file))
    for (index, versions) in older.sorted(by: { $0.key < $1.key }) where isDamaged(index) {
      // The newest version without faults counts; all later versions are refused.
      let versions = order.sorted(versions, by: { files[$0].file })
      guard let good = versions.lastIndex(where: { !files[$0].hasFaults }) else { continue }
      let path = files[versions[good]].file.relativePath
      let problem = FileProblem(FinanceError.damagedCopy(of: path))
      damaged += ([index] + versions[good...].dropFirst()).map { ($0, problem) }
    }
    return damaged
  }

  /// Calls a closure with each rejected row of a report, which returns whether to go on; counts the other rows by
  /// day.
  ///
  /// The readers are prepared for the header. Returns the number of rows that were read, rejected or not.
  @discardableResult
  fileprivate static func forEachReject(
    _ file: RecognizedFile, _ header: ReportHeader, _ readers: inout RowReaders,
    _ days: inout EventDays.Counter, _ body: (Span<UInt8>, Line) -> ScanStep
  ) throws(ScanError) -> Int {
    readers.beginFile(file.nearbyDays)
    var scanner = try LineScanner(path: file.file.path)
    var count = 0
    try scanner.forEachLine { line, place in
      guard place.number > header.headerLine, header.isDataRow(line, place) else { return .next }
      count += 1
      return readers.rejects(line, place, header.kind, &days) ? body(line, place) : .next
    }
    return count
  }

  /// Returns the first day of a report's rejected rows, `nil` without one; the number of all rows; and its other rows by day.
  ///
  /// A row without a day that can be read counts whatever as-of is, so it has the first of all days.
  fileprivate static func firstReject(
    _ file: RecognizedFile, _ header: ReportHeader, _ readers: inout RowReaders
  ) throws(ScanError) -> (day: Day?, rowCount: Int, eventDays: EventDays?) {
    var first: Day?
    var columns = PeriodReader(header: header)
    var days = EventDays.Counter()
    let count = try forEachReject(file, header, &readers, &days) { line, place in
      let day = columns?.period(of: line, place)?.firstDay ?? ExaminedContent.anyDay
      first = min(first ?? day, day)
      return .next
    }
    return (first, count, days.days)
  }
}

/// The content of a file, as far as it decides between the files of one report.
///
/// A run reads it where there are several such files. Where each file is examined alone, it is found for all.
package struct ExaminedContent: Sendable {
  /// The SHA-256 of the text, or the problem that prevented reading it to its end.
  package var text: Result<[UInt8], FileProblem>
  /// The problem of a file that holds several reports with a header each.
  package var joinedReports: FileProblem?
  /// Whether the file is not gzip and lacks a line feed at its end.
  package var endsInsideLine: Bool
  /// The first day of rejected rows, of SALES of rows of all product types; `nil` without one.
  package var firstReject: Day?
  /// The same, of SALES only of rows about subscriptions.
  package var firstRejectOfSubscriptions: Day?
  /// The number of rows, as far as the file could be read.
  package var rowCount = 0
  /// The rows of a SUBSCRIBER or SUBSCRIPTION_EVENT report by day; `nil` without any, and for other kinds.
  package var eventDays: EventDays?
  /// The length of the text modulo 2^32, as the file states it; only of files that are no report: dumps of one length are
  /// compared.
  package var statedLength: UInt32?

  /// The day of a rejected row without one that can be read.
  static let anyDay = Day.first

  package init(
    text: Result<[UInt8], FileProblem>, joinedReports: FileProblem? = nil, endsInsideLine: Bool
  ) {
    self.text = text
    self.joinedReports = joinedReports
    self.endsInsideLine = endsInsideLine
  }

  /// Describes a file that an earlier run has read to its end, and that no other file of the run is compared with.
  ///
  /// The SHA-256 of its stored bytes takes the place of that of its text.
  package init(readBefore file: InputFile, _ sha256: String, _ extract: FileExtract) {
    self.init(text: .success(Array(sha256.utf8)), endsInsideLine: file.endsInsideLine)
    rowCount = extract.rows.read
    eventDays = extract.eventDays
    joinedReports = HeaderError(severalPeriods: extract.severalPeriods).map { FileProblem($0) }
    statedLength = FileRecognizer.textLength(of: file)
  }

  package init(_ file: RecognizedFile, _ readers: inout Readers) {
    self.init(reading: file, &readers)
    if file.kind == .unknown { statedLength = FileRecognizer.textLength(of: file.file) }
  }

  private init(reading file: RecognizedFile, _ readers: inout Readers) {
    if let header = file.header, let sound = readers.examine(file, header) {
      self = sound
      return
    }
    let text = FileRecognizer.hashText(of: file.file, file.header)
    self.init(text: text, endsInsideLine: file.file.endsInsideLine)
    guard let header = file.header else { return }
    if case .failure(let problem) = text {
      self.text = FileRecognizer.hashText(of: file.file)
      guard case .success = self.text else { return }
      joinedReports = problem
    }
    (firstReject, rowCount, eventDays) = readers.firstReject(file, header, ofAllTypes: true)
    firstRejectOfSubscriptions =
      header.kind == .sales && firstReject != nil
      ? readers.firstReject(file, header, ofAllTypes: false).day : firstReject
  }

  /// The readers with which one file after another is examined.
  package struct Readers: ~Copyable {
    private let registries = Registries()
    private var ofAllTypes = RowReaders()
    private var ofSubscriptions = RowReaders()

    package init() {}

    /// Examines a file without rejected rows in one pass; `nil` for any other file.
    fileprivate mutating func examine(
      _ file: RecognizedFile, _ header: ReportHeader
    ) -> ExaminedContent? {
      ofAllTypes.prepare(header, registries, readsAllTypes: true)
      ofAllTypes.beginFile(file.nearbyDays)
      var (hash, headers) = (SHA256(), RepeatedHeaders(header))
      var (count, isSound) = (0, true)
      var days = EventDays.Counter()
      do throws(ScanError) {
        var scanner = try LineScanner(path: file.file.path)
        try scanner.forEachLine(onTextBytes: { hash.update($0) }) { line, place in
          headers.feed(line, place)
          guard place.number > header.headerLine, header.isDataRow(line, place) else {
            return .next
          }
          count += 1
          isSound = isSound && !ofAllTypes.rejects(line, place, header.kind, &days)
          return isSound ? .next : .stop
        }
      } catch {
        return nil
      }
      guard isSound, headers.problem == nil, ofAllTypes.severalPeriods(header.kind).isEmpty else {
        return nil
      }
      var content = ExaminedContent(
        text: .success(Array(hash.finalize())), endsInsideLine: file.file.endsInsideLine)
      content.rowCount = count
      content.eventDays = days.days
      return content
    }

    fileprivate mutating func firstReject(
      _ file: RecognizedFile, _ header: ReportHeader, ofAllTypes isOfAll: Bool
    ) -> (day: Day?, rowCount: Int, eventDays: EventDays?) {
      do throws(ScanError) {
        guard isOfAll else {
          ofSubscriptions.prepare(header, registries, readsAllTypes: false)
          return try RowFaults.firstReject(file, header, &ofSubscriptions)
        }
        ofAllTypes.prepare(header, registries, readsAllTypes: true)
        return try RowFaults.firstReject(file, header, &ofAllTypes)
      } catch {
        return (ExaminedContent.anyDay, 0, nil)
      }
    }
  }
}

extension RecognizedFile {
  /// Returns the SHA-256 of the file's text, or the problem that prevented reading it to its end.
  ///
  /// With `ofOneReport` a file of several reports is a problem.
  func hashedText(ofOneReport: Bool = false) -> Result<[UInt8], FileProblem> {
    guard let examined else {
      return FileRecognizer.hashText(of: file, ofOneReport ? header : nil)
    }
    if ofOneReport, case .success = examined.text, let problem = examined.joinedReports {
      return .failure(problem)
    }
    return examined.text
  }

  /// Whether the file is not gzip and lacks a line feed at its end, as after an interrupted download.
  var endsInsideLine: Bool { examined?.endsInsideLine ?? file.endsInsideLine }

  /// Whether the report has a rejected row, or cannot be read to its end.
  fileprivate var hasFaults: Bool {
    guard let header, !endsInsideLine else { return true }
    if let examined {
      if case .failure = examined.text { return true }
      return examined.firstReject != nil
    }
    var isRejected = false
    var readers = RowReaders()
    readers.prepare(header, Registries(), readsAllTypes: true)
    var days = EventDays.Counter()
    do throws(ScanError) {
      try RowFaults.forEachReject(self, header, &readers, &days) { _, _ in
        isRejected = true
        return .stop
      }
    } catch {
      return true
    }
    return isRejected
  }
}

extension RowReaders {
  /// Returns whether the reader of its kind rejects a row; counts it by its Event Date if not.
  fileprivate mutating func rejects(
    _ line: Span<UInt8>, _ place: Line, _ kind: ReportKind, _ days: inout EventDays.Counter
  ) -> Bool {
    switch kind {
    case .subscriber:
      switch subscriber?.read(line, place, fileIndex: 0, row: 0) {
      case .rejected: return true
      case .row(let record): days.note(Day(number: record.day))
      case .ignored, nil: break
      }
    case .subscriptionEvent:
      switch event?.read(line, place) {
      case .rejected: return true
      case .row(let row): days.note(row.day)
      case .ignored, nil: break
      }
    case .subscription:
      if case .rejected = snapshot?.read(line, place) { return true }
    case .sales:
      if case .rejected = sales?.read(line, place) { return true }
    default: break
    }
    return false
  }
}

extension InputFile {
  /// Whether the file is not gzip and lacks a line feed at its end, as after an interrupted download.
  var endsInsideLine: Bool {
    guard let ends = FileEnds(of: path), !ends.isGzip, let last = ends.last.last else {
      return false
    }
    return last != 0x0A
  }
}

extension FileEnds {
  /// Whether the file begins as gzip does.
  var isGzip: Bool { first == [0x1F, 0x8B] }
}
