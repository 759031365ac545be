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

  /// Adds a closed polygon.
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
