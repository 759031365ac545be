package import Scanning

/// The format of a file, detected from its first block.
enum FileFormat {
  /// An unencoded receipt: the whole file is one PKCS#7 container, in DER or BER.
  case container
  /// JSON, or lines that are JSON, a JWS or a receipt in base64.
  ///
  /// Of a table with one column, whose lines they are, the first line is the column's name.
  case text(hasName: Bool)
  /// CSV with a recognized header.
  case table(ReceiptTable)
  /// No receipts found in the first block.
  case unknown

  /// The size of the first block in bytes.
  private static let blockSize = 1 << 16

  /// Detects the format of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - columns: The columns of tables from the config; nil without them.
  /// - Throws: ``ScanError``.
  init(path: String, columns: ReceiptColumns?) throws(ScanError) {
    let block = try Self.firstBlock(path)
    self.init(block.span, columns, isWhole: block.count < Self.blockSize)
  }

  private static func firstBlock(_ path: String) throws(ScanError) -> [UInt8] {
    var stream = try ByteStream(path: path)
    var block: [UInt8] = []
    try stream.read(into: &block, atMost: blockSize)
    return block
  }

  private init(_ block: Span<UInt8>, _ columns: ReceiptColumns?, isWhole: Bool) {
    let first = (0..<block.count).first { block[$0] > 0x20 }
    if Self.isSignedData(block) {
      self = .container
    } else if block.count > 1, block[0] == 0 || block[1] == 0 {
      // UTF-16.
      self = .unknown
    } else if let first, block[first] == 0x7B || block[first] == 0x5B {
      self = Self.mayBeJSON(block, from: first) ? .text(hasName: false) : .unknown
    } else if let table = Self.table(block, columns) {
      self = .table(table)
    } else if let column = Self.onlyColumn(block, isWhole: isWhole) {
      self = column
    } else {
      self = Self.hasReceipt(block, isWhole: isWhole) ? .text(hasName: false) : .unknown
    }
  }

  /// Returns whether text that begins with a brace or a bracket may be JSON.
  ///
  /// Its next byte is possible there, or a key and a colon come later. Config files and Markdown, such as `[plans]` and
  /// `[docs](url)`, have neither.
  private static func mayBeJSON(_ block: Span<UInt8>, from first: Int) -> Bool {
    let next = (first + 1..<block.count).first { block[$0] > 0x20 }
    guard let next else { return true }
    let possible: [UInt8] = block[first] == 0x7B ? [0x22, 0x7D] : [0x22, 0x5B, 0x5D, 0x7B]
    return possible.contains(block[next])
      || (next..<block.count - 1).contains { block[$0] == 0x22 && block[$0 + 1] == 0x3A }
  }

  /// Returns whether a block starts with a PKCS#7 container of signed data.
  ///
  /// The container is a sequence of long or indefinite length, whose first element is the object
  /// identifier of signed data. Certificate files, which may be in the same folder, start
  /// differently.
  private static func isSignedData(_ block: Span<UInt8>) -> Bool {
    guard block.count > 1, block[0] == 0x30, 0x80...0x84 ~= block[1] else { return false }
    let start = 2 + Int(block[1] & 0x7F)
    let identifier: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
    let end = start + identifier.count
    return end <= block.count && matches(block, start..<end, identifier)
  }

  /// Returns the table's columns, if the block's first row is a recognized header.
  private static func table(_ block: Span<UInt8>, _ columns: ReceiptColumns?) -> ReceiptTable? {
    firstRow(block).flatMap {
      ReceiptTable(header: $0.cells, separator: $0.separator, columns: columns)
    }
  }

  /// Returns the cells of a block's first row, and the byte between them; `nil` without one.
  ///
  /// It is a semicolon only in a row without a comma, and a tab only in a row without either.
  private static func firstRow(_ block: Span<UInt8>) -> (cells: [String], separator: UInt8)? {
    for separator in [UInt8(ascii: ","), UInt8(ascii: ";")] {
      guard let row = firstRow(block, separator: separator) else { return nil }
      if row.cells.count > 1 { return row }
    }
    return firstRow(block, separator: UInt8(ascii: "\t"))
  }

  private static func firstRow(
    _ block: Span<UInt8>, separator: UInt8
  ) -> (cells: [String], separator: UInt8)? {
    var row = CSVScanner(ByteStream(block), separator: separator)
    guard (try? row.nextRow()) == true else { return nil }
    let cells = (0..<row.count).map { index in
      String(decoding: row.text[trimmed(row.text.span, row[index])], as: UTF8.self)
    }
    return (cells, separator)
  }

  /// The longest name of a column with receipts, in bytes.
  private static let longestName = 64

  /// Returns the format of a table with one column of receipts, whatever its name; `nil` for any other file.
  ///
  /// As cells in quotes they may hold commas, quotes and line ends.
  private static func onlyColumn(_ block: Span<UInt8>, isWhole: Bool) -> FileFormat? {
    var rows = CSVScanner(ByteStream(block))
    guard (try? rows.nextRow()) == true, rows.count == 1 else { return nil }
    let name = trimmed(rows.text.span, rows[0])
    guard let first = name.first, name.count <= longestName,
      ScalarText.lowered(rows.text[first]) &- UInt8(ascii: "a") < 26,
      EncodedText.hasOnly(rows.text.span, name, and: "_-. $"),
      EncodedText(rows.text.span, name) == nil
    else { return nil }
    let text = String(decoding: rows.text[name], as: UTF8.self)
    guard (try? rows.nextRow()) == true, rows.byteOffset < block.count else { return nil }
    let rest = block.extracting(rows.byteOffset..<block.count)
    guard rest[0] == UInt8(ascii: "\"") else {
      return hasReceipt(rest, isWhole: isWhole) ? .text(hasName: true) : nil
    }
    let cell = trimmed(rows.text.span, rows[0])
    let isJSON = cell.first.map { [0x7B, 0x5B].contains(rows.text[$0]) } ?? false
    return isJSON || EncodedText(rows.text.span, cell) != nil
      ? .table(ReceiptTable(onlyColumn: text)) : nil
  }

  /// Returns whether a line of a block is JSON, a JWS or a raw receipt.
  private static func hasReceipt(_ block: Span<UInt8>, isWhole: Bool) -> Bool {
    var start = 0
    while start < block.count {
      var end = start
      while end < block.count, block[end] != 0x0A, block[end] != 0x0D { end += 1 }
      let line = trimmed(block, start..<end)
      let isCut = end == block.count && !isWhole
      if EncodedText(block, line) != nil || isJSON(block, line, isCut: isCut) { return true }
      start = end + 1
    }
    return false
  }

  private static func isJSON(_ block: Span<UInt8>, _ line: Range<Int>, isCut: Bool) -> Bool {
    guard let first = line.first.map({ block[$0] }) else { return false }
    let isText = first == UInt8(ascii: "\"")
    guard first == 0x7B || first == 0x5B || isText else { return false }
    let isQuoted = isText && line.count > 2
    if isQuoted, EncodedText(block, line.dropFirst().dropLast()) != nil { return true }
    var scanner = JSONScanner(ByteStream(block.extracting(line)), allowsControlCharacters: true)
    do throws(JSONReadError) {
      guard try scanner.nextValue() else { return false }
      // Any quoted word is JSON; only text that holds an object or an array is a record.
      if isText, try !scanner.mayHoldJSON() { return false }
      try scanner.skipValue()
      return try !scanner.nextValue()
    } catch {
      guard isCut, case .text(let fault) = error else { return false }
      return fault.code == .truncated
    }
  }
}

/// Signs in the first block of a file that it is a dump, found before the columns of tables are known.
///
/// So a scout needs no `[receipts.columns]`: it writes the first row of a possible table, and the
/// plan decides.
package struct DumpSigns: Equatable, Sendable {
  /// Whether the file is a dump, whatever the columns are.
  package var isDump = false
  /// The names in the first row of a file that may be a table; else none.
  package var header: [String] = []

  package init() {}

  /// Looks at a file.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: ``ScanError``.
  package init(path: String) throws(ScanError) {
    (isDump, header) = try FileFormat.signs(path)
  }

  /// Returns whether the file looks like a dump, as ``ReceiptReader/recognizes(path:columns:)`` does.
  ///
  /// - Parameter columns: The columns of tables, as in ``ReceiptOptions/columns``.
  /// - Returns: Whether it does.
  package func isDump(_ columns: ReceiptColumns?) -> Bool {
    isDump || ReceiptTable(header: header, columns: columns) != nil
  }
}

extension FileFormat {
  fileprivate static func signs(
    _ path: String
  ) throws(ScanError) -> (isDump: Bool, header: [String]) {
    let block = try firstBlock(path)
    let isWhole = block.count < blockSize
    switch FileFormat(block.span, nil, isWhole: isWhole) {
    case .container, .text: return (true, [])
    case .table(let table):
      guard table.mapping.signs.isEmpty, table.count > 1 else { return (true, []) }
      return (hasReceipt(block.span, isWhole: isWhole), firstRow(block.span)?.cells ?? [])
    case .unknown:
      // A table of receipts has several columns.
      let header = firstRow(block.span)?.cells ?? []
      return (false, header.count > 1 ? header : [])
    }
  }
}
