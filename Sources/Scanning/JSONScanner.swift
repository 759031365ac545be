/// Reads JSON (RFC 8259) from a stream, value by value and in constant memory.
///
/// The caller goes to the next value, enters an object or an array, goes to the next member or
/// element, and reads a scalar. No tree is built, and only the window of the stream is in memory,
/// so an object of millions of members or a string of 100 MB needs no more memory than a short one.
/// Two rules:
///
/// - **Unread values are skipped.** Going to the next member, element or value skips the unread
///   rest of the current one, to any depth. Skipped text is checked as strictly as text that is
///   read.
/// - **Reading a value of another type returns nil and does not use the value**, so that the caller
///   can then read it as another type, or skip it.
///
/// Other keys than the caller's ``JSONKeys`` are not stored, and not checked for duplicates.
///
/// ```swift
/// var scanner = JSONScanner(try ByteStream(path: "answers.json"))
/// while try scanner.nextValue() {
///   guard var answer = try scanner.enterObject() else { continue }
///   while let member = try scanner.nextMember(of: &answer, keys) {
///     if member == .known(.status) { status = try scanner.readScalar(into: &text) }
///   }
/// }
/// ```
package struct JSONScanner: ~Copyable {
  enum State {
    /// At the first byte of a value, after white space.
    case beforeValue
    /// After `{` or `[`.
    case afterOpening
    /// After a value, or at the beginning of the text.
    case afterValue
  }

  /// Whether each top-level value must be on one line.
  ///
  /// If so, a line feed inside a value is an error instead of white space, so that a truncated line
  /// is not joined with the next one.
  package var isLineDelimited = false

  var input: ByteStream
  var state = State.afterValue
  let allowsControlCharacters: Bool
  /// The number of objects and arrays around the current place.
  var depth = 0
  /// The closing byte of each of them.
  var closers: [UInt8]
  /// The UTF-8 of the last escape.
  var escape: [UInt8] = [0, 0, 0, 0]

  /// Creates a scanner.
  ///
  /// - Parameters:
  ///   - input: The text.
  ///   - depthLimit: The most objects and arrays inside one another, skipped ones included.
  ///   - allowsControlCharacters: Whether strings may hold control characters that are not
  ///     escaped, which JSON forbids; they are kept as they are.
  package init(
    _ input: consuming ByteStream, depthLimit: Int = 512, allowsControlCharacters: Bool = false
  ) {
    self.input = input
    self.allowsControlCharacters = allowsControlCharacters
    closers = Array(repeating: 0, count: depthLimit)
  }

  /// Restarts with other bytes, in the same memory if they fit.
  ///
  /// - Parameter bytes: The whole text, which is copied.
  package mutating func restart(with bytes: Span<UInt8>) {
    input.restart(with: bytes)
    depth = 0
    state = .afterValue
  }

  /// The offset in the (inflated) text of the next byte; before a value, of its first byte.
  package var byteOffset: Int { input.byteOffset }

  /// The number of the line that the next byte is on, from 1.
  package var line: Int { input.line }

  /// The number of bytes read from the file so far, as stored.
  package var storedByteCount: Int { input.storedByteCount }

  /// Goes to the next top-level value.
  ///
  /// Values may follow each other with line feeds, blanks or nothing between them; ``line`` shows
  /// whether they are on the same line.
  ///
  /// - Returns: Whether there is a value. If not, the whole text was read, and a gzip file was
  ///   verified.
  /// - Throws: ``JSONReadError``, also for errors in the skipped rest of the previous value.
  package mutating func nextValue() throws(JSONReadError) -> Bool {
    try skip(toDepth: 0)
    try skipWhitespace()
    // Files that were joined may each begin with a byte order mark.
    while try skipByteOrderMark() { try skipWhitespace() }
    if input.position == input.end { return false }
    state = .beforeValue
    return true
  }

  /// Skips the rest of the current line, so that a reader of lines can continue after an error.
  ///
  /// With ``isLineDelimited``, the current line is the line with the error. Without, a value on a
  /// truncated line may already have been read into the next line.
  ///
  /// - Throws: ``JSONReadError/file(_:)``.
  package mutating func skipToLineEnd() throws(JSONReadError) {
    depth = 0
    state = .beforeValue
    var nothing: [UInt8] = []
    _ = try readLine(into: &nothing, limit: 0)
  }

  /// Returns the kind of the next value, which stays unread.
  ///
  /// - Returns: The kind, given by the first byte.
  /// - Throws: ``JSONReadError/text(_:)`` if no value begins here.
  package mutating func peekKind() throws(JSONReadError) -> JSONKind {
    precondition(
      state == .beforeValue, "no value to read: call nextValue, nextMember or nextElement first")
    switch input.block[input.position] {
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    case UInt8(ascii: "t"): return .true
    case UInt8(ascii: "f"): return .false
    case UInt8(ascii: "n"): return .null
    default: throw unexpected("a JSON value")
    }
  }

  /// Returns whether the next value is a string that may hold an object or an array as text; it stays unread.
  ///
  /// - Returns: Whether it may, given by the first byte of the string: a blank and an escape are possible, too.
  /// - Throws: ``JSONReadError``.
  package mutating func mayHoldJSON() throws(JSONReadError) -> Bool {
    guard try peekKind() == .string, try fill(2) >= 2 else { return false }
    switch input.block[input.position + 1] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: " "), UInt8(ascii: "\\"): return true
    default: return false
    }
  }

  /// Skips a value, after checking that it is JSON.
  ///
  /// - Throws: ``JSONReadError``.
  package mutating func skipValue() throws(JSONReadError) {
    precondition(
      state == .beforeValue, "no value to skip: call nextValue, nextMember or nextElement first")
    try skip(toDepth: depth)
  }
}
