/// An exact fraction, subtracted and compared without floating point.
///
/// It is not reduced, so that fractions of one denominator can be added by their numerators. Fractions of the same value
/// are equal, such as 1/2 and 2/4. Example: 5/40 - 3/30 is 1/40.
package struct ExactFraction: Comparable, Sendable {
  /// The number above the line, with the sign of the fraction.
  package let numerator: Int128
  /// The number below the line, above 0.
  package let denominator: Int128

  /// Creates a fraction, not reduced.
  ///
  /// The denominator is not 0; if it is negative, neither number may be the least `Int128`.
  package init(_ numerator: Int128, over denominator: Int128) {
    precondition(denominator != 0, "a fraction has a denominator")
    self.numerator = denominator < 0 ? -numerator : numerator
    self.denominator = denominator < 0 ? -denominator : denominator
  }

  /// The fraction as a cell.
  package var cell: ReportTable.Cell { .ratio(numerator: numerator, denominator: denominator) }

  /// The nearest floating-point number, or one beside it.
  package var approximate: Double { Double(numerator) / Double(denominator) }

  package static func == (left: ExactFraction, right: ExactFraction) -> Bool {
    order(left, right) == 0
  }

  package static func < (left: ExactFraction, right: ExactFraction) -> Bool {
    order(left, right) < 0
  }

  /// Returns -1, 0 or 1; the products have 256 bits, so that nothing overflows.
  private static func order(_ left: ExactFraction, _ right: ExactFraction) -> Int {
    let (first, second) = (left.numerator.signum(), right.numerator.signum())
    guard first == second, first != 0 else { return Int((first - second).signum()) }
    let one = left.numerator.magnitude.multipliedFullWidth(by: right.denominator.magnitude)
    let two = right.numerator.magnitude.multipliedFullWidth(by: left.denominator.magnitude)
    if (one.high, one.low) == (two.high, two.low) { return 0 }
    return ((one.high, one.low) < (two.high, two.low)) == (first > 0) ? -1 : 1
  }

  /// Returns the difference in lowest terms.
  ///
  /// Exact if the numerators and denominators before reduction have at most 127 bits, as those of rates of up to some
  /// three million subscribers. Beyond that it is rounded to twelve decimals; both fractions must then be less than
  /// 10^26 in size.
  package static func - (left: ExactFraction, right: ExactFraction) -> ExactFraction {
    let (first, second) = (left.reduced, right.reduced)
    let common = Int128(gcd(first.denominator.magnitude, second.denominator.magnitude))
    let (firstScale, secondScale) = (second.denominator / common, first.denominator / common)
    let parts = [
      first.numerator.multipliedReportingOverflow(by: firstScale),
      second.numerator.multipliedReportingOverflow(by: secondScale),
      first.denominator.multipliedReportingOverflow(by: firstScale),
    ]
    if parts.allSatisfy({ !$0.overflow }) {
      let numerator = parts[0].partialValue.subtractingReportingOverflow(parts[1].partialValue)
      if !numerator.overflow {
        return ExactFraction(numerator.partialValue, over: parts[2].partialValue).reduced
      }
    }
    return ExactFraction(first.rounded - second.rounded, over: scale).reduced
  }

  /// The fraction in lowest terms.
  private var reduced: ExactFraction {
    // At most the denominator, so that it fits.
    let common = Int128(gcd(numerator.magnitude, denominator.magnitude))
    return ExactFraction(numerator / common, over: denominator / common)
  }

  private static let scale: Int128 = 1_000_000_000_000

  /// The fraction in units of 10^-12, rounded half to even.
  private var rounded: Int128 {
    let magnitude =
      (NaturalNumber(numerator.magnitude) * NaturalNumber(UInt128(Self.scale)))
      .dividedHalfToEven(by: NaturalNumber(denominator.magnitude))
    return numerator < 0 ? -magnitude : magnitude
  }
}

/// Returns the greatest common divisor; that of 0 and a number is the number.
private func gcd(_ first: UInt128, _ second: UInt128) -> UInt128 {
  var (larger, smaller) = (first, second)
  while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
  return larger
}

/// Returns a difference; `nil` when it is too large.
private func difference<Number: FixedWidthInteger>(_ new: Number, _ old: Number) -> Number? {
  let (value, overflow) = new.subtractingReportingOverflow(old)
  return overflow ? nil : value
}

extension ReportTable.Cell {
  /// The number as a fraction; `nil` for a statistic, for words and for a missing cell.
  var exact: ExactFraction? {
    switch self {
    case .count(let count): ExactFraction(Int128(count), over: 1)
    case .money(let milliunits): ExactFraction(milliunits, over: 1_000)
    case .hundredths(let hundredths): ExactFraction(Int128(hundredths), over: 100)
    case .ratio(let numerator, let denominator): ExactFraction(numerator, over: denominator)
    case .missing, .text, .fraction: nil
    }
  }

  /// Returns the exact difference from an earlier number of the same kind, of rates as a rate; missing where one of the
  /// two is, for a statistic, and when it is too large.
  package func change(since before: Self) -> Self {
    switch (before, self) {
    case (.count(let old), .count(let new)):
      return difference(new, old).map(Self.count) ?? .missing
    case (.money(let old), .money(let new)):
      return difference(new, old).map(Self.money) ?? .missing
    case (.hundredths(let old), .hundredths(let new)):
      return difference(new, old).map(Self.hundredths) ?? .missing
    case (.ratio, .ratio):
      guard let old = before.exact, let new = exact else { return .missing }
      return (new - old).cell
    default: return .missing
    }
  }
}

/// A whole number of any size, 0 or more.
///
/// Money must stay exact until it is rounded, and a sum of fractions with many denominators overflows every built-in
/// integer. The numbers have a few hundred bits, so schoolbook arithmetic is fast enough.
package struct NaturalNumber: Comparable {
  /// The digits in base 2^32, lowest first, without leading zeros.
  private var digits: [UInt32]

  package init(_ value: UInt128) {
    self.init(digits: (0..<4).map { UInt32(truncatingIfNeeded: value >> (32 * $0)) })
  }

  private init(digits: [UInt32]) {
    self.digits = digits
    while self.digits.last == 0 { self.digits.removeLast() }
  }

  /// The value; `nil` if it has more than 128 bits.
  private var asUInt128: UInt128? {
    guard digits.count <= 4 else { return nil }
    return digits.reversed().reduce(0) { $0 << 32 | UInt128($1) }
  }

  private var bitWidth: Int { digits.count * 32 - (digits.last?.leadingZeroBitCount ?? 0) }

  private func digit(_ index: Int) -> UInt64 { index < digits.count ? UInt64(digits[index]) : 0 }

  package static func < (left: NaturalNumber, right: NaturalNumber) -> Bool {
    left.digits.count != right.digits.count
      ? left.digits.count < right.digits.count
      : left.digits.reversed().lexicographicallyPrecedes(right.digits.reversed())
  }

  package static func + (left: NaturalNumber, right: NaturalNumber) -> NaturalNumber {
    var carry: UInt64 = 0
    let sum = (0...max(left.digits.count, right.digits.count)).map { index in
      carry += left.digit(index) + right.digit(index)
      defer { carry >>= 32 }
      return UInt32(truncatingIfNeeded: carry)
    }
    return NaturalNumber(digits: sum)
  }

  /// Returns the difference; the right number must not be larger than the left.
  package static func - (left: NaturalNumber, right: NaturalNumber) -> NaturalNumber {
    precondition(right <= left, "a natural number is not negative")
    var borrow: UInt64 = 0
    let difference = left.digits.indices.map { index in
      let digit = left.digit(index) &- right.digit(index) &- borrow
      borrow = digit >> 63
      return UInt32(truncatingIfNeeded: digit)
    }
    return NaturalNumber(digits: difference)
  }

  package static func * (left: NaturalNumber, right: NaturalNumber) -> NaturalNumber {
    var product = [UInt32](repeating: 0, count: left.digits.count + right.digits.count)
    for (leftIndex, leftDigit) in left.digits.enumerated() {
      var carry: UInt64 = 0
      for rightIndex in right.digits.indices {
        carry +=
          UInt64(leftDigit) * right.digit(rightIndex) + UInt64(product[leftIndex + rightIndex])
        product[leftIndex + rightIndex] = UInt32(truncatingIfNeeded: carry)
        carry >>= 32
      }
      product[leftIndex + right.digits.count] = UInt32(carry)
    }
    return NaturalNumber(digits: product)
  }

  /// Returns the quotient, below 2^127, rounded to the nearest whole number, half to even; the divisor is above 0.
  package func dividedHalfToEven(by divisor: NaturalNumber) -> Int128 {
    if let own = asUInt128, let other = divisor.asUInt128 {
      let (quotient, rest) = own.quotientAndRemainder(dividingBy: other)
      return Int128(quotient + (Self.roundsUp(rest, other - rest, quotient) ? 1 : 0))
    }
    var quotient: UInt128 = 0
    let bits = min(max(bitWidth - divisor.bitWidth + 1, 0), 127)
    for bit in (0..<bits).reversed() {
      let larger = quotient | 1 << UInt128(bit)
      if NaturalNumber(larger) * divisor <= self { quotient = larger }
    }
    let rest = self - NaturalNumber(quotient) * divisor
    return Int128(quotient + (Self.roundsUp(rest, divisor - rest, quotient) ? 1 : 0))
  }

  /// Returns whether a quotient, rounded down, is to be rounded up, half to even; `missing` is the divisor minus the
  /// remainder.
  private static func roundsUp<Number: Comparable>(
    _ rest: Number, _ missing: Number, _ quotient: UInt128
  ) -> Bool {
    rest > missing || (rest == missing && !quotient.isMultiple(of: 2))
  }
}
