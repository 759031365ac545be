/// The ticks of an axis: the finest ones that cover the values and are not too many.
struct Ticks: Hashable {
  let step: TickStep

  /// The first and the last tick, as multiples of the step.
  let first: Int
  let last: Int

  /// Chooses ticks.
  ///
  /// - Parameters:
  ///   - low: The lowest value to cover.
  ///   - high: The highest value to cover, above `low`.
  ///   - format: Decides which steps there are: 2.5 is none of counts.
  ///   - limit: The highest number of ticks, 3 or more.
  init(low: Double, high: Double, format: ValueFormat, limit: Int) {
    // A step below this one has too many ticks.
    var exponent = DecimalText.exponent(of: (high - low) / Double(limit)) - 1
    while true {
      for tenths in TickStep.tenths {
        let step = TickStep(tenths: tenths, exponent: exponent)
        guard step.suits(format) else { continue }
        let (first, last) = Self.cover(low, high, by: step)
        if last - first < limit {
          (self.step, self.first, self.last) = (step, first, last)
          return
        }
      }
      exponent += 1
    }
  }

  /// The value of the first tick.
  var low: Double { step.value(first) }

  /// The value of the last tick.
  var high: Double { step.value(last) }

  /// The values of all ticks, ascending.
  var values: [Double] { (first...last).map(step.value) }

  /// Returns the multiples of a step around two values.
  ///
  /// A billionth of a step is an error of rounding.
  private static func cover(_ low: Double, _ high: Double, by step: TickStep) -> (Int, Int) {
    let unit = step.value(1)
    let first = Int((low / unit + 1e-9).rounded(.down))
    let last = Int((high / unit - 1e-9).rounded(.up))
    return (first, max(last, first + 1))
  }
}

/// A distance between ticks: 1, 2, 2.5 or 5 times a power of ten.
struct TickStep: Hashable {
  /// Ten times the first factor: 10, 20, 25 or 50.
  let tenths: Int

  /// The power of ten.
  let exponent: Int

  /// The steps of one power of ten, ascending.
  static let tenths = [10, 20, 25, 50]

  /// The power of ten of the last digit that multiples of the step have: -1 for 2.5, 0 for 20.
  var finestDigit: Int { tenths == 25 ? exponent - 1 : exponent }

  /// Returns a multiple of the step, rounded once.
  func value(_ index: Int) -> Double { Double("\(index * tenths)e\(exponent - 1)") ?? 0 }

  /// Whether all multiples have the decimals of a format: 2.5 is no step of counts.
  func suits(_ format: ValueFormat) -> Bool {
    guard let finest = format.finestExponent else { return true }
    return finestDigit >= finest
  }
}
