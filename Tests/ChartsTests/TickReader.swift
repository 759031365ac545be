/// The ticks of an axis, read from the texts beside it.
struct TickReader {
  /// The value and the place of each tick, from the lowest up.
  let ticks: [(value: Double, place: Double)]

  /// Reads the ticks of a vertical axis: the texts that end left of the plot.
  init(vertical figure: SVGElement) {
    // The middle of the letters is at the tick.
    self.init(figure, anchor: "end") { $0.number("y").map { $0 - 0.36 * 12 } }
  }

  /// Reads the ticks of a horizontal axis: the texts that have their middle below it.
  init(horizontal figure: SVGElement) {
    self.init(figure, anchor: "middle") { $0.number("x") }
  }

  private init(_ figure: SVGElement, anchor: String, _ place: (SVGElement) -> Double?) {
    let texts = figure.all(named: "text").filter {
      $0["text-anchor"] == anchor && $0["font-size"] == "12"
    }
    ticks = texts.compactMap { text in
      guard let value = Self.value(text.text), let place = place(text) else { return nil }
      return (value, place)
    }
    .sorted { $0.0 < $1.0 }
  }

  /// Returns the number that a tick shows: 2,500 for `2.5k`, 0.1 for `10 %`.
  static func value(_ text: String) -> Double? {
    var digits = text.filter { $0 != "," }
    var zeros = 0
    let units = [("\u{A0}%", -2), ("\u{A0}pp", -2), ("k", 3), ("M", 6), ("bn", 9), ("tn", 12)]
    for (unit, size) in units where digits.hasSuffix(unit) {
      digits.removeLast(unit.count)
      zeros += size
    }
    if let exponent = digits.firstIndex(of: "e") {
      zeros += Int(digits[digits.index(after: exponent)...]) ?? 0
      digits = String(digits[..<exponent])
    }
    return Double("\(digits)e\(zeros)")
  }

  /// Returns the value at a place between or beside the ticks.
  func value(at place: Double) -> Double {
    guard let first = ticks.first, let last = ticks.last, first.place != last.place else {
      return .nan
    }
    let share = (place - first.place) / (last.place - first.place)
    return first.value + share * (last.value - first.value)
  }

  /// Whether a place is that of a value, but for the rounding of coordinates.
  func matches(_ place: Double, _ value: Double) -> Bool {
    guard let first = ticks.first, let last = ticks.last else { return false }
    let unit = abs((last.value - first.value) / (last.place - first.place))
    return abs(self.value(at: place) - value) <= unit * 0.16
  }
}
