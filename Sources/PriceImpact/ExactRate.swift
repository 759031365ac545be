import Tables

/// An exact fraction from 0 to 1 with a numerator and a denominator of any size.
struct ExactRate {
  private let numerator: NaturalNumber
  private let denominator: NaturalNumber

  private static let zero = ExactRate(numerator: NaturalNumber(0), denominator: NaturalNumber(1))
  private static let one = ExactRate(numerator: NaturalNumber(1), denominator: NaturalNumber(1))

  private init(numerator: NaturalNumber, denominator: NaturalNumber) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates the weighted mean of the rates of strata, of which a ``WeightedRate`` is the approximation.
  init(_ strata: [(weight: Int, successes: Int, trials: Int)]) {
    var sum = Self.zero
    for (weight, successes, trials) in strata {
      sum = sum.adding(
        ExactRate(
          numerator: NaturalNumber(UInt128(weight)) * NaturalNumber(UInt128(successes)),
          denominator: NaturalNumber(UInt128(trials))))
    }
    let total = strata.reduce(0) { $0 + $1.weight }
    numerator = sum.numerator
    denominator = sum.denominator * NaturalNumber(UInt128(total))
  }

  /// Whether the rate is 0.
  var isZero: Bool { numerator == NaturalNumber(0) }

  private func adding(_ other: ExactRate) -> ExactRate {
    ExactRate(
      numerator: numerator * other.denominator + other.numerator * denominator,
      denominator: denominator * other.denominator)
  }

  /// Returns this rate plus the change of another rate, clamped to 0…1.
  ///
  /// Example: 0.80 plus the change from 0.70 to 0.65 is 0.75.
  ///
  /// - Parameters:
  ///   - before: The other rate before.
  ///   - after: The other rate after.
  /// - Returns: The moved rate.
  func moved(from before: ExactRate, to after: ExactRate) -> ExactRate {
    let sum = adding(after)
    let above = sum.numerator * before.denominator
    let taken = before.numerator * sum.denominator
    guard above > taken else { return Self.zero }
    let moved = ExactRate(
      numerator: above - taken, denominator: sum.denominator * before.denominator)
    return moved.numerator < moved.denominator ? moved : Self.one
  }

  /// Returns the rate times an amount of money, rounded half to even to the milliunit.
  ///
  /// - Parameter milliunits: The amount; not negative.
  /// - Returns: The product, in milliunits.
  func part(of milliunits: Int128) -> Int128 {
    (NaturalNumber(UInt128(milliunits)) * numerator).dividedHalfToEven(by: denominator)
  }
}
