/// Reads the values of a config file.
extension TOMLReader {
  /// Reads a value other than an inline table.
  ///
  /// - Parameter depth: The number of lists around it.
  /// - Returns: The value.
  /// - Throws: ``TOMLError`` for any other text.
  mutating func value(depth: Int) throws(TOMLError) -> TOMLValue {
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string(isKey: false))
    case UInt8(ascii: "["): return .list(try list(depth: depth + 1))
    case UInt8(ascii: "{"): throw error("no setting has a table in a list")
    default: return try word()
    }
  }

  private mutating func list(depth: Int) throws(TOMLError) -> [TOMLValue] {
    let start = place
    guard depth <= Self.deepest else { throw error("lists are nested too deeply") }
    place += 1
    var values: [TOMLValue] = []
    while true {
      try skipLines()
      guard current != nil else {
        throw error("the list has no closing bracket; write [\"a\", \"b\"]", at: start)
      }
      if take("]") { return values }
      values.append(try value(depth: depth))
      try skipLines()
      guard take(",") || current == UInt8(ascii: "]") || current == nil else {
        throw error("expected , or ] in the list")
      }
    }
  }

  /// Reads a boolean or a number, up to a byte that cannot be part of one.
  private mutating func word() throws(TOMLError) -> TOMLValue {
    let start = place
    while let byte = current, Self.isOfWord(byte) { place += 1 }
    let text = text(start..<place)
    if text == "true" || text == "false" { return .boolean(text == "true") }
    if let number = Self.wholeNumber(text) {
      guard let value = Int(number.digits, radix: number.radix) else {
        throw error("the number is too large", at: start)
      }
      return .integer(value)
    }
    // The message does not show the word, because it may be a secret without quotes.
    throw error(
      text.isEmpty
        ? "expected a value such as \"text\", 12, true or [\"a\", \"b\"]"
        : "expected a whole number, true, false, or text in quotes", at: start)
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != 0x7F && !",]}#=[{\"'".utf8.contains(byte)
  }

  /// Returns the signed digits of a whole number, and its radix; nil for any other text.
  private static func wholeNumber(_ text: String) -> (digits: String, radix: Int)? {
    let radices = ["0x": 16, "0o": 8, "0b": 2]
    let prefixed = radices[String(text.prefix(2))]
    let radix = prefixed ?? 10
    let isSigned = text.hasPrefix("+") || text.hasPrefix("-")
    let digits = text.dropFirst(prefixed != nil ? 2 : isSigned ? 1 : 0)
    // Underscores are allowed between digits.
    let groups = digits.split(separator: "_", omittingEmptySubsequences: false)
    guard groups.allSatisfy({ !$0.isEmpty && $0.allSatisfy { isDigit($0, radix) } }) else {
      return nil
    }
    let joined = groups.joined()
    guard prefixed != nil || joined.count == 1 || !joined.hasPrefix("0") else { return nil }
    return (text.hasPrefix("-") ? "-" + joined : joined, radix)
  }

  private static func isDigit(_ character: Character, _ radix: Int) -> Bool {
    character.isASCII && (character.hexDigitValue.map { $0 < radix } ?? false)
  }

  // MARK: Strings

  /// Reads a string of any of the four kinds; a key has one line.
  mutating func string(isKey: Bool) throws(TOMLError) -> String {
    let start = place
    let quote = bytes[place]
    let isLong = byte(after: 1) == quote && byte(after: 2) == quote
    guard !isLong || !isKey else { throw error("a key in triple quotes; use one quote") }
    place += isLong ? 3 : 1
    // The newline that follows the opening quotes is not part of the text.
    if isLong { _ = takeNewline() }
    var text: [UInt8] = []
    while let byte = current {
      if byte == quote, let quotes = closingQuotes(quote, isLong: isLong) {
        text += repeatElement(quote, count: quotes - (isLong ? 3 : 1))
        place += quotes
        return String(decoding: text, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        try readEscape(into: &text, isLong: isLong)
      } else if isNewline {
        guard isLong else { break }
        text.append(UInt8(ascii: "\n"))
        _ = takeNewline()
      } else {
        guard !Self.isControl(byte) else { throw error("a control character in a string") }
        text.append(byte)
        place += 1
      }
    }
    throw error("the string has no closing quote", at: start)
  }

  /// Returns the number of quotes at the end of the string, with quotes that belong to its text;
  /// nil if the string does not end here.
  private func closingQuotes(_ quote: UInt8, isLong: Bool) -> Int? {
    guard isLong else { return 1 }
    var count = 0
    while count < 5, byte(after: count) == quote { count += 1 }
    return count >= 3 ? count : nil
  }

  private mutating func readEscape(into text: inout [UInt8], isLong: Bool) throws(TOMLError) {
    let start = place
    place += 1
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "b"): 0x08, UInt8(ascii: "t"): 0x09, UInt8(ascii: "n"): 0x0A,
      UInt8(ascii: "f"): 0x0C, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "\""): 0x22,
      UInt8(ascii: "\\"): 0x5C,
    ]
    if let byte = current, let meant = plain[byte] {
      text.append(meant)
      place += 1
    } else if current == UInt8(ascii: "u") || current == UInt8(ascii: "U") {
      try readScalar(digits: current == UInt8(ascii: "u") ? 4 : 8, from: start, into: &text)
    } else if isLong, skipEscapedLineEnd() {
      return
    } else {
      throw error("\\ does not begin an escape of TOML; write \\\\ or use '…'", at: start)
    }
  }

  /// Reads the hexadecimal digits after `\u` or `\U`.
  private mutating func readScalar(
    digits: Int, from start: Int, into text: inout [UInt8]
  ) throws(TOMLError) {
    let first = place + 1
    place = min(first + digits, bytes.count)
    let isHexadecimal = bytes[first..<place].allSatisfy {
      Self.isDigit(Character(Unicode.Scalar($0)), 16)
    }
    guard place == first + digits, isHexadecimal,
      let number = UInt32(self.text(first..<place), radix: 16),
      let scalar = Unicode.Scalar(number)
    else {
      throw error("\\u and \\U are followed by the 4 or 8 digits of a character", at: start)
    }
    text += Array(String(scalar).utf8)
  }

  /// Skips the line end after a backslash, with the blanks and line ends around it.
  ///
  /// - Returns: Whether there was a line end; if not, nothing is skipped.
  private mutating func skipEscapedLineEnd() -> Bool {
    let start = place
    skipBlanks()
    guard takeNewline() else {
      place = start
      return false
    }
    repeat { skipBlanks() } while takeNewline()
    return true
  }
}
