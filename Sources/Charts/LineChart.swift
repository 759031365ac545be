/// Lines over time: rates with their intervals, by month.
///
/// Each series has a colour, a dash pattern, a marker and its name at its last value; where a name has no room there, all
/// names stand in a legend below. Points that may still change are hollow, their months hatched; partial ones have a
/// cross. The axis is that of all values and intervals; marks are dashed vertical lines with a label above.
package struct LineChart: Chart {
  /// The labels of the x axis, such as months; some are left out where they would overlap.
  package var labels: [String]

  /// The lines, at most eight; the first is drawn on top.
  package var series: [LineSeries]

  /// Events on the x axis.
  package var marks: [EventMark]

  /// How values become text.
  package var format: ValueFormat

  /// Whether the y axis must begin at 0; otherwise it says where it begins, such as `axis begins at 4 %`.
  package var startsAtZero: Bool

  /// The unit above the y axis, such as `USD` or `share of subscribers`; may be empty.
  package var axisTitle: String

  package var width: Double

  /// Creates a line chart.
  ///
  /// - Parameters:
  ///   - labels: The labels of the x axis.
  ///   - series: The lines; each has as many points as there are labels, missing ones at the end are gaps.
  ///   - marks: Events on the x axis; those outside it are left out.
  ///   - format: How values become text.
  ///   - startsAtZero: Whether the y axis must begin at 0.
  ///   - axisTitle: The unit above the y axis.
  ///   - width: The width of the drawing, from 240.
  package init(
    labels: [String], series: [LineSeries], marks: [EventMark] = [], format: ValueFormat,
    startsAtZero: Bool = false, axisTitle: String = "", width: Double = 720
  ) {
    self.labels = labels
    self.series = series
    self.marks = marks
    self.format = format
    self.startsAtZero = startsAtZero
    self.axisTitle = axisTitle
    self.width = width
  }

  package var isEmpty: Bool { cleanedSeries.allSatisfy(\.values.isEmpty) }

  package func draw(into svg: inout SVGWriter) -> Double {
    LineChartLayout(self).draw(into: &svg)
  }

  /// The lines without values that cannot be drawn.
  var cleanedSeries: [LineSeries] { series.map { $0.cleaned(labels.count) } }
}
