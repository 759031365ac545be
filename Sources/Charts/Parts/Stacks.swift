/// The parts of stacked bars: from where to where each goes.
struct Stacks {
  /// The lower and upper value of each part, by series and column; nil where there is no value.
  let parts: [[(from: Double, to: Double)?]]

  /// The ends of all stacks, and zero.
  let ends: [Double]

  /// Stacks values: positive ones from zero upwards, negative ones downwards, in the order of the series.
  ///
  /// - Parameters:
  ///   - series: One plottable value or nil for each column, by series.
  ///   - count: The number of columns.
  init(_ series: [[Double?]], count: Int) {
    var above = Array(repeating: 0.0, count: count)
    var below = above
    parts = series.map { values in
      values.enumerated().map { index, value in
        guard let value else { return nil }
        let from = value < 0 ? below[index] : above[index]
        if value < 0 { below[index] += value } else { above[index] += value }
        return (from, from + value)
      }
    }
    ends = [0] + above + below
  }
}
