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
  init(low: Double, high: Double, format: ValueFormat, limit: Int = 6) {
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

  /// Returns the texts of all ticks.
  func texts(_ format: ValueFormat) -> [String] {
    let text = TickText(self, format: format)
    return (first...last).map { text.text($0, of: step) }
  }

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
