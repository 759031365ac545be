/// Vertical bars over time, stacked: positive values above zero, negative ones below it.
///
/// Each series has a colour and a pattern, which the legend above explains. The line is drawn over the bars if it fits
/// their axis. Otherwise it stands above them in a plot of its own, with the same columns: one axis for two measures
/// would mislead.
package struct StackedBarChart: Chart {
  /// The labels of the x axis, one for each bar.
  package var labels: [String]

  /// The parts of the bars, at most eight, from zero outwards.
  package var series: [BarSeries]

  /// A line over or above the bars, such as the total or a rate.
  package var line: LineSeries?

  /// Events on the x axis.
  package var marks: [EventMark]

  /// The indexes of the labels whose bars may still change; they are hatched.
  package var provisional: Set<Int>

  /// How the values of the bars become text.
  package var format: ValueFormat

  /// How the values of the line become text; with another format than that of the bars, the line has its own plot.
  package var lineFormat: ValueFormat

  /// The unit above the y axis; may be empty.
  package var axisTitle: String

  package var width: Double

  /// Creates a chart of stacked bars.
  ///
  /// - Parameters:
  ///   - labels: The labels of the x axis, one for each bar.
  ///   - series: The parts of the bars, from zero outwards.
  ///   - line: A line over the bars.
  ///   - marks: Events on the x axis.
  ///   - provisional: The indexes of the labels whose bars may still change.
  ///   - format: How the values of the bars become text.
  ///   - lineFormat: How the values of the line become text; nil is that of the bars.
  ///   - axisTitle: The unit above the y axis.
  ///   - width: The width of the drawing, from 240.
  package init(
    labels: [String], series: [BarSeries], line: LineSeries? = nil, marks: [EventMark] = [],
    provisional: Set<Int> = [], format: ValueFormat, lineFormat: ValueFormat? = nil,
    axisTitle: String = "", width: Double = 720
  ) {
    self.labels = labels
    self.series = series
    self.line = line
    self.marks = marks
    self.provisional = provisional
    self.format = format
    self.lineFormat = lineFormat ?? format
    self.axisTitle = axisTitle
    self.width = width
  }

  package var isEmpty: Bool {
    let line = line?.cleaned(labels.count).values ?? []
    return line.isEmpty && series.allSatisfy { $0.cleaned(labels.count).allSatisfy { $0 == nil } }
  }

  package func draw(into svg: inout SVGWriter) -> Double {
    StackedBarLayout(self).draw(into: &svg)
  }
}

/// One part of all bars of a ``StackedBarChart``.
package struct BarSeries: Hashable, Sendable {
  /// The name in the legend.
  package var name: String

  /// One value for each label of the chart, negative below zero; nil is missing.
  package var values: [Double?]

  package init(name: String, values: [Double?]) {
    self.name = name
    self.values = values
  }

  /// Returns one plottable value or nil for each label.
  func cleaned(_ count: Int) -> [Double?] {
    let values = values.prefix(count).map { $0?.plottable }
    return values + Array(repeating: nil, count: count - values.count)
  }
}
