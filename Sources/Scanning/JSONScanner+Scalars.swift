extension JSONScanner {
  /// Reads a scalar.
  ///
  /// - Parameters:
  ///   - text: The buffer to which the decoded string, or the number as written, is added.
  ///   - limit: The most bytes that are kept.
  /// - Returns: The kind of value, and its range in `text`. An object or an array stays unread.
  /// - Throws: ``JSONReadError``.
  package mutating func readScalar(
    into text: inout JSONText, limit: Int = 1 << 10
  ) throws(JSONReadError) -> JSONScalar {
    let kind = try peekKind()
    switch kind {
    case .object, .array: break
    case .string:
      input.position &+= 1
      let string = try readStringText(into: &text, limit: limit)
      state = .afterValue
      return string
    case .number:
      var sink = LimitedText(start: text.count, limit: limit)
      try scanNumber { bytes, run in sink.append(bytes, run, to: &text) }
      state = .afterValue
      return sink.scalar(.number, &text)
    case .true: try passWord("true")
    case .false: try passWord("false")
    case .null: try passWord("null")
    }
    return JSONScalar(kind: kind, range: text.count..<text.count, isTooLong: false)
  }

  /// Reads a string of any length in pieces.
  ///
  /// - Parameter body: Called with the decoded pieces in order. Pieces may be divided between any
  ///   two characters; none is longer than a block.
  /// - Returns: Whether the value was a string; any other value stays unread.
  /// - Throws: ``JSONReadError``, after the pieces before the error were passed to `body`.
  package mutating func readString(
    inPieces body: (Span<UInt8>) -> Void
  ) throws(JSONReadError) -> Bool {
    guard try peekKind() == .string else { return false }
    input.position &+= 1
    try scanString { bytes, run in body(bytes.extracting(run)) }
    state = .afterValue
    return true
  }

  /// Reads a string after its opening quote.
  @inline(__always)
  mutating func readStringText(
    into text: inout JSONText, limit: Int
  ) throws(JSONReadError) -> JSONScalar {
    var sink = LimitedText(start: text.count, limit: limit)
    try scanString { bytes, run in sink.append(bytes, run, to: &text) }
    return sink.scalar(.string, &text)
  }

  /// Reads `true`, `false` or `null`.
  mutating func passWord(_ word: String) throws(JSONReadError) {
    _ = try fill(word.utf8.count)
    for byte in word.utf8 {
      guard input.block[input.position] == byte else { throw unexpected("\"\(word)\"") }
      input.position &+= 1
    }
    try requireDelimiter()
    state = .afterValue
  }

  /// Throws if another character of a number or word follows.
  @inline(__always)
  private mutating func requireDelimiter() throws(JSONReadError) {
    switch try peek() {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      throw unexpected("the end of a number or word")
    default: break
    }
  }
}

// MARK: - Numbers

extension JSONScanner {
  /// The scanner's state within a number.
  private enum NumberState {
    case start, minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits

    /// Returns the state after one more byte, or nil if the byte is not part of the number.
    @inline(__always)
    func adding(_ byte: UInt8) -> NumberState? {
      switch (self, byte) {
      case (.start, UInt8(ascii: "-")): .minus
      case (.start, UInt8(ascii: "0")), (.minus, UInt8(ascii: "0")): .zero
      case (.start, _) where byte.isDigit, (.minus, _) where byte.isDigit,
        (.integer, _) where byte.isDigit:
        .integer
      case (.zero, UInt8(ascii: ".")), (.integer, UInt8(ascii: ".")): .point
      case (.point, _) where byte.isDigit, (.fraction, _) where byte.isDigit: .fraction
      case (.zero, _) where byte | 0x20 == UInt8(ascii: "e"),
        (.integer, _) where byte | 0x20 == UInt8(ascii: "e"),
        (.fraction, _) where byte | 0x20 == UInt8(ascii: "e"):
        .exponent
      case (.exponent, UInt8(ascii: "+")), (.exponent, UInt8(ascii: "-")): .exponentSign
      case (.exponent, _) where byte.isDigit, (.exponentSign, _) where byte.isDigit,
        (.exponentDigits, _) where byte.isDigit:
        .exponentDigits
      default: nil
      }
    }

    /// Adds the bytes that are part of the number, and returns the offset after the last.
    @inline(__always)
    mutating func add(_ bytes: Span<UInt8>, from start: Int) -> Int {
      var offset = start
      while let next = adding(bytes[offset]) {
        self = next
        offset &+= 1
      }
      return offset
    }

    /// Whether a number may end here.
    var isComplete: Bool {
      switch self {
      case .zero, .integer, .fraction, .exponentDigits: true
      case .start, .minus, .point, .exponent, .exponentSign: false
      }
    }
  }

  /// Reads a number: in one piece, or in several if a block ends inside it.
  @inline(__always)
  mutating func scanNumber(
    _ body: (Span<UInt8>, Range<Int>) -> Void
  ) throws(JSONReadError) {
    var number = NumberState.start
    var run: Range<Int>
    repeat {
      run = input.position..<number.add(input.block.span, from: input.position)
      body(input.block.span, run)
      input.position = run.upperBound
    } while run.upperBound == input.end ? try fill(1) > 0 : false
    guard number.isComplete else { throw unexpected("a digit") }
    try requireDelimiter()
  }
}

extension UInt8 {
  @inline(__always)
  fileprivate var isDigit: Bool { self &- 0x30 <= 9 }
}

/// Adds the pieces of a scalar to a buffer, and removes all of them if they exceed a limit.
private struct LimitedText {
  private let start: Int
  /// The number of bytes that may still be added; negative after too many.
  private var room: Int

  @inline(__always)
  init(start: Int, limit: Int) {
    self.start = start
    room = limit
  }

  @inline(__always)
  mutating func append(_ bytes: Span<UInt8>, _ run: Range<Int>, to text: inout JSONText) {
    room &-= run.count
    if room >= 0 { text.append(bytes, run) }
  }

  /// Returns the scalar with the added text, or with no text if it is too long.
  @inline(__always)
  func scalar(_ kind: JSONKind, _ text: inout JSONText) -> JSONScalar {
    if room < 0 { text.count = start }
    return JSONScalar(kind: kind, range: start..<text.count, isTooLong: room < 0)
  }
}
