public import Scanning

/// Reads receipt dumps of any shape, mixed in one file or not, gzip or not, in bounded memory.
///
/// A file is either one JSON value or lines (METRICS.md 3.15); a row is an element of the array, or a
/// line. Which of the two it is shows only at the end of the file, so the caller may have to discard rows:
/// see `restart`. One value reads any number of files; each worker has its own.
public struct ReceiptReader: ~Copyable {
  private let columns: ReceiptColumns?
  var records: RecordReader
  var tally = FileTally()
  /// The line being read, when it is not JSON.
  var line: [UInt8] = []

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - symbols: The symbols of the run.
  ///   - options: The user's options for reading dumps.
  public init(symbols: SharedSymbols, options: ReceiptOptions = ReceiptOptions()) {
    records = RecordReader(symbols, options)
    columns = options.columns
  }

  /// Returns whether a file looks like a receipt dump, judged by its first 64 KiB of text.
  ///
  /// It does if it begins with `{` or `[`, is an unencoded receipt, has a line that is JSON, a signed record
  /// or a raw receipt in base64, or is a table with a recognized header.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - columns: The columns of tables, as in ``ReceiptOptions/columns``.
  /// - Returns: Whether to try ``read(path:file:firstResponse:readsAhead:onStoredBytes:restart:_:)``.
  /// - Throws: ``ScanError``.
  public static func recognizes(
    path: String, columns: ReceiptColumns? = nil
  ) throws(ScanError) -> Bool {
    if case .unknown = try FileForm(path: path, columns: columns) { return false }
    return true
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which is opened more than once.
  ///   - file: The file's position among all files of the run.
  ///   - firstResponse: The number of the file's first response; the numbers go on from row to row.
  ///   - readsAhead: Whether another thread reads and inflates the file while this one reads rows.
  ///   - onStoredBytes: Called with each block of the file once, in order, for hashing and progress.
  ///   - restart: Called when the caller must discard all rows so far; row 1 follows, or the end.
  ///   - body: Called with each row in order; the row is valid until the call returns.
  /// - Returns: The common kind of all rows, or ``ReceiptKind/mixed``, also if no row could be parsed. Nil if
  ///   no row is recognized, so that there are no rows.
  /// - Throws: ``ScanError``; rows before the damage have been passed to `body` by then.
  public mutating func read(
    path: String, file: UInt32, firstResponse: UInt32, readsAhead: Bool = false,
    onStoredBytes: ((Span<UInt8>) -> Void)? = nil, restart: () -> Void,
    _ body: (borrowing ReceiptRow) -> Void
  ) throws(ScanError) -> ReceiptKind? {
    begin(file, firstResponse)
    switch try FileForm(path: path, columns: columns) {
    case .table(let table):
      let stream = try ByteStream(path: path, readsAhead: readsAhead, onStoredBytes: onStoredBytes)
      try readTable(table, stream, body)
      return .receiptCSV
    case .container: try readContainer(ByteStream(path: path, onStoredBytes: onStoredBytes), body)
    case .text, .unknown:
      var stream = try ByteStream(path: path, readsAhead: readsAhead, onStoredBytes: onStoredBytes)
      if try readText(stream, body) { break }
      restart()
      begin(file, firstResponse)
      stream = try ByteStream(path: path, readsAhead: readsAhead)
      _ = try readText(stream, asLines: true, body)
    }
    if tally.parsedCount == 0, tally.rowCount > 0 {
      let fault = tally.firstFault
      if let fault, tally.rowCount > 1 {
        restart()
        begin(file, firstResponse)
        records.beginRow(RecordReader.Place(line: fault.line, byteOffset: fault.byteOffset))
        records.rejectRow(fault)
        body(records.row)
      }
      return .mixed
    }
    if tally.kind == nil { restart() }
    return tally.kind
  }

  private mutating func begin(_ file: UInt32, _ firstResponse: UInt32) {
    records.begin(file: file, firstResponse: firstResponse)
    tally = FileTally()
  }

  /// Tallies the finished row and passes it to the caller.
  mutating func handOut(isParsed: Bool = true, _ body: (borrowing ReceiptRow) -> Void) {
    tally.add(records.row, isParsed: isParsed)
    body(records.row)
  }

  /// Reads a file that is one unencoded receipt.
  private mutating func readContainer(
    _ stream: consuming ByteStream, _ body: (borrowing ReceiptRow) -> Void
  ) throws(ScanError) {
    let limit = RecordDecoder.longestReceipt
    line.removeAll(keepingCapacity: true)
    try stream.read(into: &line, atMost: limit + 1)
    records.beginRow(RecordReader.Place())
    if line.count > limit {
      records.note(
        .recordTooLong, found: .words("a longer file"), expected: "a receipt of at most 16 MiB")
    } else {
      records.readContainer(line)
    }
    records.endRow()
    handOut(isParsed: records.row.isParsed, body)
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
    var cells = CSVScanner(stream)
    // Skip the header.
    _ = try cells.nextRow()
    while try cells.nextRow() {
      records.beginRow(RecordReader.Place(line: cells.line, byteOffset: cells.byteOffset))
      readRow(table, cells)
      records.endRow()
      handOut(body)
    }
  }

  private mutating func readRow(_ table: ReceiptTable, _ cells: borrowing CSVScanner) {
    if cells.isTruncated {
      records.note(
        .truncatedRecord, found: .words("the end of the file"),
        expected: "the quote that closes a field")
    } else if cells.isTooLong {
      records.note(
        .recordTooLong, found: .words("a longer row"), expected: "a row of at most 16 MiB")
    } else if cells.count != table.count {
      records.note(
        cells.count < table.count ? .tooFewFields : .tooManyFields, found: .fields(cells.count),
        expected: "\(table.count), as the header has")
    } else if firstInvalidUTF8(cells.text.span) != nil {
      records.note(
        .invalidUTF8, found: .words("a byte that is not UTF-8"), expected: "text in UTF-8")
    } else {
      return records.readRow(table, cells)
    }
    records.row.kind = .receiptCSV
  }
}

/// Counts the rows of one file, for what can only be decided at its end.
struct FileTally {
  /// The joined kind of all recognized rows.
  private(set) var kind: ReceiptKind?
  /// The number of rows.
  private(set) var rowCount = 0
  /// The number of rows that could be parsed, of any kind.
  private(set) var parsedCount = 0
  /// The reject of the first row that could not be parsed.
  private(set) var firstFault: Reject?

  /// Adds a row.
  mutating func add(_ row: borrowing ReceiptRow, isParsed: Bool) {
    rowCount += 1
    if isParsed { parsedCount += 1 }
    if let kind = row.kind { self.kind = self.kind?.joined(with: kind) ?? kind }
    if !isParsed, firstFault == nil, case .rejected(let reject) = row.outcome {
      firstFault = reject
    }
  }
}
