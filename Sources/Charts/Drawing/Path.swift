/// The outline of a `path` element, in absolute coordinates.
struct Path {
  private(set) var data = ""

  var isEmpty: Bool { data.isEmpty }

  mutating func move(_ x: Double, _ y: Double) { add("M", x, y) }

  mutating func line(_ x: Double, _ y: Double) { add("L", x, y) }

  mutating func horizontal(_ x: Double) { data += "H" + Coordinate.text(x) }

  mutating func vertical(_ y: Double) { data += "V" + Coordinate.text(y) }

  mutating func close() { data += "Z" }

  /// Adds a rectangle, clockwise.
  mutating func rect(_ rect: Rect) {
    move(rect.x, rect.y)
    horizontal(rect.right)
    vertical(rect.bottom)
    horizontal(rect.x)
    close()
  }

  /// Adds a closed polygon.
  mutating func polygon(_ points: [(x: Double, y: Double)]) {
    for (index, point) in points.enumerated() {
      index == 0 ? move(point.x, point.y) : line(point.x, point.y)
    }
    close()
  }

  /// Adds a circle.
  mutating func circle(_ x: Double, _ y: Double, radius: Double) {
    let r = Coordinate.text(radius)
    let diameter = Coordinate.text(2 * radius)
    move(x - radius, y)
    data += "a\(r) \(r) 0 1 1 \(diameter) 0a\(r) \(r) 0 1 1 -\(diameter) 0Z"
  }

  /// Adds commands with relative coordinates, such as `h8v8h-8z`.
  mutating func add(relative steps: String) { data += steps }

  private mutating func add(_ command: String, _ x: Double, _ y: Double) {
    data += command + Coordinate.text(x) + " " + Coordinate.text(y)
  }
}
