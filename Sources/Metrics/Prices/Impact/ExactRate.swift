/// A fraction from 0 to 1 that is exact whatever its denominator.
struct ExactRate {
  private let numerator: Natural
  private let denominator: Natural

  private static let zero = ExactRate(numerator: Natural(0), denominator: Natural(1))
  private static let one = ExactRate(numerator: Natural(1), denominator: Natural(1))

  private init(numerator: Natural, denominator: Natural) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Creates the rate of strata that count by weights: the exact one of a ``WeightedRate``.
  init(_ strata: [(weight: Int, successes: Int, trials: Int)]) {
    var sum = Self.zero
    for (weight, successes, trials) in strata {
      sum = sum.adding(
        ExactRate(
          numerator: Natural(UInt128(weight)) * Natural(UInt128(successes)),
          denominator: Natural(UInt128(trials))))
    }
    let total = strata.reduce(0) { $0 + $1.weight }
    numerator = sum.numerator
    denominator = sum.denominator * Natural(UInt128(total))
  }

  /// Whether it is nothing.
  var isZero: Bool { numerator == Natural(0) }

  private func adding(_ other: ExactRate) -> ExactRate {
    ExactRate(
      numerator: numerator * other.denominator + other.numerator * denominator,
      denominator: denominator * other.denominator)
  }

  /// Returns this rate moved by the change of another one, clamped to 0…1.
  ///
  /// - Parameters:
  ///   - before: What the other one was.
  ///   - after: What it has become.
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

  /// Returns this part of an amount of money, rounded half to even to the milliunit.
  ///
  /// - Parameter milliunits: The amount; not negative.
  /// - Returns: The part, in milliunits.
  func part(of milliunits: Int128) -> Int128 {
    (Natural(UInt128(milliunits)) * numerator).dividedHalfToEven(by: denominator)
  }
}
