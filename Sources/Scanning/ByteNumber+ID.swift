extension ByteNumber {
  /// Reads a numeric ID, such as Apple's IDs.
  ///
  /// - Parameters:
  ///   - line: The line that holds the ID.
  ///   - range: Where the ID is.
  /// - Returns: A number from 1 to 2^62 - 1, or nil for any other text. Leading zeros give nil, so that
  ///   different texts never have the same number.
  package static func id(_ line: Span<UInt8>, _ range: Range<Int>) -> UInt64? {
    guard 1...19 ~= range.count, line[range.lowerBound] != UInt8(ascii: "0") else { return nil }
    var value: UInt64 = 0
    var offset = range.lowerBound
    if range.count >= 8 {
      guard let first = eightDigits(line, at: offset) else { return nil }
      value = first
      offset &+= 8
    }
    // Apple's IDs have 15 digits, read as 8 and 7. The last digits of other IDs are read one by
    // one.
    if range.count == 15 { return sevenDigits(line, at: offset).map { value &* 10_000_000 &+ $0 } }
    while offset < range.upperBound {
      let digit = line[offset] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ UInt64(digit)
      offset &+= 1
    }
    return value < 1 << 62 ? value : nil
  }

  /// Reads eight digits at once.
  ///
  /// - Parameters:
  ///   - line: The line that holds them.
  ///   - offset: The offset of the first; seven more bytes must follow it.
  /// - Returns: The number, or nil if one of the bytes is not a digit.
  @inline(__always)
  private static func eightDigits(_ line: Span<UInt8>, at offset: Int) -> UInt64? {
    number(eightBytes(line, at: offset) ^ 0x3030_3030_3030_3030)
  }

  /// Reads seven digits at once.
  ///
  /// - Parameters:
  ///   - line: The line that holds them.
  ///   - offset: The offset of the first; one byte or more must come before it.
  /// - Returns: The number, or nil if one of the bytes is not a digit.
  @inline(__always)
  private static func sevenDigits(_ line: Span<UInt8>, at offset: Int) -> UInt64? {
    // The byte before them counts as 0.
    number((eightBytes(line, at: offset &- 1) ^ 0x3030_3030_3030_3030) & ~0xFF)
  }

  /// Returns the number of eight digits, given as bytes from 0 to 9.
  @inline(__always)
  private static func number(_ digits: UInt64) -> UInt64? {
    // The addition sets the top bit of a byte from 10 to 127; a larger byte has it already.
    let isWrong = (digits &+ 0x7676_7676_7676_7676) | digits
    guard isWrong & 0x8080_8080_8080_8080 == 0 else { return nil }
    // Pairs, then fours, then all eight; the first digit is the lowest byte.
    let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
  }
}
