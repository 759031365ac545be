/// Values to positions, in proportion.
struct LinearScale: Hashable {
  /// The values at both ends.
  let low: Double
  let high: Double

  /// The positions of the two ends; `start` is greater than `end` on an axis that goes up.
  let start: Double
  let end: Double

  /// Creates a scale from the first to the last tick.
  init(_ ticks: Ticks, from start: Double, to end: Double) {
    self.init(low: ticks.low, high: ticks.high, from: start, to: end)
  }

  /// Creates a scale.
  init(low: Double, high: Double, from start: Double, to end: Double) {
    self.low = low
    self.high = high
    self.start = start
    self.end = end
  }

  /// Returns the position of a value.
  func position(_ value: Double) -> Double {
    start + (value - low) / (high - low) * (end - start)
  }
}
