/// How numbers become text: exactly, rounded half to even, with `.` as the decimal point everywhere.
///
/// Ratios and amounts stay integers until the last digit is known; only statistics, which arrive as `Double`, are
/// floating point. A number that rounds to zero has no sign.
package enum NumberStyle {
  /// Returns a ratio with six decimals: 31 of 40 is `0.775000`.
  ///
  /// - Parameters:
  ///   - numerator: The number above the line.
  ///   - denominator: The number below the line; not 0.
  /// - Returns: The exact ratio, rounded half to even.
  package static func rate(_ numerator: Int128, over denominator: Int128) -> String {
    Ratio(numerator, over: denominator).text(decimals: 6)
  }

  /// Returns a ratio as a percentage with two decimals: 31 of 40 is `77.50%`.
  ///
  /// - Parameters:
  ///   - numerator: The number above the line.
  ///   - denominator: The number below the line; not 0.
  /// - Returns: The exact percentage, rounded half to even, and a percent sign.
  package static func percentage(_ numerator: Int128, over denominator: Int128) -> String {
    Ratio(numerator, over: denominator).text(decimals: 2, shift: 2) + "%"
  }

  /// Returns a statistic with six decimals, rounded from its exact binary value.
  ///
  /// - Parameter fraction: The statistic, usually between 0 and 1.
  /// - Returns: `nil` when it is infinite, not a number, or past 10^31.
  package static func rate(_ fraction: Double) -> String? {
    Ratio(fraction)?.text(decimals: 6)
  }

  /// Returns a statistic as a percentage with two decimals, rounded from its exact binary value.
  ///
  /// - Parameter fraction: The statistic, usually between 0 and 1.
  /// - Returns: `nil` when it is infinite, not a number, or past 10^31.
  package static func percentage(_ fraction: Double) -> String? {
    Ratio(fraction).map { $0.text(decimals: 2, shift: 2) + "%" }
  }

  /// Returns an amount with two decimals, and a third when it is needed: `9.99`, `0.005`, `980.00`.
  ///
  /// - Parameter milliunits: The amount in thousandths: 9.99 is 9,990.
  /// - Returns: The exact amount, without a currency.
  package static func money(milliunits: Int128) -> String {
    Ratio(milliunits, over: 1000).text(decimals: milliunits % 10 == 0 ? 2 : 3)
  }

  /// Returns a number of hundredths with two decimals: 125 is `1.25`.
  ///
  /// - Parameter hundredths: The number in hundredths.
  /// - Returns: The exact number.
  package static func hundredths(_ hundredths: Int) -> String {
    Ratio(Int128(hundredths), over: 100).text(decimals: 2)
  }
}

/// A fraction taken apart into a sign and two magnitudes, so that nothing below can overflow.
private struct Ratio {
  private let isNegative: Bool
  private let numerator: UInt128
  private let denominator: UInt128

  init(_ numerator: Int128, over denominator: Int128) {
    precondition(denominator != 0, "a ratio has a denominator")
    isNegative = (numerator < 0) != (denominator < 0)
    self.numerator = numerator.magnitude
    self.denominator = denominator.magnitude
  }

  /// Takes the exact value of a Double; `nil` when it is not finite or does not fit.
  init?(_ value: Double) {
    guard value.isFinite, value.magnitude < 1e31 else { return nil }
    isNegative = value < 0
    let leastExponent = value.isNormal ? Int(value.exponent) - Double.significandBitCount : -1074
    let leadingBit: UInt64 = value.isNormal ? 1 << Double.significandBitCount : 0
    let significand = UInt128(value.significandBitPattern | leadingBit)
    if leastExponent >= 0 {
      numerator = significand << UInt128(leastExponent)
      denominator = 1
    } else if leastExponent >= -127 {
      numerator = significand
      denominator = 1 << UInt128(-leastExponent)
    } else {
      // Under 2^53 / 2^128: zero in any number of decimals that is printed.
      numerator = 0
      denominator = 1
    }
  }

  /// Returns the value times ten to the power of `shift`, rounded half to even.
  func text(decimals: Int, shift: Int = 0) -> String {
    let scale = UInt128(Self.power(decimals + shift))
    var (whole, rest) = divided(numerator)
    // `rest` is below the denominator, so the quotient is below `scale` and the division is exact.
    let fits = rest.leadingZeroBitCount + scale.leadingZeroBitCount >= UInt128.bitWidth
    var (part, remainder) =
      fits
      ? divided(rest * scale) : denominator.dividingFullWidth(rest.multipliedFullWidth(by: scale))
    let missing = denominator - remainder
    if remainder > missing || (remainder == missing && !part.isMultiple(of: 2)) { part += 1 }
    if part == scale {
      whole += 1
      part = 0
    }
    let sign = isNegative && (whole != 0 || part != 0) ? "-" : ""
    // The first `shift` digits of the part stand before the decimal point.
    let (moved, fraction) = UInt64(part).quotientAndRemainder(dividingBy: Self.power(decimals))
    let wholeText = whole == 0 ? String(moved) : String(whole) + Self.text(moved, digits: shift)
    return sign + wholeText + "." + Self.text(fraction, digits: decimals)
  }

  /// Returns a number's quotient by the denominator, and the remainder.
  private func divided(_ number: UInt128) -> (quotient: UInt128, remainder: UInt128) {
    // The denominator of a Double is a power of two: a shift is much faster than a division of 128 bits.
    guard denominator & (denominator - 1) == 0 else {
      return number.quotientAndRemainder(dividingBy: denominator)
    }
    return (number >> UInt128(denominator.trailingZeroBitCount), number & (denominator - 1))
  }

  private static func power(_ digits: Int) -> UInt64 {
    (0..<digits).reduce(1) { power, _ in power * 10 }
  }

  /// Returns a number with leading zeros.
  private static func text(_ number: UInt64, digits: Int) -> Substring {
    String(power(digits) + number).dropFirst()
  }
}
