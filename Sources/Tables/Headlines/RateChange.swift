/// A numerator and a denominator in two months.
struct TwoMonths: Equatable, Sendable {
  var before = Ratio()
  var after = Ratio()

  /// A rate's counts.
  struct Ratio: Equatable, Sendable {
    var numerator = 0
    var denominator = 0

    /// The rate as a cell; missing when the denominator is 0.
    var cell: ReportTable.Cell { .rate(numerator, of: denominator) }

    /// Whether an interval of the rate can be computed.
    var hasInterval: Bool { denominator > 0 && (0...denominator).contains(numerator) }

    static func - (whole: Ratio, part: Ratio) -> Ratio {
      Ratio(
        numerator: whole.numerator - part.numerator,
        denominator: whole.denominator - part.denominator)
    }
  }
}

/// What one value of a dimension adds to the change of a rate of the whole: PAGE.md, "Drivers".
///
/// Source: E. M. Kitagawa, "Components of a difference between two rates", JASA 50 (1955). All numbers are exact
/// fractions. Example: A 6/100 → 6/100, B 8/100 → 24/200 and C 0/0 → 3/0 add 1/200, 1/40 and 1/100, together the
/// change of the whole from 14/200 to 33/300, 1/25.
struct RateChange {
  /// The contribution; all values of a dimension have the same denominator.
  let total: ExactFraction
  /// The part from another rate of this value.
  let rate: ExactFraction
  /// The part from another share of this value in the whole.
  var mix: ExactFraction { total - rate }
  /// The 95 % interval of `rate`; `nil` where it has none.
  let interval: Interval?

  /// Creates a contribution.
  ///
  /// - Parameters:
  ///   - part: The counts of the value.
  ///   - whole: The counts of the whole; no denominator is 0.
  init(_ part: TwoMonths, of whole: TwoMonths) {
    let (n0, d0) = (Int128(part.before.numerator), Int128(part.before.denominator))
    let (n1, d1) = (Int128(part.after.numerator), Int128(part.after.denominator))
    let (allN0, allD0) = (Int128(whole.before.numerator), Int128(whole.before.denominator))
    let (allN1, allD1) = (Int128(whole.after.numerator), Int128(whole.after.denominator))
    let both = allD0 * allD1
    total = ExactFraction(
      2 * both * (n1 * allD0 - n0 * allD1)
        - (d1 * allD0 - d0 * allD1) * (allN0 * allD1 + allN1 * allD0),
      over: 2 * both * both)
    guard d0 > 0, d1 > 0 else {
      rate = ExactFraction((d1 == 0 ? n1 * allD0 : 0) - (d0 == 0 ? n0 * allD1 : 0), over: both)
      interval = nil
      return
    }
    let weights = d0 * allD1 + d1 * allD0
    rate = ExactFraction(weights * (n1 * d0 - n0 * d1), over: 2 * both * d0 * d1)
    guard part.before.hasInterval, part.after.hasInterval else {
      interval = nil
      return
    }
    let difference = Statistics.difference(
      WeightedRate(part.after.numerator, of: part.after.denominator),
      WeightedRate(part.before.numerator, of: part.before.denominator))
    let weight = Double(weights) / Double(2 * both)
    interval = Interval(low: difference.low * weight, high: difference.high * weight)
  }
}

/// An exact fraction.
struct ExactFraction: Equatable {
  let numerator: Int128
  /// Above 0.
  let denominator: Int128

  /// Creates a fraction, not reduced.
  init(_ numerator: Int128, over denominator: Int128) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The fraction as a cell.
  var cell: ReportTable.Cell { .ratio(numerator: numerator, denominator: denominator) }

  /// Returns the difference.
  ///
  /// Exact while its numerator and denominator have at most 127 bits, for up to some three million subscribers;
  /// beyond that it is rounded to twelve decimals.
  static func - (left: ExactFraction, right: ExactFraction) -> ExactFraction {
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
        return ExactFraction(numerator.partialValue, over: parts[2].partialValue)
      }
    }
    return ExactFraction(first.rounded - second.rounded, over: scale)
  }

  /// The fraction in lowest terms.
  private var reduced: ExactFraction {
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
