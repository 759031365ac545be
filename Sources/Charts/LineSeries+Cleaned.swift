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
