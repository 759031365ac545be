/// The ticks of an axis: the finest ones that cover the values and are not too many.
struct Ticks: Hashable {
  let step: TickStep

  /// The first and the last tick, as multiples of the step.
  let first: Int
  let last: Int

  /// Chooses the finest ticks of a format that cover the values and are at most `limit`, 3 or more.
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

  var low: Double { step.value(first) }

  var high: Double { step.value(last) }

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

/// Values to positions, in proportion.
struct LinearScale: Hashable {
  /// The values at both ends.
  let low: Double
  let high: Double

  /// The positions of the two ends; `start` is greater than `end` on an axis that goes up.
  let start: Double
  let end: Double

  func position(_ value: Double) -> Double {
    start + (value - low) / (high - low) * (end - start)
  }
}

extension LinearScale {
  /// Creates a scale from the first to the last tick.
  init(_ ticks: Ticks, from start: Double, to end: Double) {
    self.init(low: ticks.low, high: ticks.high, start: start, end: end)
  }
}

/// The columns of an axis of labels: of equal width, side by side.
struct Columns: Hashable {
  let count: Int

  /// The left end of the first and the right end of the last column.
  let left: Double
  let right: Double

  var width: Double { (right - left) / Double(max(1, count)) }

  func start(_ index: Int) -> Double { left + Double(index) * width }

  func center(_ index: Int) -> Double { left + (Double(index) + 0.5) * width }
}

/// The values from the lowest to the highest that an axis covers, with zero.
struct Domain: Hashable {
  let low: Double
  let high: Double

  /// Creates the range of an axis: from 0 to 1 for values that are all 0, and for none.
  init(_ values: [Double]) {
    let (low, high) = (min(0, values.min() ?? 0), max(0, values.max() ?? 0))
    self.low = low
    self.high = low == high ? 1 : high
  }
}

/// The ends of an interval.
enum Interval {
  /// Returns both ends as they can be drawn; nil for both if one is missing or they are in the wrong order.
  static func cleaned(_ low: Double?, _ high: Double?) -> (Double?, Double?) {
    guard let low = low?.plottable, let high = high?.plottable, low <= high else {
      return (nil, nil)
    }
    return (low, high)
  }
}

extension Double {
  /// The value as charts draw it: nil if it is not finite, at most 10^290, and 0 if it is nearer to zero than 10^-290.
  ///
  /// Sums and quotients of such values are finite.
  var plottable: Double? {
    guard isFinite else { return nil }
    if magnitude < 1e-290 { return 0 }
    return Swift.min(1e290, Swift.max(-1e290, self))
  }
}

/// The form of a chart's values on its axis.
package enum ValueFormat: Hashable, Sendable {
  /// Whole numbers.
  case count

  /// Fractions of one: 0.1 is `10%`.
  case percent

  /// Amounts with a number of decimals, from 0 to 6; the page names the unit.
  case amount(decimals: Int)

  /// The number by which values are multiplied before they are printed.
  var factor: Double { self == .percent ? 100 : 1 }

  /// The power of ten of the smallest step that ticks may have: 0 for counts; nil if there is none.
  var finestExponent: Int? {
    switch self {
    case .count: 0
    case .percent: nil
    case .amount(let decimals): -min(6, max(0, decimals))
    }
  }
}
