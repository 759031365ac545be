#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A pair of bounds between 0 and 1.
package struct Interval: Equatable, Sendable {
  /// The lower bound.
  package var low: Double
  /// The upper bound.
  package var high: Double
}

/// The statistics that the tables use; test vectors in METRICS.md section 5.
package enum Statistics {
  /// The standard normal quantile of a 95 % interval.
  package static let z = 1.959964

  /// Returns the 95 % Wilson score interval of a proportion.
  ///
  /// Source: E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference",
  /// JASA 22 (1927). 31 of 40 gives 0.6250 to 0.8768.
  ///
  /// `nil` when `trials` is 0 or `successes` exceeds it.
  package static func wilson(_ successes: Int, of trials: Int) -> Interval? {
    guard trials > 0, successes >= 0, successes <= trials else { return nil }
    return wilson(WeightedRate(successes, of: trials))
  }

  /// One step of a Kaplan-Meier curve.
  package struct SurvivalStep: Equatable, Sendable {
    /// The share that survived up to and including the step.
    package var survival: Double
    /// The standard error of the survival by Greenwood's formula; 0 at survival 0 or 1.
    package var standardError: Double
    /// The 95 % log-log interval; `nil` at survival 0 or 1.
    package var interval: Interval?
  }

  /// Returns the Kaplan-Meier curve of steps in order.
  ///
  /// Source: E. L. Kaplan and P. Meier, JASA 53 (1958); interval on log(-log S) with Greenwood's
  /// variance. Steps (370, 74), (176, 18), (72, 6) give 0.8000, 0.7182, 0.6583.
  ///
  /// There is a value per step; a step with 0 at risk repeats the value before.
  package static func kaplanMeier(_ steps: [(atRisk: Int, lost: Int)]) -> [SurvivalStep] {
    var survival = 1.0
    var greenwood = 0.0
    var isCertain = true
    return steps.map { step in
      if step.atRisk > 0, step.lost > 0 {
        survival *= 1 - Double(step.lost) / Double(step.atRisk)
        isCertain = false
        if step.lost < step.atRisk {
          greenwood += Double(step.lost) / (Double(step.atRisk) * Double(step.atRisk - step.lost))
        } else {
          survival = 0
        }
      }
      guard !isCertain, survival > 0 else {
        return SurvivalStep(survival: survival, standardError: 0, interval: nil)
      }
      let spread = z * greenwood.squareRoot() / log(survival)
      // The logarithm is negative, and so is the spread.
      return SurvivalStep(
        survival: survival, standardError: survival * greenwood.squareRoot(),
        interval: Interval(low: pow(survival, exp(-spread)), high: pow(survival, exp(spread))))
    }
  }

  /// Returns the place of a quantile, 1 to 100 percent, among sorted values: `ceil(p · n)`, from 1.
  package static func rank(percent: Int, of count: Int) -> Int {
    max(1, (percent * count + 99) / 100)
  }

  /// Returns the nearest-rank quantile of a histogram, `sorted[ceil(p · n) - 1]`; `nil` when the histogram is empty.
  package static func nearestRank(percent: Int, of histogram: [Int: Int]) -> Int? {
    let total = histogram.values.reduce(0, +)
    guard total > 0 else { return nil }
    var rank = rank(percent: percent, of: total)
    for value in histogram.keys.sorted() {
      rank -= histogram[value] ?? 0
      if rank <= 0 { return value }
    }
    return nil
  }
}

/// A rate and its effective sample size.
package struct WeightedRate: Equatable, Sendable {
  /// The rate, 0 to 1.
  package var rate: Double
  /// The number of equally weighted cases that would give the same precision; without weights, their number.
  package var effectiveSize: Double

  /// Creates a rate of cases of equal weight, at least one.
  package init(_ successes: Int, of trials: Int) {
    rate = Double(successes) / Double(trials)
    effectiveSize = Double(trials)
  }

  /// Creates a rate from weighted strata.
  ///
  /// The effective size is `1 / Σ(w² / n)`, with the weights scaled to a sum of 1: L. Kish, "Survey
  /// Sampling" (1965).
  ///
  /// There is at least one stratum, and none with 0 trials or weight 0.
  package init(_ strata: [(weight: Int, successes: Int, trials: Int)]) {
    let total = Double(strata.reduce(0) { $0 + $1.weight })
    var rate = 0.0
    var variance = 0.0
    for (weight, successes, trials) in strata {
      let share = Double(weight) / total
      rate += share * Double(successes) / Double(trials)
      variance += share * share / Double(trials)
    }
    self.rate = min(1, rate)
    effectiveSize = 1 / variance
  }
}

/// A difference of rates, with its 95 % interval.
package struct RateDifference: Equatable, Sendable {
  /// The difference.
  package var value: Double
  /// The lower bound.
  package var low: Double
  /// The upper bound.
  package var high: Double

  /// Creates a difference, or a rate with its interval.
  package init(value: Double, low: Double, high: Double) {
    self.value = value
    self.low = low
    self.high = high
  }

  /// The difference with the opposite sign: a gain read as a loss.
  package var negated: RateDifference { RateDifference(value: -value, low: -high, high: -low) }

  /// Half the interval's width: about the smallest difference that the samples can show.
  package var detectable: Double { (high - low) / 2 }

  /// Whether the interval contains 0, bounds included.
  package var spansZero: Bool { low <= 0 && high >= 0 }
}

extension Statistics {
  /// Returns the Wilson score interval of a weighted rate, whose effective size takes the place of the number of
  /// trials: of 95 %, 0.625 of 40 gives 0.4703 to 0.7578.
  ///
  /// `z` is its standard normal quantile.
  package static func wilson(_ sample: WeightedRate, z: Double = z) -> Interval {
    let n = sample.effectiveSize
    let p = sample.rate
    let denominator = 1 + z * z / n
    let center = (p + z * z / (2 * n)) / denominator
    let half = z / denominator * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    return Interval(
      low: p <= 0 ? 0 : max(0, center - half), high: p >= 1 ? 1 : min(1, center + half))
  }

  /// Returns the difference of two rates with Newcombe's hybrid score interval.
  ///
  /// Source: R. G. Newcombe, "Interval estimation for the difference between independent proportions",
  /// Statistics in Medicine 17 (1998), method 10. 56 of 70 less 48 of 80 is 0.2, from 0.0524 to 0.3339.
  ///
  /// The second rate is subtracted; `z` is the standard normal quantile of the interval.
  package static func difference(
    _ first: WeightedRate, _ second: WeightedRate, z: Double = z
  ) -> RateDifference {
    let firstBounds = wilson(first, z: z)
    let secondBounds = wilson(second, z: z)
    return difference(
      RateDifference(value: first.rate, low: firstBounds.low, high: firstBounds.high),
      RateDifference(value: second.rate, low: secondBounds.low, high: secondBounds.high))
  }

  /// The standard normal quantile of a 99 % interval.
  static let zOf99 = 2.575829

  /// Returns the difference of a month's rate from that of earlier months together, with a 99 % interval.
  ///
  /// Both sizes are divided by how much more the earlier months differ than chance explains, which is Pearson's dispersion
  /// (P. McCullagh, J. A. Nelder, "Generalized Linear Models", 1989, 4.5), at least 1. Of 60 of 500 after six months with
  /// 30, 34, 28, 32, 29 and 31 of 500 it is 0.058667, from 0.023884 to 0.102404.
  ///
  /// There are at least two earlier months; all counts have an interval.
  package static func departure(
    of month: TwoMonths.Ratio, from earlier: [TwoMonths.Ratio]
  ) -> RateDifference {
    let sum = TwoMonths.Ratio.sum(earlier)
    var (now, then) = (
      WeightedRate(month.numerator, of: month.denominator),
      WeightedRate(sum.numerator, of: sum.denominator)
    )
    if then.rate > 0, then.rate < 1 {
      let squares = earlier.map { ratio in
        let expected = Double(ratio.denominator) * then.rate
        let difference = Double(ratio.numerator) - expected
        return difference * difference / (expected * (1 - then.rate))
      }
      let dispersion = max(1, squares.reduce(0, +) / Double(earlier.count - 1))
      now.effectiveSize /= dispersion
      then.effectiveSize /= dispersion
    }
    return difference(now, then, z: zOf99)
  }

  /// Returns the difference of two independent numbers, by the same rule.
  ///
  /// With d1, d2 the numbers, l1, l2 their lower and u1, u2 their upper bounds, the interval of D = d1 - d2 is from
  /// `D - √((d1 - l1)² + (u2 - d2)²)` to `D + √((u1 - d1)² + (d2 - l2)²)`: METRICS.md section 6, "Comparison".
  package static func difference(
    _ first: RateDifference, _ second: RateDifference
  ) -> RateDifference {
    let value = first.value - second.value
    let below = (first.value - first.low, second.high - second.value)
    let above = (first.high - first.value, second.value - second.low)
    return RateDifference(
      value: value, low: value - (below.0 * below.0 + below.1 * below.1).squareRoot(),
      high: value + (above.0 * above.0 + above.1 * above.1).squareRoot())
  }
}
