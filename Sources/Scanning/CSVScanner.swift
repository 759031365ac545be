/// Reads the rows of a CSV file (RFC 4180) from a stream, in constant memory.
///
/// Fields are separated by commas or another byte; a quoted field may contain separators, line feeds
/// and doubled quotes. Text after a closing quote belongs to the field. A row ends with LF, CRLF, CR or
/// the file.
/// Blank lines are skipped.
package struct CSVScanner: ~Copyable {
  /// The most bytes of a row that are kept.
  package static let longestRow = 1 << 24

  /// The concatenated fields of the row, without quotes.
  package private(set) var text: [UInt8] = []
  /// The number of the line on which the row begins, from 1.
  package private(set) var line = 1
  /// The offset in the (inflated) text of the row's first byte.
  package private(set) var byteOffset = 0
  /// Whether the row is longer than ``longestRow``, so that the rest of it was skipped.
  package private(set) var isTooLong = false
  /// Whether the file ends inside quotes.
  package private(set) var isTruncated = false

  private var input: ByteStream
  private let separator: UInt8
  private var ends: [Int] = []

  /// Creates a scanner.
  ///
  /// - Parameters:
  ///   - input: The text.
  ///   - separator: The byte between fields.
  package init(_ input: consuming ByteStream, separator: UInt8 = UInt8(ascii: ",")) {
    self.input = input
    self.separator = separator
  }

  /// The number of fields of the row.
  package var count: Int { ends.count }

  /// Returns the range in ``text`` of a field of the row, from 0; empty for a field beyond the
  /// last.
  package subscript(field: Int) -> Range<Int> {
    guard field < ends.count else { return text.count..<text.count }
    return (field == 0 ? 0 : ends[field - 1])..<ends[field]
  }

  /// The fields of the row as texts.
  package var fields: [String] {
    var fields: [String] = []
    for field in 0..<count { fields.append(String(decoding: text[self[field]], as: UTF8.self)) }
    return fields
  }

  /// Goes to the next row.
  ///
  /// - Returns: Whether there is a row. If not, the whole text was read, and a gzip file was
  ///   verified.
  /// - Throws: ``ScanError/cannotRead(errno:byteOffset:)`` or one of the gzip errors.
  package mutating func nextRow() throws(ScanError) -> Bool {
    repeat {
      if try input.peek() == nil { return false }
      text.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      isTooLong = false
      line = input.line
      byteOffset = input.byteOffset
      try readRow()
    } while ends.count == 1 && text.isEmpty && !isTooLong
    return true
  }

  private mutating func readRow() throws(ScanError) {
    var isQuoted = false
    while let byte = try input.peek() {
      input.position += 1
      if byte == 0x0A { input.line += 1 }
      switch byte {
      case UInt8(ascii: "\"") where isQuoted:
        // Two quotes stand for one; a single quote ends the quoted part.
        if try input.peek() == UInt8(ascii: "\"") {
          input.position += 1
          keep(byte)
        } else {
          isQuoted = false
        }
      case UInt8(ascii: "\"") where text.count == ends.last ?? 0: isQuoted = true
      case separator where !isQuoted: ends.append(text.count)
      case 0x0A where !isQuoted:
        endRow()
        return
      case 0x0D where !isQuoted:
        if try input.peek() == 0x0A { continue }
        input.line += 1
        endRow()
        return
      default: keep(byte)
      }
    }
    isTruncated = isQuoted
    endRow()
  }

  private mutating func keep(_ byte: UInt8) {
    if text.count < Self.longestRow { text.append(byte) } else { isTooLong = true }
  }

  private mutating func endRow() { ends.append(text.count) }
}
