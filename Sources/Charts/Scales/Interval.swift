/// The ends of an interval.
enum Interval {
  /// Returns both ends as they can be drawn; nil for both if one is missing or they are in the wrong order.
  static func cleaned(_ low: Double?, _ high: Double?) -> (Double?, Double?) {
    guard let low = low?.plottable, let high = high?.plottable, low <= high else {
      return (nil, nil)
    }
    return (low, high)
  }

  /// Returns a value and the ends of its interval, those that there are.
  static func values(_ value: Double, _ low: Double?, _ high: Double?) -> [Double] {
    [value, low, high].compactMap { $0 }
  }
}
