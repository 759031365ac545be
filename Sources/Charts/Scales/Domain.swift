/// The values from the lowest to the highest that an axis covers.
struct Domain: Hashable {
  var low: Double
  var high: Double

  /// Creates the range of an axis.
  ///
  /// Zero belongs to it if `startsAtZero`, if the lowest value is at most half of the highest, or if all are nearly equal.
  ///
  /// - Parameters:
  ///   - values: The plottable values.
  ///   - startsAtZero: Whether zero belongs to the axis in any case.
  init(_ values: [Double], startsAtZero: Bool) {
    var low = values.min() ?? 0
    var high = values.max() ?? 0
    let isFlat = high - low <= max(low.magnitude, high.magnitude) * 1e-6
    if startsAtZero || isFlat || low > 0 && low <= high / 2 { low = min(low, 0) }
    if startsAtZero || isFlat || high < 0 && high >= low / 2 { high = max(high, 0) }
    if low == high { high = 1 }
    self.low = low
    self.high = high
  }

  /// Returns a note if zero is not on the axis, such as `axis begins at 4 %`.
  ///
  /// - Parameters:
  ///   - ticks: The ticks of the axis.
  ///   - format: How values become text.
  /// - Returns: The note; empty if zero is on the axis.
  static func note(_ ticks: Ticks, _ format: ValueFormat) -> String {
    let text = TickText(ticks, format: format)
    if ticks.first > 0 {
      return "axis begins at " + text.text(ticks.first, of: ticks.step, isShort: true)
    }
    if ticks.last < 0 {
      return "axis ends at " + text.text(ticks.last, of: ticks.step, isShort: true)
    }
    return ""
  }
}
