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
