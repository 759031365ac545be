/// The outline of a `path` element, in absolute coordinates.
struct Path {
  private(set) var data = ""
  /// The coordinates of the last point, as they are written; `nil` where they are not known.
  private var last: (x: String, y: String)?

  var isEmpty: Bool { data.isEmpty }

  mutating func move(_ x: Double, _ y: Double) { add("M", x, y) }

  /// Adds a line; a level or an upright one in its shorter form.
  mutating func line(_ x: Double, _ y: Double) {
    guard let last else { return add("L", x, y) }
    if last.x == Coordinate.text(x) {
      vertical(y)
    } else if last.y == Coordinate.text(y) {
      horizontal(x)
    } else {
      add("L", x, y)
    }
  }

  mutating func horizontal(_ x: Double) {
    let place = Coordinate.text(x)
    data += "H" + place
    last?.x = place
  }

  mutating func vertical(_ y: Double) {
    let place = Coordinate.text(y)
    data += "V" + place
    last?.y = place
  }

  mutating func close() {
    data += "Z"
    last = nil
  }

  mutating func polygon(_ points: [(x: Double, y: Double)]) {
    for (index, point) in points.enumerated() {
      index == 0 ? move(point.x, point.y) : line(point.x, point.y)
    }
    close()
  }

  private mutating func add(_ command: String, _ x: Double, _ y: Double) {
    let place = (x: Coordinate.text(x), y: Coordinate.text(y))
    data += command + place.x + " " + place.y
    last = place
  }
}

/// A rectangle; y grows downwards.
struct Rect: Hashable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
}

/// Coordinates as digits.
enum Coordinate {
  /// Returns a number with at most one decimal, such as `12.5`, from -99,999 to 99,999.
  ///
  /// A tenth of a pixel cannot be seen; a second decimal would make the page 2 % longer.
  static func text(_ value: Double) -> String {
    let bounded = value.isNaN ? 0 : min(99_999, max(-99_999, value))
    let tenths = Int((bounded * 10).rounded())
    let whole = (tenths < 0 ? "-" : "") + String(tenths.magnitude / 10)
    let fraction = tenths.magnitude % 10
    return fraction == 0 ? whole : whole + ".\(fraction)"
  }

  /// Returns a part of the whole width with at most two decimals, such as `12.5%`.
  ///
  /// A hundredth is a fifth of a pixel on a plot of 2,000 pixels.
  static func percent(_ value: Double) -> String {
    let bounded = value.isNaN ? 0 : min(9_999, max(-9_999, value))
    let hundredths = Int((bounded * 100).rounded())
    guard !hundredths.isMultiple(of: 10) else { return text(Double(hundredths) / 100) + "%" }
    let fraction = hundredths.magnitude % 100
    return (hundredths < 0 ? "-" : "") + String(hundredths.magnitude / 100)
      + (fraction < 10 ? ".0" : ".") + "\(fraction)%"
  }
}
