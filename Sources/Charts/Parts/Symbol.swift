/// A small drawing in a legend.
enum Symbol {
  /// The bar of a series with its pattern.
  case bar(SeriesStyle)

  /// The line over bars.
  case line

  /// A line with its colour, dashes and marker.
  case curve(SeriesStyle)

  /// What may still change.
  case provisional

  /// A point with missing data.
  case partial

  /// A bar that may be chance.
  case hollowBar

  /// A cell with too little data.
  case muted

  /// The day of a calendar.
  case day(CalendarState.Shape)

  static let width = 14.0
  private static let height = 11.0

  /// Writes the symbol.
  ///
  /// - Parameters:
  ///   - svg: The drawing.
  ///   - x: Its left end.
  ///   - y: Its middle.
  func draw(into svg: inout SVGWriter, x: Double, middle y: Double) {
    let box = Rect(x: x, y: y - Self.height / 2, width: Self.width, height: Self.height)
    switch self {
    case .bar(let style):
      let fill = svg.fill(style)
      svg.group(style) { $0.rect(box, ["fill": fill]) }
    case .line: drawLine(into: &svg, box, dashes: [:], marker: .circle)
    case .curve(let style):
      let dashes: Attributes = style.dashes.map { ["stroke-dasharray": $0] } ?? [:]
      svg.group(style) { drawLine(into: &$0, box, dashes: dashes, marker: style.marker) }
    case .provisional:
      let hatch = svg.fill(.hatch)
      svg.rect(
        box, ["fill": hatch, "stroke": "currentColor", "stroke-opacity": "0.4"])
    case .partial:
      var path = Path()
      Marker.addCross(to: &path, x + Self.width / 2, y, radius: 4)
      svg.rule(path, opacity: 1, ["stroke-width": "2"])
    case .hollowBar:
      svg.rect(
        Rect(x: x + 1, y: box.y, width: box.width - 2, height: box.height),
        ["fill": "none", "stroke": "currentColor", "stroke-dasharray": "3 2"])
    case .muted: svg.rect(box, ["fill": "currentColor", "fill-opacity": "0.16"])
    case .day(let shape):
      DayShape(shape: shape, side: Self.height).draw(
        into: &svg, at: [DayShape.Place(x: x, y: box.y, days: 1)])
    }
  }

  private func drawLine(
    into svg: inout SVGWriter, _ box: Rect, dashes: Attributes, marker shape: Marker
  ) {
    var path = Path()
    path.move(box.x - 2, box.middle)
    path.horizontal(box.right + 2)
    svg.rule(path, opacity: 1, ["stroke-width": "2"] + dashes)
    var marker = Path()
    shape.add(to: &marker, box.x + box.width / 2, box.middle, radius: 3)
    svg.path(marker, ["fill": "currentColor"])
  }
}
