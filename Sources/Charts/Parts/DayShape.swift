/// The marks of all days of a state, as one path.
struct DayShape {
  /// A day, or several of the same week below each other.
  struct Place: Hashable {
    /// The left upper corner.
    let x: Double
    let y: Double
    var days: Int
  }

  let shape: CalendarState.Shape

  /// The side of a square; squares are 1 unit apart.
  let side: Double

  /// Writes the path.
  ///
  /// - Parameters:
  ///   - svg: The drawing.
  ///   - places: The days.
  ///   - text: The text under the pointer; empty is none.
  func draw(into svg: inout SVGWriter, at places: [Place], text: String = "") {
    switch shape {
    case .full:
      draw(
        dashes(places, length: side), 0, into: &svg, dashed(side) + ["stroke-opacity": "0.72"], text
      )
    case .crossed: draw(crosses(places), 1, into: &svg, ["stroke-width": "1.8"], text)
    case .half: draw(halves(places), 3, into: &svg, ["fill": "currentColor"], text)
    case .hollow: draw(frames(places), nil, into: &svg, ["stroke-opacity": "0.7"], text)
    case .dot:
      draw(dashes(places, length: 2), nil, into: &svg, dashed(2) + ["stroke-opacity": "0.5"], text)
    }
  }

  private func dashed(_ length: Double) -> Attributes {
    [
      "stroke-width": Coordinate.text(length),
      "stroke-dasharray": Coordinate.text(length) + " " + Coordinate.text(side + 1 - length),
    ]
  }

  private func draw(
    _ path: Path, _ series: Int?, into svg: inout SVGWriter, _ attributes: Attributes,
    _ text: String
  ) {
    let style = series.map { SeriesStyle($0) }
    var all: Attributes = ["d": path.data]
    if let style { all = all + ["class": style.name, "color": style.colour] }
    all = all + attributes
    if shape != .half { all = all + ["fill": "none", "stroke": "currentColor"] }
    guard !text.isEmpty else { return svg.add("path", all) }
    svg.open("path", all + ["data-v": text])
    svg.add("title", text: text)
    svg.close("path")
  }

  /// A line through each place; its dashes are the days.
  private func dashes(_ places: [Place], length: Double) -> Path {
    var path = Path()
    for place in places {
      let top = place.y + (side - length) / 2
      path.move(place.x + side / 2, top)
      path.vertical(top + Double(place.days - 1) * (side + 1) + length)
    }
    return path
  }

  private func crosses(_ places: [Place]) -> Path {
    let length = Coordinate.text(side - 1)
    return shapes(places, inset: 0.5, "l\(length) \(length)m0-\(length)l-\(length) \(length)")
  }

  private func frames(_ places: [Place]) -> Path {
    let length = Coordinate.text(side - 1)
    return shapes(places, inset: 0.5, "h\(length)v\(length)h-\(length)z")
  }

  private func halves(_ places: [Place]) -> Path {
    let length = Coordinate.text(side)
    return shapes(places, inset: 0, "v\(length)h\(length)z")
  }

  /// Repeats the same steps from the corner of each day.
  private func shapes(_ places: [Place], inset: Double, _ steps: String) -> Path {
    var path = Path()
    for place in places {
      for day in 0..<place.days {
        path.move(place.x + inset, place.y + Double(day) * (side + 1) + inset)
        path.add(relative: steps)
      }
    }
    return path
  }
}
