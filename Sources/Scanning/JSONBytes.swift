/// Marks the bytes of a word that are special in a string: quotes, backslashes, control characters,
/// and bytes outside ASCII.
///
/// - Parameter word: Eight bytes.
/// - Returns: A word in which the lowest set top bit of a byte marks the first special byte. Marks
///   above it may be wrong; without a special byte, no top bit is set.
@inline(__always)
func specialBytes(_ word: UInt64) -> UInt64 {
  let quote = mayMatch(word, 0x2222_2222_2222_2222)
  let backslash = mayMatch(word, 0x5C5C_5C5C_5C5C_5C5C)
  let control = (word &- 0x2020_2020_2020_2020) & ~word
  return (quote | backslash | control | word) & 0x8080_8080_8080_8080
}

/// Returns whether any of 32 bytes is special in a string.
@inline(__always)
func hasSpecialByte(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
  let marks =
    specialBytes(eightBytes(bytes, at: offset))
    | specialBytes(eightBytes(bytes, at: offset &+ 8))
    | specialBytes(eightBytes(bytes, at: offset &+ 16))
    | specialBytes(eightBytes(bytes, at: offset &+ 24))
  return marks != 0
}

/// Returns the end of a run of plain bytes in a string, checked to be UTF-8.
///
/// Eight bytes are checked a step, 32 while all are plain ASCII, so that a receipt of megabytes
/// takes little more time than reading its bytes.
///
/// - Parameters:
///   - block: The text and eight more bytes; the first of them is 0.
///   - start: The offset of the first byte of the run.
///   - end: The offset after the last byte of the text.
/// - Returns: The offset of the first quote, backslash, control character, or invalid or truncated
///   UTF-8 sequence; or `end`.
@inline(__always)
func endOfPlainRun(_ block: Span<UInt8>, from start: Int, to end: Int) -> Int {
  var offset = start
  while true {
    // The zero after the text is a control character, so every search stops there at the latest.
    var marks = specialBytes(eightBytes(block, at: offset))
    while marks == 0 {
      offset &+= 8
      while offset &+ 32 <= end, !hasSpecialByte(block, at: offset) { offset &+= 32 }
      marks = specialBytes(eightBytes(block, at: offset))
    }
    offset &+= marks.trailingZeroBitCount / 8
    if block[offset] < 0x80 { return offset }
    repeat {
      let length = lengthOfCharacter(block, at: offset, to: end)
      if length == 0 || length > end &- offset { return offset }
      offset &+= length
    } while block[offset] >= 0x80
  }
}

/// Returns the length of a UTF-8 sequence that does not begin with ASCII.
///
/// - Parameters:
///   - bytes: The bytes to read from.
///   - offset: The offset of the sequence's first byte.
///   - end: The offset after the last byte that may be read.
/// - Returns: The length, which reaches past `end` if the sequence is truncated; 0 if it is not valid.
func lengthOfCharacter(_ bytes: Span<UInt8>, at offset: Int, to end: Int) -> Int {
  let first = bytes[offset]
  let length: Int
  // The second byte's range excludes overlong forms, surrogates and code points past U+10FFFF.
  var lowest: UInt8 = 0x80
  var highest: UInt8 = 0xBF
  switch first {
  case 0xC2...0xDF: length = 2
  case 0xE0...0xEF:
    length = 3
    if first == 0xE0 { lowest = 0xA0 }
    if first == 0xED { highest = 0x9F }
  case 0xF0...0xF4:
    length = 4
    if first == 0xF0 { lowest = 0x90 }
    if first == 0xF4 { highest = 0x8F }
  default: return 0
  }
  for next in offset &+ 1..<min(offset &+ length, end) {
    guard bytes[next] >= lowest, bytes[next] <= highest else { return 0 }
    lowest = 0x80
    highest = 0xBF
  }
  return length
}
