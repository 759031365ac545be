import Scanning

/// Splits the rows of a report into fields, and creates the rejects for their faults.
struct RowSplitter: ~Copyable {
  private let columnNames: [String]
  /// The number of the column whose text must not appear in messages, or -1.
  private let hiddenField: Int
  /// The format of dates in the report.
  let dateFormat: DateFormat
  private var splitter: FieldSplitter

  init(_ header: ReportHeader, hiding column: Column? = nil) {
    columnNames = header.columnNames
    hiddenField = column.flatMap(header.field) ?? -1
    dateFormat = DateFormat(header)
    // Some reports have blank fields after the last column.
    splitter = FieldSplitter(capacity: header.columnNames.count + 32)
  }

  /// Splits a row.
  ///
  /// - Returns: The reject for a fault of the whole row, or `nil`.
  mutating func split(_ line: Span<UInt8>, _ place: Line) -> Reject? {
    let fits = splitter.split(line)
    if !place.isTooLong, fits, splitter.count == columnNames.count, splitter.isASCII { return nil }
    return wholeRowReject(line, place, fits: fits)
  }

  /// Finds the fields before and after a range of adjacent fields.
  ///
  /// If the range has the same bytes as in an earlier good row, the number of fields is right.
  /// Otherwise, call ``split(_:_:)`` next.
  ///
  /// - Parameters:
  ///   - inner: The adjacent fields, which must not be read afterwards.
  ///   - line: The row without its line ending.
  ///   - place: Where the row is.
  /// - Returns: The bytes of the adjacent fields; `nil` if ``split(_:_:)`` is needed.
  mutating func splitAround(
    _ inner: ClosedRange<Int>, _ line: Span<UInt8>, _ place: Line
  ) -> Range<Int>? {
    if place.isTooLong { return nil }
    let count = columnNames.count
    return splitter.splitEnds(
      line, first: inner.lowerBound, last: count &- 1 &- inner.upperBound, of: count)
  }

  /// The range of a field, from 0; empty for a column that the header lacks.
  @inline(__always)
  subscript(field: Int) -> Range<Int> { field < 0 ? 0..<0 : splitter[field] }

  /// Returns the range of a field, without the blanks at its ends.
  @inline(__always)
  func content(_ line: Span<UInt8>, _ field: Int) -> Range<Int> { trimmed(line, self[field]) }

  /// Returns whether a field is `Yes`, ignoring case.
  @inline(__always)
  func isYes(_ line: Span<UInt8>, _ field: Int) -> Bool {
    let range = self[field]
    if range.isEmpty { return false }
    return Word.yes.isEqual(line, trimmed(line, range))
  }

  /// Returns whether a field is `Yes`, where any other word than `No` would be a guess.
  ///
  /// - Throws: ``FieldFault`` for another word.
  @inline(__always)
  func flag(_ line: Span<UInt8>, _ field: Int) throws(FieldFault) -> Bool {
    let range = self[field]
    if range.isEmpty { return false }
    let content = trimmed(line, range)
    if content.isEmpty { return false }
    if Word.yes.isEqual(line, content) { return true }
    guard Word.no.isEqual(line, content) else {
      throw FieldFault(field, .notABoolean, expected: "Yes or blank")
    }
    return false
  }

  /// Returns the reject for a fault in a field of the row.
  mutating func reject(_ fault: FieldFault, _ line: Span<UInt8>, _ place: Line) -> Reject {
    // The field may not have been found yet, after `splitAround`.
    _ = splitter.split(line)
    if let header = repeatedHeader(line, place, in: fault.field) { return header }
    let field = self[fault.field]
    let content = trimmed(line, field)
    let start = content.isEmpty ? field.lowerBound : content.lowerBound
    return Reject(
      line: place.number, byteOffset: place.byteOffset + start, field: fault.field + 1,
      column: columnNames[fault.field], code: fault.code,
      found: fault.found.map { .words($0) } ?? found(line, content, inField: fault.field),
      expected: fault.expected)
  }

  /// Returns the reject for a repeated header, if the field contains the name of its column.
  func repeatedHeader(_ line: Span<UInt8>, _ place: Line, in field: Int) -> Reject? {
    let content = content(line, field)
    guard content.count == columnNames[field].utf8.count, text(line, content) == columnNames[field]
    else { return nil }
    return repeatedHeader(place)
  }

  private func repeatedHeader(_ place: Line) -> Reject {
    reject(
      .repeatedHeader, place, found: .words("a header among the rows"),
      expected: "one report in a file")
  }

  private func found(
    _ line: Span<UInt8>, _ range: Range<Int>, inField field: Int
  ) -> Reject.Finding {
    let text = Reject.excerpt(line, range)
    return field == hiddenField ? .personal(text) : .text(text)
  }

  private func wholeRowReject(_ line: Span<UInt8>, _ place: Line, fits: Bool) -> Reject? {
    if place.isTooLong {
      return reject(
        .lineTooLong, place, found: .words("a longer line"), expected: "a line of at most 1 MiB")
    }
    let count = splitter.count
    let expected = columnNames.count
    // A header of another version has other columns, but usually the same first column.
    if !fits || count != expected, let header = repeatedHeader(line, place, in: 0) {
      return header
    }
    if count > expected, hasLoneReturn(line) { return Reject(lineEndsIn: place) }
    if count < expected {
      return reject(
        .tooFewFields, place, found: .fields(count), expected: "\(expected), as the header has")
    }
    if !fits || (expected..<count).contains(where: { !content(line, $0).isEmpty }) {
      return reject(
        .tooManyFields, place, found: .fields(count), expected: "\(expected), as the header has")
    }
    if splitter.isASCII { return nil }
    return firstInvalidUTF8(line).map { invalidUTF8(line, place, at: $0) }
  }

  private func invalidUTF8(_ line: Span<UInt8>, _ place: Line, at offset: Int) -> Reject {
    let field = columnNames.indices.first { splitter[$0].upperBound > offset } ?? 0
    return Reject(
      line: place.number, byteOffset: place.byteOffset + offset, field: field + 1,
      column: columnNames[field], code: .invalidUTF8,
      found: found(line, splitter[field], inField: field), expected: "text in UTF-8")
  }

  private func reject(
    _ code: Reject.Code, _ place: Line, found: Reject.Finding, expected: String
  ) -> Reject {
    Reject(
      line: place.number, byteOffset: place.byteOffset, field: 0, column: "", code: code,
      found: found, expected: expected)
  }
}

/// A text to compare fields with, ignoring case.
struct Word: Sendable {
  private let bytes: [UInt8]

  /// Creates a text of blanks and letters in lower case.
  init(_ word: String) { bytes = Array(word.utf8) }

  static let yes = Word("yes")
  static let no = Word("no")
  static let rateAfterOneYear = Word("rate after one year")

  /// Returns whether a field equals the text.
  func isEqual(_ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard range.count == bytes.count else { return false }
    for index in bytes.indices where line[range.lowerBound + index] | 0x20 != bytes[index] {
      return false
    }
    return true
  }
}

/// Returns a field's text.
func text(_ line: Span<UInt8>, _ range: Range<Int>) -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(range.count)
  for offset in range { bytes.append(line[offset]) }
  return String(decoding: bytes, as: UTF8.self)
}
