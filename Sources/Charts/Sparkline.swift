/// A line the size of a word, without axes: the last values of a figure, with a dot at the last one.
package struct Sparkline: Chart {
  /// The values, such as those of the last 13 months; nil is a gap.
  ///
  /// The same points as in a ``LineChart``; only the last one and those without neighbours have a marker.
  package var points: [LinePoint?]

  /// How values become text, for the text under the pointer.
  package var format: ValueFormat

  /// The labels of the points for the text under the pointer, such as months; may be empty.
  package var labels: [String]

  package var width: Double

  /// The height of the drawing.
  package var height: Double

  /// Creates a line.
  ///
  /// - Parameters:
  ///   - points: The values with their intervals, which are drawn as a band.
  ///   - format: How values become text.
  ///   - labels: The labels of the points.
  ///   - width: The width of the drawing, from 40.
  ///   - height: The height of the drawing, from 16.
  package init(
    points: [LinePoint?], format: ValueFormat, labels: [String] = [], width: Double = 160,
    height: Double = 40
  ) {
    self.points = points
    self.format = format
    self.labels = labels
    self.width = width
    self.height = height
  }

  package var isEmpty: Bool { cleanedPoints.allSatisfy { $0 == nil } }

  package func draw(into svg: inout SVGWriter) -> Double {
    let line = LineSeries(name: "", points: cleanedPoints)
    let margin = 5.0
    let plot = Rect(x: 0, y: margin, width: width, height: max(1, height - 2 * margin))
    let scale = scale(of: line.values, in: plot)
    let columns = Columns(count: points.count, left: 0, right: width)
    LinePanel(
      series: [line], columns: columns, plot: plot, scale: scale, marksOnlyLast: true
    ).draw(into: &svg)
    for (index, point) in line.points.enumerated() {
      guard let point else { continue }
      let label = index < labels.count ? labels[index].isolated + ": " : ""
      svg.hit(
        Rect(x: columns.start(index), y: 0, width: columns.width, height: height),
        [label + point.description(format)])
    }
    return height
  }

  /// Returns the scale from the lowest to the highest value; equal values stand in the middle.
  private func scale(of values: [Double], in plot: Rect) -> LinearScale {
    let low = values.min() ?? 0
    let high = values.max() ?? 0
    if high - low > max(low.magnitude, high.magnitude) * 1e-9 {
      return LinearScale(low: low, high: high, from: plot.bottom, to: plot.y)
    }
    return LinearScale(low: low, high: low + 1, from: plot.middle, to: plot.middle)
  }

  private var cleanedPoints: [LinePoint?] { points.map { $0?.cleaned } }
}
