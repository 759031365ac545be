/// The shape of a point.
enum Marker: CaseIterable {
  case circle, square, triangle, diamond

  /// Adds the shape to a path.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - x: Its middle.
  ///   - y: Its middle.
  ///   - radius: Half of its width, about.
  func add(to path: inout Path, _ x: Double, _ y: Double, radius: Double) {
    switch self {
    case .circle: path.circle(x, y, radius: radius)
    case .square:
      let side = radius * 0.9
      path.rect(Rect(x: x - side, y: y - side, width: 2 * side, height: 2 * side))
    case .triangle:
      let side = radius * 1.15
      path.polygon([(x, y - side), (x + side, y + side * 0.8), (x - side, y + side * 0.8)])
    case .diamond:
      let side = radius * 1.25
      path.polygon([(x, y - side), (x + side, y), (x, y + side), (x - side, y)])
    }
  }

  /// Adds a cross, the marker of partial values.
  static func addCross(to path: inout Path, _ x: Double, _ y: Double, radius: Double) {
    path.move(x - radius, y - radius)
    path.line(x + radius, y + radius)
    path.move(x - radius, y + radius)
    path.line(x + radius, y - radius)
  }
}
