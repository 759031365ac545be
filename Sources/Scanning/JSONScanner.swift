/// Reads JSON (RFC 8259) from a stream, value by value and in constant memory.
///
/// The caller pulls: it asks for the next value, enters an object or an array, asks for the next
/// member or element, and reads a scalar. Nothing is built, and only the window of the stream is in
/// memory, so that an object of millions of members and a string of 100 MB cost the same as short
/// ones. Two rules keep callers short:
///
/// - **Unread values are skipped.** Asking for the next member, element or value skips the unread rest,
///   to any depth; it is checked as strictly as values that are read.
/// - **A read that does not fit the value returns nil and leaves the value**, so that a reader of
///   untidy dumps can try something else, or nothing.
///
/// Keys that are not in the ``JSONKeys`` are not stored: only known keys are checked for duplicates.
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
public struct JSONScanner: ~Copyable {
  enum State {
    /// At the first byte of a value, after white space.
    case beforeValue
    /// After `{` or `[`.
    case afterOpening
    /// After a value, or at the beginning of the text.
    case afterValue
  }

  /// Whether each top-level value must lie on one line.
  ///
  /// If so, a line feed inside a value ends it too early, instead of being white space. A truncated line
  /// then does not swallow the next one.
  public var isLineDelimited = false

  var input: ByteStream
  var state = State.afterValue
  let allowsControlCharacters: Bool
  /// The number of objects and arrays that the scanner is in.
  var depth = 0
  /// The byte that closes each of them.
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
  public init(
    _ input: consuming ByteStream, depthLimit: Int = 512, allowsControlCharacters: Bool = false
  ) {
    self.input = input
    self.allowsControlCharacters = allowsControlCharacters
    closers = Array(repeating: 0, count: depthLimit)
  }

  /// Restarts with other bytes, in the same memory if they fit.
  ///
  /// - Parameter bytes: The whole text, which is copied.
  public mutating func restart(with bytes: Span<UInt8>) {
    input.restart(with: bytes)
    depth = 0
    state = .afterValue
  }

  /// The offset in the (inflated) text of the next byte; before a value, of its first byte.
  public var byteOffset: Int { input.byteOffset }

  /// The number of the line that the next byte is on, from 1.
  public var line: Int { input.line }

  /// The number of bytes read from the file so far, as stored.
  public var storedByteCount: Int { input.storedByteCount }

  /// Goes to the next top-level value.
  ///
  /// Values may follow each other on one line, on a line each, or with nothing between them; compare
  /// ``line`` before and after the call.
  ///
  /// - Returns: Whether there is one. If not, the whole text was read, and a gzip file was verified.
  /// - Throws: ``JSONReadError``, also for errors in the unread rest.
  public mutating func nextValue() throws(JSONReadError) -> Bool {
    try skip(toDepth: 0)
    try skipWhitespace()
    // Each of several joined files may begin with a byte order mark.
    while try passByteOrderMark() { try skipWhitespace() }
    if input.position == input.end { return false }
    state = .beforeValue
    return true
  }

  /// Skips the rest of the current line, so that a reader of lines can go on after an error.
  ///
  /// If ``isLineDelimited`` is set, this is the line with the error. If not, the value on a truncated line
  /// may have been read on into the next line.
  ///
  /// - Throws: ``JSONReadError/file(_:)``.
  public mutating func skipToLineEnd() throws(JSONReadError) {
    depth = 0
    state = .beforeValue
    var nothing: [UInt8] = []
    _ = try readLine(into: &nothing, limit: 0)
  }

  /// Returns the kind of the next value, given by its first byte.
  ///
  /// - Returns: The kind; the value stays unread.
  /// - Throws: ``JSONReadError/text(_:)`` if no value begins here.
  public mutating func peekKind() throws(JSONReadError) -> JSONKind {
    precondition(state == .beforeValue, "no value to read: ask for the next one first")
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

  /// Skips a value, and checks it.
  ///
  /// - Throws: ``JSONReadError``.
  public mutating func skipValue() throws(JSONReadError) {
    precondition(state == .beforeValue, "no value to skip: ask for the next one first")
    try skip(toDepth: depth)
  }
}
