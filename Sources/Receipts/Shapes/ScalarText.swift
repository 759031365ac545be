import Scanning

/// Reads values of dumps with mixed types: numbers as strings, booleans as numbers, "" for a
/// missing value.
enum ScalarText {
  /// Returns a boolean: true for `true`, `1`, `t`, `yes` and `y`, also as text, and for `1.0`; false for their
  /// opposites; else nil.
  static func flag(_ value: JSONScalar, _ text: Span<UInt8>) -> Bool? {
    switch value.kind {
    case .true: true
    case .false: false
    case .string, .number: flag(text, trimmed(text, value.range))
    case .null, .object, .array: nil
    }
  }

  /// Returns the boolean of a text without blanks around it.
  static func flag(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool? {
    if isWord("1", text, range) || isWord("true", text, range) { return true }
    if isWord("0", text, range) || isWord("false", text, range) { return false }
    let range = whole(text, range)
    if ["1", "t", "yes", "y", "on"].contains(where: { isWord($0, text, range) }) { return true }
    return ["0", "f", "no", "n", "off"].contains { isWord($0, text, range) } ? false : nil
  }

  /// Returns a whole number; nil if the text is not one or it does not fit 64 bits.
  static func integer(_ value: JSONScalar, _ text: Span<UInt8>) -> Int? {
    ByteNumber.integer(text, whole(text, trimmed(text, value.range)))
  }

  /// Returns the part of a number before a fraction of zeros.
  ///
  /// Programs that keep a column with gaps as decimals write `1.0` for 1.
  private static func whole(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    guard range.count > 2, text[range.upperBound - 1] == 0x30,
      let point = range.first(where: { text[$0] == UInt8(ascii: ".") }),
      (point + 1..<range.upperBound).allSatisfy({ text[$0] == 0x30 })
    else { return range }
    return range.lowerBound..<point
  }

  /// Returns a number rounded down; nil if it is negative, not a number, or 10^18 or more.
  ///
  /// Xcode writes `1697679936049.7297`, and spreadsheets write `1.697679936e12`.
  static func flooredNumber(_ text: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    var value: Int64 = 0
    var offset = range.lowerBound
    let limit: Int64 = 100_000_000_000_000_000
    while offset < range.upperBound, text[offset] &- 0x30 <= 9 {
      guard value < limit else { return nil }
      value = value &* 10 &+ Int64(text[offset] &- 0x30)
      offset &+= 1
    }
    guard offset > range.lowerBound else { return nil }
    if offset == range.upperBound { return value }
    return withFraction(value, text, offset..<range.upperBound)
  }

  /// Continues a number after its whole part, with a fraction, an exponent, or both.
  private static func withFraction(
    _ whole: Int64, _ text: Span<UInt8>, _ rest: Range<Int>
  ) -> Int64? {
    var offset = rest.lowerBound
    var fraction = rest.lowerBound..<rest.lowerBound
    if text[offset] == UInt8(ascii: ".") {
      offset += 1
      let start = offset
      while offset < rest.upperBound, text[offset] &- 0x30 <= 9 { offset += 1 }
      fraction = start..<offset
      if fraction.isEmpty { return nil }
    }
    if offset == rest.upperBound { return whole }
    guard text[offset] | 0x20 == UInt8(ascii: "e"),
      let exponent = ByteNumber.integer(text, offset + 1..<rest.upperBound), 0...18 ~= exponent
    else { return nil }
    var value = whole
    for place in 0..<exponent {
      guard value < 100_000_000_000_000_000 else { return nil }
      let digit = place < fraction.count ? text[fraction.lowerBound + place] &- 0x30 : 0
      value = value * 10 + Int64(digit)
    }
    return value
  }

  /// Returns whether a text equals a word, ignoring case.
  static func isWord(_ word: String, _ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard range.count == word.utf8.count else { return false }
    var offset = range.lowerBound
    for letter in word.utf8 {
      let byte = text[offset]
      if byte != letter, lowered(byte) != lowered(letter) { return false }
      offset &+= 1
    }
    return true
  }

  /// Returns whether a text is one of Apple's values such as `FAMILY_SHARED`, also as libraries write it: `familyShared`,
  /// `Family-Shared`.
  static func isValue(_ value: String, _ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var offset = range.lowerBound
    for letter in value.utf8 where letter != UInt8(ascii: "_") {
      while offset < range.upperBound, isJoint(text[offset]) { offset &+= 1 }
      guard offset < range.upperBound, lowered(text[offset]) == lowered(letter) else {
        return false
      }
      offset &+= 1
    }
    return offset == range.upperBound
  }

  /// Returns whether a byte is a space, a hyphen or an underscore.
  private static func isJoint(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  /// Returns whether a text contains a word, ignoring case.
  static func contains(_ word: String, _ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let count = word.utf8.count
    guard range.count >= count else { return false }
    return (range.lowerBound...range.upperBound - count).contains { start in
      isWord(word, text, start..<start + count)
    }
  }

  /// Returns whether a text has only zeros, which stand for a missing id; true for an empty text.
  static func isAllZeros(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    for offset in range where text[offset] != UInt8(ascii: "0") { return false }
    return true
  }

  /// Returns whether a text has at least one letter, or one digit other than 0.
  static func saysSomething(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    range.contains { offset in
      let byte = text[offset]
      let isDigit = byte &- UInt8(ascii: "1") < 9
      return isDigit || lowered(byte) &- UInt8(ascii: "a") < 26 || byte >= 0x80
    }
  }

  /// Returns whether a text stands for a missing value: it is empty, or one of the words null, nil and none.
  static func isMissing(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    range.isEmpty || ["null", "nil", "none"].contains { isWord($0, text, range) }
  }

  /// Returns whether a text stands for a missing id or name, as databases and programs write it: `(null)`, `\N`, `NaN`.
  static func isMissingID(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard let first = range.first else { return true }
    if range.count > 20 || text[first] &- 0x30 <= 9 { return false }
    var core = range
    while let first = core.first, isSign(text[first]) { core.removeFirst() }
    while let last = core.last, isSign(text[last]) { core.removeLast() }
    // A masked id is there, a dash is none.
    if core.isEmpty { return range.allSatisfy { text[$0] == UInt8(ascii: "-") } }
    let others = ["undefined", "nan", "nat", "na", "n/a", "unknown", "object object"]
    return isMissing(text, core) || isWord("\\N", text, range)
      || others.contains { isWord($0, text, core) }
  }

  /// Returns whether a byte is neither a letter nor a digit.
  private static func isSign(_ byte: UInt8) -> Bool {
    byte < 0x80 && byte &- 0x30 > 9 && lowered(byte) &- UInt8(ascii: "a") >= 26
  }

  /// Returns whether a text is a number, of any size and sign.
  static func isNumber(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let isSigned = range.first.map { text[$0] == UInt8(ascii: "-") } ?? false
    let digits = range.dropFirst(isSigned ? 1 : 0)
    if digits.allSatisfy({ text[$0] &- 0x30 <= 9 }) { return !digits.isEmpty }
    return flooredNumber(text, digits.startIndex..<digits.endIndex) != nil
  }

  /// Returns a price in milliunits: a whole number, 0 or more; nil for any other text.
  static func price(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
    guard let number = flooredNumber(text, range) else { return nil }
    // `9990.0` is whole, `9990.5` is not.
    let point = range.first { text[$0] &- 0x30 > 9 } ?? range.upperBound
    let fraction = point..<range.upperBound
    return fraction.dropFirst().allSatisfy { text[$0] == 0x30 } ? Int(number) : nil
  }

  /// Returns a decimal in milliunits, rounded half up; nil for any other text.
  ///
  /// A service that divides a price writes more than three decimals.
  static func roundedMilliunits(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
    let point = range.first { text[$0] == UInt8(ascii: ".") } ?? range.upperBound
    let kept = range.lowerBound..<min(range.upperBound, point + 4)
    guard case .value(let milliunits) = ByteNumber.milliunits(text, kept),
      (kept.upperBound..<range.upperBound).allSatisfy({ text[$0] &- 0x30 <= 9 })
    else { return nil }
    let isUp = kept.upperBound < range.upperBound && text[kept.upperBound] >= UInt8(ascii: "5")
    return Int(milliunits) + (isUp ? 1 : 0)
  }

  /// Returns the value of a UUID, such as `002e14d5-51f5-4503-b5a8-c3a1af68eb20`; nil for other text.
  static func uuid(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt128? {
    guard range.count == 36 else { return nil }
    var value: UInt128 = 0
    for place in 0..<36 {
      let byte = text[range.lowerBound + place]
      if place == 8 || place == 13 || place == 18 || place == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let letter = lowered(byte)
      switch letter {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt128(letter - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt128(letter - 0x57)
      default: return nil
      }
    }
    return value
  }

  /// Returns an ASCII letter in lower case, and any other byte unchanged.
  static func lowered(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}
