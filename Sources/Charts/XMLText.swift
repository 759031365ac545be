/// Escapes text for XML and HTML: the one place that does.
enum XMLText {
  /// Returns text that is safe between tags and in quoted attributes.
  ///
  /// Goes by scalars, not by letters: `"` with a combining mark is still a quotation mark. Control characters become
  /// U+FFFD.
  ///
  /// Line feeds stay, as `&#10;`, if `keepsLines`.
  static func escaped(_ text: String, keepsLines: Bool = false) -> String {
    guard text.utf8.contains(where: isSpecial) else { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: bytes += "&amp;".utf8
      case 0x3C: bytes += "&lt;".utf8
      case 0x3E: bytes += "&gt;".utf8
      case 0x22: bytes += "&#34;".utf8
      case 0x27: bytes += "&#39;".utf8
      case 0x0A where keepsLines: bytes += "&#10;".utf8
      case 0..<0x20, 0x7F..<0xA0, 0xFFFE...0xFFFF: bytes += "\u{FFFD}".utf8
      case 0..<0x80: bytes.append(UInt8(scalar.value))
      default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether a byte may belong to something that is written in another way.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x22, 0x26, 0x27, 0x3C, 0x3E, 0x7F...: true
    default: false
    }
  }
}

extension String {
  /// The text for use inside other text: its direction of writing does not change that of its neighbours.
  ///
  /// Text with right-to-left letters or marks of direction stands between U+2068 and U+2069. Such isolates inside it are
  /// left out, since they could end the outer one.
  var isolated: String {
    guard unicodeScalars.contains(where: Self.changesDirection) else { return self }
    var text = "\u{2068}"
    text.unicodeScalars.append(contentsOf: unicodeScalars.filter { !(0x2066...0x2069 ~= $0.value) })
    return text + "\u{2069}"
  }

  private static func changesDirection(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8FF, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFB1D...0xFDFF,
      0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }
}

/// Decimal digits of numbers, the same on every machine.
enum DecimalText {
  /// Returns 10 to a power from -300 to 300.
  static func power(_ exponent: Int) -> Double { Double("1e\(exponent)") ?? 1 }

  /// Returns the power of ten of a number's first digit: 2 for 123, -2 for 0.05.
  static func exponent(of value: Double) -> Int {
    // 1,233 / 4,096 is the logarithm of 2, so that the estimate is off by one at most.
    var estimate = (Int(value.exponent) * 1_233) >> 12
    while value >= power(estimate + 1) { estimate += 1 }
    while value < power(estimate) { estimate -= 1 }
    return estimate
  }

  /// Returns a number with grouped thousands: 1234.5 with two decimals is `1,234.50`.
  ///
  /// Halves are rounded away from zero. From 10^15 on, it has one decimal and a power of ten: `1.5e15`.
  ///
  /// The number is from -10^292 to 10^292, with 0 to 6 decimals.
  static func text(_ value: Double, decimals: Int) -> String {
    if value.magnitude >= 1e15 { return scientific(value) }
    var decimals = decimals
    while value.magnitude * power(decimals) >= 1e18 { decimals -= 1 }
    return text(Int((value * power(decimals)).rounded()), decimals: decimals)
  }

  /// Returns an integer with its point moved to the left: 123450 with two decimals is `1,234.50`.
  static func text(_ digits: Int, decimals: Int) -> String {
    var bytes = Array(String(digits.magnitude).utf8)
    let zero = UInt8(ascii: "0")
    if bytes.count <= decimals {
      bytes.insert(contentsOf: repeatElement(zero, count: decimals + 1 - bytes.count), at: 0)
    }
    let whole = bytes.count - decimals
    var text = digits < 0 ? "-" : ""
    for (index, byte) in bytes.enumerated() {
      if index == whole { text += "." }
      if index > 0, index < whole, (whole - index).isMultiple(of: 3) { text += "," }
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return text
  }

  private static func scientific(_ value: Double) -> String {
    var exponent = exponent(of: value.magnitude)
    var tenths = Int((value.magnitude / power(exponent) * 10).rounded())
    if tenths >= 100 { (exponent, tenths) = (exponent + 1, 10) }
    return (value < 0 ? "-" : "") + text(tenths, decimals: 1) + "e\(exponent)"
  }
}
