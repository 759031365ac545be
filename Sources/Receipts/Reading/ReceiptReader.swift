package import Scanning
package import SubscriptionModel

/// Reads receipt dumps in any format, even several formats in one file, gzip or not, in bounded
/// memory.
///
/// A file is either one JSON value or lines (METRICS.md 3.15); a row is an element of the array, or
/// a line. Only the end of the file shows which of the two it is, so the caller may have to discard
/// rows: see `restart`. A reader can read any number of files; each worker has its own.
package struct ReceiptReader: ~Copyable {
  private let columns: ReceiptColumns?
  /// Parses each row.
  var parser: RowParser
  /// The counts of the current file.
  var counts = FileCounts()
  /// The bytes being read, if they are not JSON.
  var line: [UInt8] = []
  /// The largest date so far in each list of ``ReceiptTable/dateColumns``.
  private var dates: [Instant?] = []

  /// When the file that was read last was made, if it is a snapshot: METRICS.md 3.7.
  ///
  /// `nil` for any other file, and for one without a date.
  package var snapshotDate: Instant? { dates.lazy.compactMap(\.self).first }
  /// The columns whose absence is to be noted, of the table that was read last.
  package private(set) var missingColumns: [String] = []

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - symbols: The symbols of the run.
  ///   - options: The user's options for reading dumps.
  package init(symbols: SharedSymbols, options: ReceiptOptions = ReceiptOptions()) {
    parser = RowParser(symbols, options)
    columns = options.columns
  }

  /// Returns whether the first 64 KiB of a file's text look like a receipt dump.
  ///
  /// True if the file begins with `{` or `[`, is an unencoded receipt, has a line that is JSON, a
  /// JWS or a raw receipt in base64, or is a table with a recognized header.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - columns: The columns of tables, as in ``ReceiptOptions/columns``.
  /// - Returns: Whether ``read(path:file:firstResponse:readsAhead:onStoredBytes:restart:_:)`` may
  ///   find rows.
  /// - Throws: ``ScanError``.
  package static func recognizes(
    path: String, columns: ReceiptColumns? = nil
  ) throws(ScanError) -> Bool {
    if case .unknown = try FileFormat(path: path, columns: columns) { return false }
    return true
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which is opened more than once.
  ///   - file: The file's index among all files of the run.
  ///   - firstResponse: The number of the file's first response; later responses get the next
  ///     numbers.
  ///   - readsAhead: Whether another thread reads and inflates the file while this one reads rows.
  ///   - onStoredBytes: Called with each block of the file once, in order, for hashing and progress.
  ///   - restart: Called when the caller must discard all rows so far; row 1 follows, or the end.
  ///   - body: Called with each row in order; the row is valid until the call returns.
  /// - Returns: The common kind of all rows; ``ReceiptKind/mixed`` if they differ or no row could
  ///   be parsed. Nil, after a `restart`, if there are no rows or none is recognized.
  /// - Throws: ``ScanError``, after the rows before the damage were passed to `body`.
  package mutating func read(
    path: String, file: UInt32, firstResponse: UInt32, readsAhead: Bool = false,
    onStoredBytes: ((Span<UInt8>) -> Void)? = nil, restart: () -> Void,
    _ body: (borrowing ReceiptRow) -> Void
  ) throws(ScanError) -> ReceiptKind? {
    begin(file, firstResponse)
    let format = try FileFormat(path: path, columns: columns)
    switch format {
    case .table(let table):
      let stream = try ByteStream(path: path, readsAhead: readsAhead, onStoredBytes: onStoredBytes)
      try readTable(table, stream, body)
      return .receiptCSV
    case .container: try readContainer(ByteStream(path: path, onStoredBytes: onStoredBytes), body)
    case .text, .unknown:
      var hasName = false
      if case .text(true) = format { hasName = true }
      var stream = try ByteStream(path: path, readsAhead: readsAhead, onStoredBytes: onStoredBytes)
      if try readText(stream, hasName: hasName, body) { break }
      restart()
      begin(file, firstResponse)
      stream = try ByteStream(path: path, readsAhead: readsAhead)
      _ = try readText(stream, asLines: true, body)
    }
    if counts.parsedCount == 0, counts.rowCount > 0 {
      let fault = counts.firstFault
      if let fault, counts.rowCount > 1 {
        restart()
        begin(file, firstResponse)
        parser.beginRow(RowParser.Place(line: fault.line, byteOffset: fault.byteOffset))
        parser.rejectRow(fault)
        body(parser.row)
      }
      return .mixed
    }
    if counts.kind == nil {
      // Receipts whose signatures do not count are receipts.
      if counts.hasUnverified { return .mixed }
      restart()
    }
    return counts.kind
  }

  private mutating func begin(_ file: UInt32, _ firstResponse: UInt32) {
    parser.begin(file: file, firstResponse: firstResponse)
    counts = FileCounts()
    dates = []
    missingColumns = []
  }

  /// Counts the finished row and passes it to the caller.
  mutating func finishRow(isParsed: Bool = true, _ body: (borrowing ReceiptRow) -> Void) {
    counts.add(parser.row, isParsed: isParsed)
    body(parser.row)
  }

  /// Reads a file that is one unencoded receipt.
  private mutating func readContainer(
    _ stream: consuming ByteStream, _ body: (borrowing ReceiptRow) -> Void
  ) throws(ScanError) {
    let limit = PayloadDecoder.longestReceipt
    line.removeAll(keepingCapacity: true)
    try stream.read(into: &line, atMost: limit + 1)
    parser.beginRow(RowParser.Place())
    if line.count > limit {
      parser.note(
        .recordTooLong, found: .words("a longer file"), expected: "a receipt of at most 16 MiB")
    } else {
      parser.readContainer(line)
    }
    parser.endRow()
    finishRow(isParsed: parser.row.isParsed, body)
    var scanner = JSONScanner(stream)
    do throws(JSONReadError) { try scanner.skipToEnd() } catch {
      if case .file(let error) = error { throw error }
    }
  }
}

// MARK: - Tables

extension ReceiptReader {
  /// Reads a file that is a table.
  private mutating func readTable(
    _ table: ReceiptTable, _ stream: consuming ByteStream, _ body: (borrowing ReceiptRow) -> Void
  ) throws(ScanError) {
    var cells = CSVScanner(stream, separator: table.separator)
    let isList = !table.isOtherFile && table.missing.isEmpty
    if isList {
      missingColumns = table.missingWanted
      dates = table.dateColumns.map { _ in nil }
    }
    if try cells.nextRow(), cells.isTruncated || hasValueInHeader(cells) {
      parser.beginRow(RowParser.Place(line: cells.line, byteOffset: cells.byteOffset))
      parser.note(
        .lineEnds, found: .words("a header that does not end before the first row"),
        expected: "a header on a line of its own, without an open quote")
      parser.row.kind = .receiptCSV
      parser.endRow()
      finishRow(body)
    }
    while try cells.nextRow() {
      parser.beginRow(RowParser.Place(line: cells.line, byteOffset: cells.byteOffset))
      parser.row.isOfSnapshot = isList && table.isSnapshot
      readRow(table, cells)
      parser.endRow()
      finishRow(body)
    }
  }

  /// Returns whether a header has the cell of a row: one with eight digits in a row, or a date.
  private func hasValueInHeader(_ cells: borrowing CSVScanner) -> Bool {
    (0..<cells.count).contains { index in
      let text = String(decoding: cells.text[cells[index]], as: UTF8.self)
      let numbers = text.split { !("0"..."9" ~= $0) }.map(\.utf8.count)
      return numbers.contains { $0 >= 8 } || numbers.starts(with: [4, 2, 2]) || text.contains("\n")
    }
  }

  private mutating func readRow(_ table: ReceiptTable, _ cells: borrowing CSVScanner) {
    if cells.isTruncated {
      parser.note(
        .truncatedRecord, found: .words("the end of the file"),
        expected: "the quote that closes a field")
    } else if cells.isTooLong {
      parser.note(
        .recordTooLong, found: .words("a longer row"), expected: "a row of at most 16 MiB")
    } else if cells.count != table.count {
      parser.note(
        cells.count < table.count ? .tooFewFields : .tooManyFields, found: .fields(cells.count),
        expected: "\(table.count), as the header has")
    } else if firstInvalidUTF8(cells.text.span) != nil {
      parser.note(
        .invalidUTF8, found: .words("a byte that is not UTF-8"), expected: "text in UTF-8")
    } else {
      addDates(table, cells)
      return parser.readRow(table, cells)
    }
    parser.row.kind = .receiptCSV
  }

  /// Adds the dates of a row, also of one that does not count, to those of the file.
  private mutating func addDates(_ table: ReceiptTable, _ cells: borrowing CSVScanner) {
    for list in dates.indices {
      for index in table.dateColumns[list] {
        var stated = StatedInstant()
        stated.add(cell: cells.text.span, trimmed(cells.text.span, cells[index]))
        if let date = stated.value { dates[list] = max(dates[list] ?? date, date) }
      }
    }
  }
}

/// The counts of one file's rows, which decide the file's kind at its end.
struct FileCounts {
  /// The joined kind of all recognized rows.
  private(set) var kind: ReceiptKind?
  /// The number of rows.
  private(set) var rowCount = 0
  /// The number of rows that could be parsed, of any kind.
  private(set) var parsedCount = 0
  /// Whether a row was rejected because of its signature.
  private(set) var hasUnverified = false
  /// The reject of the first row that could not be parsed.
  private(set) var firstFault: Reject?

  /// Adds a row.
  mutating func add(_ row: borrowing ReceiptRow, isParsed: Bool) {
    rowCount += 1
    if isParsed { parsedCount += 1 }
    if let kind = row.kind { self.kind = self.kind?.joined(with: kind) ?? kind }
    guard case .rejected(let reject) = row.outcome else { return }
    if reject.code == .notVerified { hasUnverified = true }
    if !isParsed, firstFault == nil { firstFault = reject }
  }
}
