import AppStoreReports
import Crypto
package import Files
package import Receipts
package import Scanning

/// Recognizes files before their rows are read.
///
/// Reads only the first block of SALES and of a file with a date in its name. Reads another file to its end, because its
/// date is the most frequent day in it. Does not open a report that has not changed since an earlier run.
package struct FileRecognizer {
  package static let blockSize = 4 << 10

  private let memo: (any RunMemo)?
  /// The user's column names for tables of receipts, if given.
  private let columns: ReceiptColumns?
  /// The latest first line and its header, because most files of a folder have the same.
  private var last: (line: [UInt8], header: ReportHeader)?

  package init(_ memo: (any RunMemo)? = nil, _ columns: ReceiptColumns? = nil) {
    self.memo = memo
    self.columns = columns
  }

  package mutating func recognize(_ file: InputFile) -> RecognizedFile {
    let name = ReportName(file.name)
    var recognized = RecognizedFile(
      file: file, name: name, kind: .unknown,
      vendor: name.vendor ?? ReportName.vendor(ofFoldersOf: file.pathBelowInput) ?? "")
    recognized.day = name.date
    recognized.frequency = name.frequency
    if let text = memo?.text(of: file), let header = header(text.headerLine) {
      recognized.take(header, text.period)
      recognized.text = text
      return recognized
    }
    do {
      // Use small blocks: mostly only the header is read.
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
      try take(step, &recognized, &scanner)
    } catch {
      recognized.problem = FileProblem(error)
    }
    if recognized.kind == .unknown, recognized.problem == nil {
      do {
        recognized.isReceiptDump = try ReceiptReader.recognizes(path: file.path, columns: columns)
        // A dump is not the report of a day, whatever its name, so it is never replaced by a later version.
        if recognized.isReceiptDump {
          recognized.day = nil
        } else if recognized.foreign == nil, !recognized.isPlaceholder {
          recognized.foreign = try Self.foreign(file)
        }
      } catch {
        recognized.problem = FileProblem(error)
      }
    }
    return recognized
  }

  /// Sets the fields of a file from the recognized header, or from the error.
  private mutating func take(
    _ step: HeaderRecognizer.Step, _ recognized: inout RecognizedFile, _ scanner: inout LineScanner
  ) throws(ScanError) {
    switch step {
    case .recognized(let header):
      recognized.header = header
      recognized.kind = header.kind
      let period = try Self.period(of: &recognized, header, &scanner)
      recognized.take(header, period)
      if header.headerLine == 1, header.kind != .unknown, let last, recognized.file.isUnchanged,
        !recognized.lacksReadableDates, recognized.problem == nil
      {
        recognized.text = RecognizedText(headerLine: last.line, period: period)
      }
    case .failed(.empty)
    where !recognized.file.isNamed && recognized.name.date == nil && !recognized.name.isReportName:
      // An empty file such as `.gitkeep` is a placeholder; with a report's name it is a failed download, and with the
      // ending of one a file to name.
      recognized.isPlaceholder = !recognized.file.hasEndingOfReports
    case .failed(let error):
      recognized.kind = error.kind
      let foreign = try Self.foreign(recognized.file)
      // The bytes of a stored report are in an archive as they are.
      if foreign.isExport || foreign.isArchive || [.spreadsheet, .emptyZip].contains(foreign) {
        recognized.foreign = foreign
        recognized.kind = .unknown
        return
      }
      if case .damagedHeader = error, foreign == .utf16 {
        recognized.problem = FileProblem(HeaderError.unrecognized(foreign))
        return
      }
      if case .missingColumns(_, let names) = error { recognized.missingColumns = names }
      recognized.problem = FileProblem(error)
    case .more: break
    }
  }

  /// Returns the kind of a file that is neither a report nor a dump of receipts.
  static func foreign(_ file: InputFile) throws(ScanError) -> ForeignFile {
    var text = try ByteStream(path: file.path)
    var start: [UInt8] = []
    try text.read(into: &start, atMost: ForeignFile.neededBytes)
    let kind = ForeignFile(start)
    guard kind == .zip else { return kind }
    let search = try searched(file)
    return search.isFound ? .spreadsheet : search.hasFiles ? kind : .emptyZip
  }

  /// Looks for files in a zip archive whose members are not listed, as it is in another one or has none.
  private static func searched(_ file: InputFile) throws(ScanError) -> SpreadsheetSearch {
    var search = SpreadsheetSearch()
    var scanner = try LineScanner(path: file.path)
    try scanner.forEachLine(onTextBytes: { search.feed($0) }) { _, _ in
      search.isFound ? .stop : .next
    }
    search.finish()
    return search
  }

  /// Returns the kind of a file that looked like a dump, but had no receipts when it was read.
  static func foreignOrOther(_ file: InputFile) -> ForeignFile {
    do throws(ScanError) { return try foreign(file) } catch { return .other }
  }

  /// Returns the header for a first line kept from an earlier run.
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
      areEqual(last.line.span, 0, line, 0, count: line.count)
    {
      return .recognized(last.header)
    }
    let step = recognizer.feed(line, place)
    if isFirst, case .recognized(let header) = step {
      last = (line.indices.map { line[$0] }, header)
    }
    return step
  }

  /// Returns the report's period from its rows: of SALES, and of other reports without a day in the name.
  ///
  /// In SALES it is that of the first row; in other reports the most frequent of all rows.
  private static func period(
    of recognized: inout RecognizedFile, _ header: ReportHeader, _ scanner: inout LineScanner
  ) throws(ScanError) -> ReportPeriod? {
    let stopsAtFirstRow = header.kind == .sales
    guard recognized.day == nil || stopsAtFirstRow, var columns = PeriodReader(header: header)
    else { return nil }
    var counts: [ReportPeriod: Int] = [:]
    var hasRows = false
    var headers = RepeatedHeaders(header)
    try scanner.forEachLine { line, place in
      let found =
        stopsAtFirstRow ? columns.wholePeriod(of: line, place) : columns.period(of: line, place)
      // SALES rows with exchanged month and day will be rejected.
      guard let period = found, !stopsAtFirstRow || !period.isExchanged(recognized.name.date)
      else {
        if header.isDataRow(line, place) { hasRows = true }
        headers.feed(line, place)
        return .next
      }
      counts[period, default: 0] += 1
      return stopsAtFirstRow ? .stop : .next
    }
    if [.subscriber, .subscriptionEvent].contains(header.kind) {
      recognized.problem = headers.problem ?? severalDaysProblem(counts, hasDay: false)
    }
    recognized.lacksReadableDates = hasRows && counts.isEmpty
    return counts.mostFrequent
  }

  /// Returns a problem if the rows are those of several daily reports.
  private static func severalDaysProblem(
    _ counts: [ReportPeriod: Int], hasDay: Bool
  ) -> FileProblem? {
    guard counts.keys.allSatisfy({ $0.firstDay == $0.lastDay }),
      let days = EventDays(Dictionary(counts.map { ($0.lastDay, $1) }) { $0 + $1 })
    else { return nil }
    return FileProblem(days, hasDay: hasDay)
  }

  /// Returns the length of a file's text modulo 2^32; `nil` when it cannot be read.
  ///
  /// Taken from the trailer of the last gzip member, or from the size of a plain file.
  static func textLength(of file: InputFile) -> UInt32? {
    guard let ends = FileEnds(of: file.path) else { return nil }
    guard ends.isGzip else { return UInt32(truncatingIfNeeded: ends.byteCount) }
    guard ends.byteCount >= 18 else { return nil }
    return ends.last.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Returns the SHA-256 of a file's text, or the problem that prevented reading it to its end.
  ///
  /// With the header of a report, the file must hold only one report.
  static func hashText(
    of file: InputFile, _ header: ReportHeader? = nil
  ) -> Result<[UInt8], FileProblem> {
    var hash = SHA256()
    var headers = header.map(RepeatedHeaders.init)
    var periods = SalesPeriods(header, ReportName(file.name).date)
    let isOfOneDay = header.map { [.subscriber, .subscriptionEvent].contains($0.kind) } ?? false
    var columns = isOfOneDay ? header.flatMap(PeriodReader.init(header:)) : nil
    var days: [ReportPeriod: Int] = [:]
    do {
      var scanner = try LineScanner(path: file.path)
      try scanner.forEachLine(onTextBytes: { hash.update($0) }) { line, place in
        headers?.feed(line, place)
        periods?.feed(line, place)
        if let period = columns?.period(of: line, place) { days[period, default: 0] += 1 }
        return .next
      }
    } catch {
      return .failure(FileProblem(error))
    }
    if let problem = headers?.problem ?? periods?.problem ?? severalDaysProblem(days, hasDay: true)
    {
      return .failure(problem)
    }
    return .success(Array(hash.finalize()))
  }
}

extension RecognizedFile {
  /// Sets kind, frequency and day from the text: of SALES always, of other reports where the name lacks them.
  fileprivate mutating func take(_ header: ReportHeader, _ period: ReportPeriod?) {
    self.header = header
    kind = header.kind
    isEmptySales = kind == .sales && period == nil && !lacksReadableDates
    if kind == .sales, let period {
      (frequency, day) = (period.frequency, period.lastDay)
      if frequency == nil { problem = FileProblem(HeaderError.unknownPeriod(period)) }
      return
    }
    frequency = frequency ?? .daily
    day = day ?? period?.lastDay
  }
}

extension FileProblem {
  /// Creates the problem of a file with the rows of several daily reports; `nil` for those of one.
  init?(_ days: EventDays, hasDay: Bool) {
    guard days.areOfJoinedReports(hasDay: hasDay) else { return nil }
    self.init(HeaderError.severalDays(days.counts.count))
  }
}

extension FileProblem: Error {
  package init(_ error: ScanError) {
    self.init(code: error.code, message: error.message, isCorruption: error.isCorruption)
  }
}
