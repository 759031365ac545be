import Counting
package import Tables

/// The change of the renewal rate after an increase, compared with the change of a control without an increase.
///
/// METRICS.md section 6, "Comparison".
package struct ImpactComparison: Sendable {
  /// The conclusion about lost renewals.
  package enum Verdict: String, Sendable {
    /// Fewer than 30 subscriptions were reached.
    case tooFew = "too_few"
    /// No control is large enough.
    case noControl = "no_control"
    /// The rates of treated and control already moved apart before the change.
    case pretrend
    /// The interval contains 0, or control and reached have no age band in common.
    case undecided
    case moreChurn = "more_churn"
    case lessChurn = "less_churn"
  }

  /// The conclusion.
  package let verdict: Verdict
  /// The share of the reached that continued.
  package let renewalRate: WeightedRate?
  /// The number of treated periods of the matched strata before the change.
  package let baselineDue: Int
  /// The treated rate before the change, weighted by the ages of the reached.
  package let baselineRate: WeightedRate?
  /// The kind of control; `nil` without one.
  package let control: ImpactControl.Kind?
  /// The number of control periods of the matched strata before the change.
  package let controlBeforeDue: Int
  /// The control's rate before the change, weighted by the ages of the reached.
  package let controlBeforeRate: WeightedRate?
  /// The number of control periods of the matched strata after the change.
  package let controlAfterDue: Int
  /// The control's rate after the change, weighted by the ages of the reached.
  package let controlAfterRate: WeightedRate?
  /// The number of reached in strata that another group lacks.
  package let unmatched: Int
  /// The estimated share of renewals lost to the change; negative if more renewed.
  package let excessChurn: RateDifference?
  /// The indices of the age bands that all groups have.
  let matched: [Int]
  /// The estimated rate at which the reached would have renewed without the change.
  let counterfactual: ExactRate?

  /// Creates the comparison of a cohort: the renewals of its reached chains by ordinal, all renewals of the same price
  /// before the change, and the control.
  init(reached: [RenewalCounts], treated: RenewalGroup, control: ImpactControl?) {
    let all = reached.reduce(into: RenewalCounts()) { $0.merge($1, .plus) }
    let before = reached.indices.filter { reached[$0].due > 0 && treated.before[$0].due > 0 }
    let matched = before.filter { stratum in
      control.map { $0.group.before[stratum].due > 0 && $0.group.after[stratum].due > 0 } ?? true
    }
    self.matched = matched
    let isTooFew = all.due < ImpactControl.minimumDue
    let strata = Strata(reached: reached, matched: matched)
    let rate = { (group: [RenewalCounts]?) in isTooFew ? nil : group.flatMap(strata.rate) }

    renewalRate = isTooFew ? nil : all.rate
    baselineDue = strata.due(treated.before)
    baselineRate = rate(treated.before)
    self.control = control?.kind
    controlBeforeDue = control.map { strata.due($0.group.before) } ?? 0
    controlBeforeRate = rate(control?.group.before)
    controlAfterDue = control.map { strata.due($0.group.after) } ?? 0
    controlAfterRate = rate(control?.group.after)
    unmatched = all.due - strata.due(reached)
    guard let control, let after = rate(reached), let baselineRate, let controlBeforeRate,
      let controlAfterRate
    else {
      excessChurn = nil
      counterfactual = nil
      // Undecided: control and reached have no stratum in common.
      verdict = isTooFew ? .tooFew : control == nil ? .noControl : .undecided
      return
    }
    let change = Statistics.difference(after, baselineRate)
    let controlChange = Statistics.difference(controlAfterRate, controlBeforeRate)
    let excess = Statistics.difference(change, controlChange).negated
    excessChurn = excess
    counterfactual = strata.exactRate(treated.before).moved(
      from: strata.exactRate(control.group.before), to: strata.exactRate(control.group.after))
    verdict =
      Self.hasPretrend(treated, control.group)
      ? .pretrend : excess.spansZero ? .undecided : excess.value > 0 ? .moreChurn : .lessChurn
  }

  /// Returns whether the rates of treated and control moved apart between months -3 and -1 before the change.
  private static func hasPretrend(_ treated: RenewalGroup, _ control: RenewalGroup) -> Bool {
    let apart = { (month: Int) -> RateDifference? in
      guard let first = treated.month(month).rate, let second = control.month(month).rate else {
        return nil
      }
      return Statistics.difference(first, second)
    }
    guard let last = apart(-1), let first = apart(-3) else { return false }
    return !Statistics.difference(last, first).spansZero
  }
}

/// The strata present in all groups, weighted by the number of reached.
private struct Strata {
  let reached: [RenewalCounts]
  let matched: [Int]

  private func weighted(_ group: [RenewalCounts]) -> [(weight: Int, successes: Int, trials: Int)] {
    matched.map { (reached[$0].due, group[$0].renewed, group[$0].due) }
  }

  func due(_ group: [RenewalCounts]) -> Int { matched.reduce(0) { $0 + group[$1].due } }

  func rate(_ group: [RenewalCounts]) -> WeightedRate? {
    matched.isEmpty ? nil : WeightedRate(weighted(group))
  }

  func exactRate(_ group: [RenewalCounts]) -> ExactRate { ExactRate(weighted(group)) }
}

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
  func moved(from before: ExactRate, to after: ExactRate) -> ExactRate {
    let sum = adding(after)
    let above = sum.numerator * before.denominator
    let taken = before.numerator * sum.denominator
    guard above > taken else { return Self.zero }
    let moved = ExactRate(
      numerator: above - taken, denominator: sum.denominator * before.denominator)
    return moved.numerator < moved.denominator ? moved : Self.one
  }

  /// Returns the rate times an amount that is not negative, in milliunits, rounded half to even.
  func part(of milliunits: Int128) -> Int128 {
    (NaturalNumber(UInt128(milliunits)) * numerator).dividedHalfToEven(by: denominator)
  }
}
