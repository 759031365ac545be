/// The values from the lowest to the highest that an axis covers, with zero.
struct Domain: Hashable {
  let low: Double
  let high: Double

  /// Creates the range of an axis: from 0 to 1 for values that are all 0, and for none.
  ///
  /// - Parameter values: The plottable values.
  init(_ values: [Double]) {
    let (low, high) = (min(0, values.min() ?? 0), max(0, values.max() ?? 0))
    self.low = low
    self.high = low == high ? 1 : high
  }
}
