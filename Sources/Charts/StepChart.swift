/// Curves that fall in steps, such as shares kept after k periods (Kaplan-Meier), with bands.
///
/// A value holds from its x until the next one. The y axis goes from 0 to the highest value, or to 100 % for shares.
package struct StepChart: Chart {
  /// The curves, at most eight; the first is drawn on top.
  package var series: [StepSeries]

  /// How values become text.
  package var format: ValueFormat

  /// The unit above the y axis; may be empty.
  package var axisTitle: String

  /// The name of the x axis, below it, such as `periods paid`.
  package var xTitle: String

  package var width: Double

  /// Creates a chart of step curves.
  ///
  /// - Parameters:
  ///   - series: The curves.
  ///   - format: How values become text.
  ///   - axisTitle: The unit above the y axis.
  ///   - xTitle: The name of the x axis.
  ///   - width: The width of the drawing, from 240.
  package init(
    series: [StepSeries], format: ValueFormat = .percent, axisTitle: String = "", xTitle: String,
    width: Double = 720
  ) {
    self.series = series
    self.format = format
    self.axisTitle = axisTitle
    self.xTitle = xTitle
    self.width = width
  }

  package var isEmpty: Bool { cleanedSeries.allSatisfy(\.steps.isEmpty) }

  package func draw(into svg: inout SVGWriter) -> Double {
    StepChartLayout(self).draw(into: &svg)
  }

  /// The curves by ascending x, without values that cannot be drawn.
  var cleanedSeries: [StepSeries] {
    series.map { StepSeries(name: $0.name, steps: Self.cleaned($0.steps)) }
  }

  private static func cleaned(_ steps: [Step]) -> [Step] {
    var last: [Int: Step] = [:]
    for step in steps {
      guard step.x >= 0, let value = step.value.plottable else { continue }
      var step = step
      step.value = value
      (step.low, step.high) = Interval.cleaned(step.low, step.high)
      last[step.x] = step
    }
    return last.values.sorted { $0.x < $1.x }
  }
}

/// A curve of a ``StepChart``.
package struct StepSeries: Hashable, Sendable {
  /// The name, which stands at the end of the curve or in the legend if there are several.
  package var name: String

  /// The steps; drawn by ascending x, the last one of an x.
  package var steps: [Step]

  package init(name: String, steps: [Step]) {
    self.name = name
    self.steps = steps
  }
}

/// The value of a curve from an x on.
package struct Step: Hashable, Sendable {
  /// The x from which the value holds, 0 or more, such as the number of paid periods.
  package var x: Int

  /// The value.
  package var value: Double

  /// The lower end of the interval; nil if there is none.
  package var low: Double?

  /// The upper end of the interval; nil if there is none.
  package var high: Double?

  /// More about the step for the text under the pointer, such as `120 at risk`; may be empty.
  package var note: String

  package init(
    x: Int, value: Double, low: Double? = nil, high: Double? = nil, note: String = ""
  ) {
    self.x = x
    self.value = value
    self.low = low
    self.high = high
    self.note = note
  }
}
