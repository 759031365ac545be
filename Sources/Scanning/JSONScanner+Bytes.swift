extension JSONScanner {
  /// Returns the next byte without using it, and reads more bytes if necessary; 0 at the end of the
  /// text.
  @inline(__always)
  mutating func peek() throws(JSONReadError) -> UInt8 {
    if input.position == input.end { _ = try fill(1) }
    return input.block[input.position]
  }

  /// Reads until the window has `count` bytes, or the text ends.
  mutating func fill(_ count: Int) throws(JSONReadError) -> Int {
    do throws(ScanError) { return try input.fill(count) } catch { throw .file(error) }
  }

  /// Skips a byte order mark, if one begins here.
  mutating func skipByteOrderMark() throws(JSONReadError) -> Bool {
    guard input.block[input.position] == 0xEF, try fill(3) >= 3 else { return false }
    let start = input.position
    guard input.block[start + 1] == 0xBB, input.block[start + 2] == 0xBF else { return false }
    input.position = start + 3
    return true
  }

  /// Goes to the next byte other than white space, or to the end of the text.
  @inline(__always)
  mutating func skipWhitespace() throws(JSONReadError) {
    if input.block[input.position] <= 0x20 { try skipWhitespaceOrFill() }
  }

  @inline(never)
  private mutating func skipWhitespaceOrFill() throws(JSONReadError) {
    while true {
      switch input.block[input.position] {
      case 0x20:
        // Indentation, eight spaces a step; the last step may read the padding of the block.
        let word = eightBytes(input.block.span, at: input.position)
        input.position &+= (word ^ 0x2020_2020_2020_2020).trailingZeroBitCount / 8
      case 0x0A:
        if isLineDelimited, depth > 0 {
          throw error(
            .truncated, at: input.position, found: "the end of the line",
            expected: "the rest of a value")
        }
        input.position &+= 1
        input.line &+= 1
      case 0x09, 0x0D: input.position &+= 1
      case 0 where input.position == input.end: if try fill(1) == 0 { return }
      default: return
      }
    }
  }

  /// Returns the error for a byte that is not allowed here, or for the end of the text.
  ///
  /// - Parameters:
  ///   - expected: What was expected.
  ///   - inString: Whether the byte is part of a string; the message then does not show it.
  /// - Returns: The error.
  @inline(never)
  func unexpected(_ expected: String, inString: Bool = false) -> JSONReadError {
    if input.position == input.end {
      return error(
        .truncated, at: input.position, found: "the end of the text", expected: expected)
    }
    let byte = input.block[input.position]
    let found =
      switch byte {
      case _ where inString: "something else"
      case UInt8(ascii: "\""): "a quotation mark"
      case 0x21...0x7E: "\"\(Unicode.Scalar(byte))\""
      default: "byte 0x\(String(byte, radix: 16, uppercase: true))"
      }
    return error(.syntax, at: input.position, found: found, expected: expected)
  }

  /// Returns an error at an offset in the block.
  @inline(never)
  func error(
    _ code: JSONError.Code, at position: Int, found: String, expected: String
  ) -> JSONReadError {
    .text(
      JSONError(
        code: code, byteOffset: input.byteOffset + position - input.position, line: input.line,
        key: "", found: found, expected: expected))
  }
}
