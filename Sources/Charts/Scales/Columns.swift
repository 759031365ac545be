/// The columns of an axis of labels: of equal width, side by side.
struct Columns: Hashable {
  let count: Int

  /// The left end of the first and the right end of the last column.
  let left: Double
  let right: Double

  /// The width of a column.
  var width: Double { (right - left) / Double(max(1, count)) }

  /// Returns the left end of a column.
  func start(_ index: Int) -> Double { left + Double(index) * width }

  /// Returns the middle of a column.
  func center(_ index: Int) -> Double { left + (Double(index) + 0.5) * width }
}
