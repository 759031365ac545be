/// One line of a ``LineChart``.
package struct LineSeries: Hashable, Sendable {
  /// The name, which stands at the end of the line or in the legend if there are several.
  package var name: String

  /// One point for each label of the chart; nil is a gap in the line.
  package var points: [LinePoint?]

  package init(name: String, points: [LinePoint?]) {
    self.name = name
    self.points = points
  }
}

/// A value of a line with its interval.
package struct LinePoint: Hashable, Sendable {
  /// The value, in the unit of the chart's format (0.1 is 10 % with ``ValueFormat/percent``).
  package var value: Double

  /// The lower end of the interval; nil if there is none.
  package var low: Double?

  /// The upper end of the interval; nil if there is none.
  package var high: Double?

  /// Whether the value may still change: a hollow marker on a hatched month.
  package var isProvisional: Bool

  /// Whether a part of the data is missing: a cross as marker.
  package var isPartial: Bool

  /// The exact value as text, where it is not the format's.
  package var text: String?

  package init(
    _ value: Double, low: Double? = nil, high: Double? = nil, isProvisional: Bool = false,
    isPartial: Bool = false, text: String? = nil
  ) {
    self.value = value
    self.low = low
    self.high = high
    self.isProvisional = isProvisional
    self.isPartial = isPartial
    self.text = text
  }
}

extension LineSeries {
  /// Returns the line with as many points as there are labels, and without values that cannot be drawn.
  ///
  /// - Parameter count: The number of labels.
  /// - Returns: The line; an interval without both ends, or with its ends in the wrong order, is left out.
  func cleaned(_ count: Int) -> LineSeries {
    var points = points.prefix(count).map { $0?.cleaned }
    points += repeatElement(nil, count: count - points.count)
    return LineSeries(name: name, points: points)
  }

  /// The last point that is no gap.
  var lastPoint: LinePoint? { points.compactMap { $0 }.last }

  /// The values and the ends of the intervals.
  var values: [Double] {
    points.compactMap { $0 }.flatMap { Interval.values($0.value, $0.low, $0.high) }
  }
}

extension LinePoint {
  /// The point without values that cannot be drawn; nil if its value cannot.
  var cleaned: LinePoint? {
    guard let value = value.plottable else { return nil }
    var point = self
    point.value = value
    (point.low, point.high) = Interval.cleaned(low, high)
    return point
  }

  /// Returns the value as text.
  func text(_ format: ValueFormat) -> String { text?.isolated ?? format.text(value) }

  /// Returns the point as text, such as `5.0 % (4.0 % to 6.1 %), provisional`.
  func description(_ format: ValueFormat) -> String {
    var words = text(format)
    if let low, let high { words += ChartWords.interval(format.text(low), format.text(high)) }
    if isPartial { words += ", " + ChartWords.partial }
    if isProvisional { words += ", " + ChartWords.provisional }
    return words
  }
}
