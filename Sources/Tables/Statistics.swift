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
  /// - Parameters:
  ///   - successes: The numerator.
  ///   - trials: The denominator.
  /// - Returns: The bounds, or `nil` when `trials` is 0 or `successes` exceeds it.
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
  /// - Parameter steps: The numbers at risk and lost at each step.
  /// - Returns: One value per step; a step with 0 at risk repeats the value before.
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

  /// Returns the place of a quantile among sorted values: `ceil(p · n)`, from 1.
  ///
  /// - Parameters:
  ///   - percent: The quantile, 1 to 100.
  ///   - count: The number of values.
  /// - Returns: The place of the first value for 1.
  package static func rank(percent: Int, of count: Int) -> Int {
    max(1, (percent * count + 99) / 100)
  }

  /// Returns the nearest-rank quantile of a histogram: `sorted[ceil(p · n) - 1]`.
  ///
  /// - Parameters:
  ///   - percent: The quantile, 1 to 100.
  ///   - histogram: The frequency of each value.
  /// - Returns: The value, or `nil` when the histogram is empty.
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
