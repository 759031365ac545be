package import Tables

/// How numbers become text: exactly, rounded half to even, with `.` as the decimal point everywhere.
///
/// Ratios and amounts stay integers until the last digit is known; only statistics, which arrive as `Double`, are
/// floating point. A number that rounds to zero has no sign.
package enum NumberStyle {
  /// Returns a ratio with six decimals, rounded half to even: 31 of 40 is `0.775000`; the denominator is not 0.
  package static func rate(_ numerator: Int128, over denominator: Int128) -> String {
    Ratio(numerator, over: denominator).text(decimals: 6)
  }

  /// Returns a ratio as a percentage with two decimals, rounded half to even: 31 of 40 is `77.50%`.
  package static func percentage(_ numerator: Int128, over denominator: Int128) -> String {
    Ratio(numerator, over: denominator).text(decimals: 2, shift: 2) + "%"
  }

  /// Returns a statistic with six decimals, rounded from its exact binary value; `nil` if it is not finite, or past
  /// 10^31.
  package static func rate(_ fraction: Double) -> String? {
    Ratio(fraction)?.text(decimals: 6)
  }

  /// Returns a statistic as a percentage with two decimals; `nil` if it is not finite, or past 10^31.
  package static func percentage(_ fraction: Double) -> String? {
    Ratio(fraction).map { $0.text(decimals: 2, shift: 2) + "%" }
  }

  /// Returns an amount in thousandths with two decimals, and a third when it is needed: `9.99`, `0.005`, `980.00`.
  package static func money(milliunits: Int128) -> String {
    Ratio(milliunits, over: 1000).text(decimals: milliunits % 10 == 0 ? 2 : 3)
  }

  /// Returns a number of hundredths with two decimals: 125 is `1.25`.
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
    let scale = Self.power(decimals + shift)
    let (whole, part) = rounded(scale)
    let isNegative = isNegative && (whole != 0 || part != 0)
    if let whole = UInt64(exactly: whole) {
      let (product, overflows) = whole.multipliedReportingOverflow(by: scale)
      let (number, carries) = product.addingReportingOverflow(part)
      if !overflows, !carries {
        return Self.text(number, decimals: decimals, isNegative: isNegative)
      }
    }
    // The first `shift` digits of the part stand before the decimal point.
    let digits = String(scale + part).dropFirst()
    let point = digits.index(digits.startIndex, offsetBy: shift)
    return "\(isNegative ? "-" : "")\(whole)\(digits[..<point]).\(digits[point...])"
  }

  /// Returns the whole part, and the rest in units of `1 / scale`, rounded half to even.
  private func rounded(_ scale: UInt64) -> (whole: UInt128, part: UInt64) {
    if let above = UInt64(exactly: numerator), let below = UInt64(exactly: denominator) {
      let (whole, part) = Self.rounded(above, over: below, scale)
      return (UInt128(whole), part)
    }
    let (whole, part) = Self.rounded(numerator, over: denominator, UInt128(scale))
    return (whole, UInt64(part))
  }

  private static func rounded<Number: FixedWidthInteger & UnsignedInteger>(
    _ numerator: Number, over denominator: Number, _ scale: Number
  ) -> (whole: Number, part: Number) where Number.Magnitude == Number {
    var (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
    // `rest` is below the denominator, so the quotient is below `scale` and the division is exact.
    var (part, remainder) = denominator.dividingFullWidth(rest.multipliedFullWidth(by: scale))
    let missing = denominator - remainder
    if remainder > missing || (remainder == missing && !part.isMultiple(of: 2)) { part += 1 }
    if part == scale {
      whole += 1
      part = 0
    }
    return (whole, part)
  }

  private static func power(_ digits: Int) -> UInt64 {
    (0..<digits).reduce(1) { power, _ in power * 10 }
  }

  /// Returns a number in units of its last decimal as text: 5 with 2 decimals is `0.05`.
  private static func text(_ number: UInt64, decimals: Int, isNegative: Bool) -> String {
    var digits = 1
    var bound: UInt64 = 10
    while digits < 19, number >= bound {
      digits += 1
      bound *= 10
    }
    if number >= bound { digits = 20 }
    let count = max(digits, decimals + 1) + 1
    let length = count + (isNegative ? 1 : 0)
    // Safe: every byte up to `length`, the capacity, is written.
    return unsafe String(unsafeUninitializedCapacity: length) { buffer in
      var rest = number
      for place in 0..<count {
        let index = length - 1 - place
        if place == decimals {
          unsafe buffer[index] = UInt8(ascii: ".")
        } else {
          unsafe buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
      }
      if isNegative { unsafe buffer[0] = UInt8(ascii: "-") }
      return length
    }
  }
}

/// How numbers become text on terminals and pages: with thousands grouped, amounts with their currency's decimals.
extension NumberStyle {
  /// Returns a count with its thousands grouped: 1234567 is `1,234,567`.
  package static func grouped(_ count: Int) -> String { grouped(String(count)) }

  /// Returns an amount for people: 1,234,560 milliunits are `1,234.56` USD and `1,234.56` JPY, 1,234,000 `1,234` JPY.
  ///
  /// An amount has its currency's decimals, and two or three where it has a part of the smallest unit: nothing is rounded.
  package static func amount(milliunits: Int128, currency: String) -> String {
    let needed = milliunits % 1_000 == 0 ? 0 : milliunits % 10 == 0 ? 2 : 3
    let decimals = max(CurrencyDecimals.of(currency), needed)
    let digits = money(milliunits: milliunits)
    guard let point = digits.firstIndex(of: ".") else { return grouped(digits) }
    let fraction = digits[digits.index(after: point)...]
    let whole = grouped(String(digits[..<point]))
    if decimals == 0 { return whole }
    let zeros = String(repeating: "0", count: max(0, decimals - fraction.count))
    return whole + "." + fraction.prefix(decimals) + zeros
  }

  /// Returns a difference with its sign: `+8`, `-19.17`, and of rates in points `-3.10`.
  ///
  /// A difference that is printed as zero has no sign; words and missing cells give `nil`.
  package static func signed(_ change: ReportTable.Cell, currency: String = "") -> String? {
    let digits: String
    switch change {
    case .count(let count): digits = grouped(count)
    case .ratio(let numerator, let denominator):
      digits = grouped(String(percentage(numerator, over: denominator).dropLast()))
    case .money(let milliunits): digits = amount(milliunits: milliunits, currency: currency)
    case .hundredths(let hundredths): digits = grouped(self.hundredths(hundredths))
    case .fraction(let fraction):
      guard let text = percentage(fraction) else { return nil }
      digits = grouped(String(text.dropLast()))
    case .missing, .text: return nil
    }
    let isPositive = !digits.hasPrefix("-") && digits.contains { ("1"..."9").contains($0) }
    return isPositive ? "+" + digits : digits
  }

  /// Groups the thousands before the point of a printed number.
  static func grouped(_ number: String) -> String {
    let bytes = Array(number.utf8)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let first = bytes.firstIndex(where: digits.contains) ?? bytes.endIndex
    let end = bytes[first...].firstIndex { !digits.contains($0) } ?? bytes.endIndex
    guard end - first > 3 else { return number }
    var grouped: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if index > first, index < end, (end - index).isMultiple(of: 3) {
        grouped.append(UInt8(ascii: ","))
      }
      grouped.append(byte)
    }
    return String(decoding: grouped, as: UTF8.self)
  }
}

/// How many decimals a currency has: ISO 4217's minor units.
///
/// Only terminals and pages use it; files for programs write every amount in one way.
package enum CurrencyDecimals {
  /// Currencies without a smaller unit.
  private static let none: Set = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
    "VUV",
    "XAF", "XOF", "XPF",
  ]
  /// Currencies whose smaller unit is a thousandth.
  private static let three: Set = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

  /// Returns the number of decimals; 2 for a currency that is not known.
  package static func of(_ currency: String) -> Int {
    none.contains(currency) ? 0 : three.contains(currency) ? 3 : 2
  }
}

/// Returns a number and its noun for people, such as `1 row` or `1,096 rows`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(NumberStyle.grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}
