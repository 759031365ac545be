import Scanning
import SubscriptionModel

/// Parses JSON that databases and logs keep as text inside other JSON: METRICS.md 3.15.
extension RowParser {
  /// Reads a string, such as a raw receipt.
  ///
  /// - Parameter scanner: The scanner, before the value; any value but a string stays unread.
  /// - Returns: The text, and whether it was cut off because it is too long; `nil` for another value.
  /// - Throws: ``JSONReadError``.
  mutating func readLongText(
    _ scanner: inout JSONScanner
  ) throws(JSONReadError) -> (bytes: [UInt8], isTooLong: Bool)? {
    place = place(of: scanner)
    var bytes: [UInt8] = []
    var isTooLong = false
    let isString = try scanner.readString { piece in
      isTooLong = isTooLong || bytes.count + piece.count > PayloadDecoder.longestReceipt
      if !isTooLong { bytes.append(piece, 0..<piece.count) }
    }
    return isString ? (bytes, isTooLong) : nil
  }

  /// Returns a scanner before the one object or array that a text holds; `nil` for any other text.
  static func json(in text: [UInt8]) -> JSONScanner? {
    let range = trimmed(text.span, 0..<text.count)
    guard let first = range.first.map({ text[$0] }), first == 0x7B || first == 0x5B else {
      return nil
    }
    func scanner() -> JSONScanner {
      JSONScanner(ByteStream(text.span.extracting(range)), allowsControlCharacters: true)
    }
    do throws(JSONReadError) {
      var check = scanner()
      guard try check.nextValue() else { return nil }
      try check.skipValue()
      if try check.nextValue() { return nil }
      var found = scanner()
      _ = try found.nextValue()
      return found
    } catch {
      return nil
    }
  }

  /// Parses JSON that was kept as text; its items have the place of the text.
  ///
  /// - Parameters:
  ///   - scanner: A scanner before the JSON.
  ///   - body: Parses it. The only fault possible is a key that occurs twice, which is noted.
  mutating func readKept(
    _ scanner: inout JSONScanner,
    _ body: (inout RowParser, inout JSONScanner) throws(JSONReadError) -> Void
  ) {
    let (outerKey, wasInPayload) = (key, isInPayload)
    isInPayload = true
    defer { isInPayload = wasInPayload }
    do throws(JSONReadError) {
      try body(&self, &scanner)
    } catch {
      noteDuplicate(error)
      key = outerKey
    }
  }

  /// Parses JSON kept as text under one of the lists of an answer; other text is an unusable transaction.
  ///
  /// - Parameters:
  ///   - scanner: The scanner, before the value; any value but a string stays unread.
  ///   - body: Parses the JSON.
  /// - Returns: Whether the value was a string.
  /// - Throws: ``JSONReadError``.
  mutating func readKeptList(
    _ scanner: inout JSONScanner,
    _ body: (inout RowParser, inout JSONScanner) throws(JSONReadError) -> Void
  ) throws(JSONReadError) -> Bool {
    guard let text = try readLongText(&scanner) else { return false }
    let range = trimmed(text.bytes.span, 0..<text.bytes.count)
    if ScalarText.isMissing(text.bytes.span, range) { return true }
    if var kept = Self.json(in: text.bytes) {
      readKept(&kept, body)
    } else {
      note(.notJSON, found: .words("other text"), expected: "JSON")
    }
    return true
  }

  /// Parses the value of a key of another tool: objects, also those that are kept as text; any other is passed over.
  mutating func readWrapped(_ scanner: inout JSONScanner, depth: Int) throws(JSONReadError) {
    guard try scanner.mayHoldJSON() else { return try readObjects(&scanner, depth: depth) }
    guard let text = try readLongText(&scanner), var kept = Self.json(in: text.bytes) else {
      return
    }
    readKept(&kept) { parser, scanner throws(JSONReadError) in
      try parser.readObjects(&scanner, depth: depth)
    }
  }
}
