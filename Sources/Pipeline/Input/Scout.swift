import AppStoreReports
import Crypto
import Glibc
import Receipts
import Scanning
import SubscriptionModel

/// Finds out what files are before their rows are read.
///
/// A file with a date in its name costs its first block; one without is read to its end, because its
/// date is the most frequent day in it. A report that has not changed since an earlier run is not opened.
struct Scout {
  private static let blockSize = 4 << 10
  /// Of how many days the rows of a file are at least that is no report of one day.
  private static let fewestJoinedDays = 8

  private let memo: (any RunMemo)?
  /// The columns of tables of receipts, when the user names them.
  private let columns: ReceiptColumns?
  /// The header met last: the files of a folder mostly have the same.
  private var last: (line: [UInt8], header: ReportHeader)?

  init(_ memo: (any RunMemo)? = nil, _ columns: ReceiptColumns? = nil) {
    self.memo = memo
    self.columns = columns
  }

  /// Looks at one file.
  mutating func look(at file: InputFile) -> ScoutedFile {
    let name = ReportName(file.name)
    var scouted = ScoutedFile(
      file: file, name: name, header: nil, kind: .unknown, problem: nil, day: name.date,
      frequency: name.frequency, vendor: name.vendor ?? "")
    if let text = memo?.text(of: file), let header = header(text.headerLine) {
      scouted.take(header, text.period)
      scouted.text = text
      return scouted
    }
    do {
      // Small blocks: mostly nothing but the header is looked at.
      var scanner = try LineScanner(
        path: file.path, storedBlockSize: Self.blockSize, textBlockSize: Self.blockSize)
      var recognizer = HeaderRecognizer()
      var step = HeaderRecognizer.Step.more
      try scanner.forEachLine { line, place in
        step = recognize(line, place, &recognizer)
        if case .more = step { return .next }
        return .stop
      }
      if case .more = step { step = recognizer.finish() }
      try take(step, &scouted, &scanner)
    } catch {
      scouted.problem = FileProblem(error)
    }
    if scouted.kind == .unknown, scouted.problem == nil {
      do {
        scouted.isReceiptDump = try ReceiptReader.recognizes(path: file.path, columns: columns)
        // A dump is no report of a day, whatever its name says: another one never replaces it.
        if scouted.isReceiptDump {
          scouted.day = nil
        } else if scouted.foreign == nil, !scouted.isPlaceholder {
          scouted.foreign = try Self.foreign(file)
        }
      } catch {
        scouted.problem = FileProblem(error)
      }
    }
    return scouted
  }

  /// Takes what the recognizer has found.
  private mutating func take(
    _ step: HeaderRecognizer.Step, _ scouted: inout ScoutedFile, _ scanner: inout LineScanner
  ) throws(ScanError) {
    switch step {
    case .recognized(let header):
      scouted.header = header
      scouted.kind = header.kind
      let period = try Self.period(of: &scouted, header, &scanner)
      scouted.take(header, period)
      if header.headerLine == 1, header.kind != .unknown, let last, scouted.file.isUnchanged,
        !scouted.lacksReadableDates, scouted.problem == nil
      {
        scouted.text = ScoutedText(headerLine: last.line, period: period)
      }
    case .failed(.empty)
    where !scouted.file.isNamed && scouted.name.date == nil && !scouted.name.isOfReport:
      // Kept empty on purpose, such as `.gitkeep`; with a report's name a failed download.
      scouted.isPlaceholder = true
    case .failed(let error):
      scouted.kind = error.kind
      let foreign = try Self.foreign(scouted.file)
      if foreign.isExport {
        scouted.foreign = foreign
        scouted.kind = .unknown
        return
      }
      if case .damagedHeader = error, foreign == .utf16 {
        scouted.problem = FileProblem(HeaderError.unrecognized(foreign))
        return
      }
      if case .missingColumns(_, let names) = error { scouted.missingColumns = names }
      scouted.problem = FileProblem(error)
    case .more: break
    }
  }

  /// Says what a file is that is neither a report nor a dump of receipts.
  static func foreign(_ file: InputFile) throws(ScanError) -> ForeignFile {
    var text = try ByteStream(path: file.path)
    var start: [UInt8] = []
    try text.read(into: &start, atMost: ForeignFile.neededBytes)
    return ForeignFile(start)
  }

  /// Says what a file is that looked like a dump of receipts until it was read.
  static func foreignOrOther(_ file: InputFile) -> ForeignFile {
    do throws(ScanError) { return try foreign(file) } catch { return .other }
  }

  /// Returns the header that a file's first line is known to be.
  private mutating func header(_ line: [UInt8]) -> ReportHeader? {
    var recognizer = HeaderRecognizer()
    let step = recognize(line.span, Line(number: 1, byteOffset: 0), &recognizer)
    if case .recognized(let header) = step { return header }
    return nil
  }

  private mutating func recognize(
    _ line: Span<UInt8>, _ place: Line, _ recognizer: inout HeaderRecognizer
  ) -> HeaderRecognizer.Step {
    let isFirst = place.number == 1
    if isFirst, let last, last.line.count == line.count,
      line.indices.allSatisfy({ last.line[$0] == line[$0] })
    {
      return .recognized(last.header)
    }
    let step = recognizer.feed(line, place)
    if isFirst, case .recognized(let header) = step {
      last = (line.indices.map { line[$0] }, header)
    }
    return step
  }

  /// Returns what most rows say of their days when the name does not tell the report's day, what the first says
  /// when it does not tell a SALES report's frequency.
  private static func period(
    of scouted: inout ScoutedFile, _ header: ReportHeader, _ scanner: inout LineScanner
  ) throws(ScanError) -> ReportPeriod? {
    let needsFrequency = header.kind == .sales && scouted.frequency == nil
    guard scouted.day == nil || needsFrequency, var columns = PeriodColumns(header: header) else {
      return nil
    }
    var counts: [ReportPeriod: Int] = [:]
    var hasRows = false
    var headers = RepeatedHeaders(header)
    let stopsAtFirstRow = scouted.day != nil
    try scanner.forEachLine { line, place in
      guard let period = columns.period(of: line, place) else {
        if header.isDataRow(line, place) { hasRows = true }
        headers.feed(line, place)
        return .next
      }
      counts[period, default: 0] += 1
      return stopsAtFirstRow ? .stop : .next
    }
    if !stopsAtFirstRow, [.subscriber, .subscriptionEvent, .sales].contains(header.kind) {
      scouted.problem = headers.problem ?? joining(counts)
    }
    scouted.lacksReadableDates = hasRows && counts.isEmpty
    return counts.max { ($0.value, $1.key.lastDay) < ($1.value, $0.key.lastDay) }?.key
  }

  /// Returns what is wrong with a file whose rows are of many days, none of them the day of half of the rows.
  ///
  /// It is several daily reports without their headers: as the report of one of these days it would take the
  /// place of Apple's.
  private static func joining(_ counts: [ReportPeriod: Int]) -> FileProblem? {
    guard counts.count >= fewestJoinedDays,
      counts.keys.allSatisfy({ $0.firstDay == $0.lastDay }),
      let most = counts.values.max(), most * 2 < counts.values.reduce(0, +)
    else { return nil }
    return FileProblem(HeaderError.severalDays(counts.count))
  }

  /// Returns the length of a file's text modulo 2^32: what the trailer of its last gzip member says, or
  /// its size.
  static func textLength(of file: InputFile) -> UInt32? {
    // Safe: the descriptor is closed below; the calls write at most four bytes.
    let descriptor = unsafe open(SystemPath.bytes(of: file.path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = [0, 0, 0, 0]
    guard unsafe pread(descriptor, &bytes, 2, 0) == 2, bytes[0] == 0x1F, bytes[1] == 0x8B else {
      return UInt32(truncatingIfNeeded: lseek(descriptor, 0, SEEK_END))
    }
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 18, unsafe pread(descriptor, &bytes, 4, size - 4) == 4 else { return nil }
    return bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Returns the SHA-256 of a file's text, or the problem met on the way.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - header: The header of a report of which there must be one in the file.
  /// - Returns: The hash, or the problem.
  static func hashText(
    of file: InputFile, _ header: ReportHeader? = nil
  ) -> Result<[UInt8], FileProblem> {
    var hash = SHA256()
    var headers = header.map(RepeatedHeaders.init)
    do {
      var scanner = try LineScanner(path: file.path)
      try scanner.forEachLine(onTextBytes: { hash.update($0) }) { line, place in
        headers?.feed(line, place)
        return .next
      }
    } catch {
      return .failure(FileProblem(error))
    }
    if let problem = headers?.problem { return .failure(problem) }
    return .success(Array(hash.finalize()))
  }
}

extension ScoutedFile {
  /// Takes what the text tells of the report, after what its name has told.
  fileprivate mutating func take(_ header: ReportHeader, _ period: ReportPeriod?) {
    self.header = header
    kind = header.kind
    frequency = frequency ?? (kind == .sales ? period?.frequency : nil) ?? .daily
    day = day ?? period?.lastDay
  }
}

extension FileProblem: Error {
  init(_ error: ScanError) {
    self.init(code: error.code, message: error.message, isCorruption: error.isCorruption)
  }
}
