/// The ticks of a vertical axis, read from the texts beside it.
struct TickReader {
  /// The value and the place of each tick, from the lowest up.
  let ticks: [(value: Double, y: Double)]

  /// Reads the texts that end left of the plot, in the size of ticks.
  init(_ figure: SVGElement) {
    let texts = figure.all(named: "text").filter {
      $0["text-anchor"] == "end" && $0["font-size"] == "12"
    }
    ticks = texts.compactMap { text in
      guard let value = Self.value(text.text), let y = text.number("y") else { return nil }
      // The middle of the letters is at the tick.
      return (value, y - 0.36 * 12)
    }
    .sorted { $0.0 < $1.0 }
  }

  /// Returns the number that a tick shows: 2,500 for `2.5k`, 0.1 for `10 %`.
  static func value(_ text: String) -> Double? {
    var digits = text.filter { $0 != "," }
    var factor = 1.0
    for (unit, size) in [
      ("\u{A0}%", 0.01), ("\u{A0}pp", 0.01), ("k", 1e3), ("M", 1e6), ("bn", 1e9),
    ] where digits.hasSuffix(unit) {
      digits.removeLast(unit.count)
      factor *= size
    }
    return Double(digits).map { factor < 1 ? $0 / 100 : $0 * factor }
  }

  /// Returns the value at a place between or beside the ticks.
  func value(at y: Double) -> Double? {
    guard let first = ticks.first, let last = ticks.last, first.y != last.y else { return nil }
    return first.value + (y - first.y) / (last.y - first.y) * (last.value - first.value)
  }

  /// The value of one unit of height.
  var unit: Double {
    guard let first = ticks.first, let last = ticks.last, first.y != last.y else { return 0 }
    return abs((last.value - first.value) / (last.y - first.y))
  }
}
