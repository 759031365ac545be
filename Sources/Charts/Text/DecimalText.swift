/// Decimal digits of numbers, the same on every machine.
enum DecimalText {
  /// Returns 10 to a power.
  ///
  /// - Parameter exponent: From -300 to 300.
  /// - Returns: The nearest number.
  static func power(_ exponent: Int) -> Double { Double("1e\(exponent)") ?? 1 }

  /// Returns the power of ten of a number's first digit: 2 for 123, -2 for 0.05.
  ///
  /// - Parameter value: A finite number above zero.
  /// - Returns: The power.
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
  /// - Parameters:
  ///   - value: A number from -10^292 to 10^292.
  ///   - decimals: From 0 to 6.
  /// - Returns: The text.
  static func text(_ value: Double, decimals: Int) -> String {
    if value.magnitude >= 1e15 { return scientific(value) }
    var decimals = decimals
    while value.magnitude * power(decimals) >= 1e18 { decimals -= 1 }
    return text(Int((value * power(decimals)).rounded()), decimals: decimals)
  }

  /// Returns an integer with its point moved to the left: 123450 with two decimals is `1,234.50`.
  ///
  /// - Parameters:
  ///   - digits: The number without its point.
  ///   - decimals: The number of digits after the point, 0 or more.
  /// - Returns: The text.
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
