extension JSONScanner {
  /// Reads a string after its opening quote, up to and including its closing quote.
  ///
  /// - Parameter body: Called with the decoded pieces: runs of the block, and escapes.
  /// - Throws: ``JSONReadError``.
  @inline(__always)
  mutating func scanString(
    _ body: (Span<UInt8>, Range<Int>) -> Void
  ) throws(JSONReadError) {
    while true {
      let run = plainRun()
      if !run.isEmpty { body(input.block.span, run) }
      let byte = input.block[input.position]
      if byte == UInt8(ascii: "\"") {
        input.position &+= 1
        return
      }
      if byte == UInt8(ascii: "\\") {
        let count = try readEscape()
        body(escape.span, 0..<count)
      } else if try endsAtControlCharacter(byte) {
        body(input.block.span, input.position..<input.position &+ 1)
        if byte == 0x0A { input.line &+= 1 }
        input.position &+= 1
      }
    }
  }

  mutating func skipString() throws(JSONReadError) {
    try scanString { _, _ in }
  }

  /// Reads plain bytes of a string: all but quotes, backslashes, control characters and invalid
  /// UTF-8.
  ///
  /// - Returns: Their range in the block; empty if the next byte is not plain, or not in the block
  ///   yet.
  @inline(__always)
  mutating func plainRun() -> Range<Int> {
    let start = input.position
    input.position = endOfPlainRun(input.block.span, from: start, to: input.end)
    return start..<input.position
  }

  /// Returns whether a plain run has ended at an allowed control character.
  ///
  /// If it has ended with the block, reads more bytes and returns false.
  ///
  /// - Throws: ``JSONReadError`` if it has ended at another byte, or the text ends in the string.
  @inline(never)
  private mutating func endsAtControlCharacter(_ byte: UInt8) throws(JSONReadError) -> Bool {
    let available = input.end - input.position
    if available > 0, byte < 0x80 {
      guard allowsControlCharacters, byte != 0x0A || !isLineDelimited else {
        throw error(
          .controlCharacter, at: input.position, found: "a control character",
          expected: "its escape")
      }
      return true
    }
    if byte >= 0x80, lengthOfCharacter(input.block.span, at: input.position, to: input.end) == 0 {
      throw error(
        .invalidUTF8, at: input.position, found: "a byte that is not UTF-8", expected: "UTF-8")
    }
    if try fill(available + 1) == available {
      input.position = input.end
      throw unexpected("the rest of a string")
    }
    return false
  }
}

// MARK: - Escapes

extension JSONScanner {
  /// Reads an escape, and stores its UTF-8 in ``escape``.
  ///
  /// - Returns: The number of bytes stored.
  @inline(never)
  private mutating func readEscape() throws(JSONReadError) -> Int {
    // Twelve bytes hold the longest escape, so that it need not be read in pieces.
    _ = try fill(12)
    let start = input.position
    input.position += 1
    let letter = input.block[input.position]
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): escape[0] = letter
    case UInt8(ascii: "b"): escape[0] = 0x08
    case UInt8(ascii: "f"): escape[0] = 0x0C
    case UInt8(ascii: "n"): escape[0] = 0x0A
    case UInt8(ascii: "r"): escape[0] = 0x0D
    case UInt8(ascii: "t"): escape[0] = 0x09
    case UInt8(ascii: "u"): return encode(try readCodePoint(from: start))
    default: throw unexpected("an escape such as \"\\n\"", inString: true)
    }
    input.position += 1
    return 1
  }

  /// Reads `uXXXX`, or two such escapes for a surrogate pair.
  private mutating func readCodePoint(from start: Int) throws(JSONReadError) -> UInt32 {
    let first = try readHexDigits()
    guard first & 0xF800 == 0xD800 else { return first }
    guard first < 0xDC00 else { throw loneSurrogate(at: start) }
    for byte in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
      if input.position == input.end { throw unexpected("the rest of a surrogate pair") }
      if input.block[input.position] != byte { throw loneSurrogate(at: start) }
      input.position += 1
    }
    input.position -= 1
    let second = try readHexDigits()
    guard second & 0xFC00 == 0xDC00 else { throw loneSurrogate(at: start) }
    return 0x1_0000 + (first & 0x3FF) << 10 + second & 0x3FF
  }

  /// Reads the four hexadecimal digits after a `u`.
  private mutating func readHexDigits() throws(JSONReadError) -> UInt32 {
    input.position += 1
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = input.block[input.position]
      let letter = byte | 0x20
      if byte &- 0x30 <= 9 {
        value = value << 4 | UInt32(byte &- 0x30)
      } else if letter >= UInt8(ascii: "a"), letter <= UInt8(ascii: "f") {
        value = value << 4 | UInt32(letter - UInt8(ascii: "a") + 10)
      } else {
        throw unexpected("a hexadecimal digit", inString: true)
      }
      input.position += 1
    }
    return value
  }

  private func loneSurrogate(at position: Int) -> JSONReadError {
    error(
      .loneSurrogate, at: position, found: "one half of a surrogate pair", expected: "both halves")
  }

  /// Stores the UTF-8 of a code point other than a surrogate in ``escape``.
  private mutating func encode(_ codePoint: UInt32) -> Int {
    var rest = codePoint
    let count = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x1_0000 ? 3 : 4
    for index in stride(from: count - 1, to: 0, by: -1) {
      escape[index] = 0x80 | UInt8(rest & 0x3F)
      rest >>= 6
    }
    escape[0] = ([0, 0xC0, 0xE0, 0xF0] as [UInt8])[count - 1] | UInt8(rest)
    return count
  }
}
