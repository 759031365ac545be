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
