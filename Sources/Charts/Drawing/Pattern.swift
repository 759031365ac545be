/// A pattern by which shapes are filled.
enum Pattern: Hashable {
  /// Diagonal lines in the colour of text, for values that may still change.
  case hatch

  /// The colour of a series with its texture.
  case series(SeriesStyle)

  /// Returns the id of the pattern in a figure.
  func id(in figure: String) -> String {
    switch self {
    case .hatch: "\(figure)-hatch"
    case .series(let style): "\(figure)-\(style.name)"
    }
  }

  /// Writes the `pattern` element.
  func draw(into svg: inout SVGWriter) {
    switch self {
    case .hatch:
      open(&svg, side: 7)
      svg.add(
        "path",
        [
          "d": "M0 7L7 0M-1 1L1 -1M6 8L8 6", "fill": "none", "stroke": "currentColor",
          "stroke-opacity": "0.3", "stroke-width": "1",
        ])
    case .series(let style):
      let texture = style.texture
      open(&svg, side: texture.side)
      svg.group(style) { svg in
        svg.rect(
          Rect(x: 0, y: 0, width: texture.side, height: texture.side), ["fill": "currentColor"])
      }
      svg.add(
        "path",
        [
          "d": texture.lines, "class": "gap", "fill": "none", "stroke": Palette.paper,
          "stroke-width": "1.2", "stroke-opacity": "0.6",
        ])
    }
    svg.close("pattern")
  }

  private func open(_ svg: inout SVGWriter, side: Double) {
    svg.open(
      "pattern",
      [
        "id": id(in: svg.id), "width": Coordinate.text(side), "height": Coordinate.text(side),
        "patternUnits": "userSpaceOnUse",
      ])
  }
}

/// The thin lines or dots in the page's colour on the bars of a series.
enum Texture: CaseIterable {
  case plain, rising, dotted, falling, level, crossed, upright, coarse

  /// The side of the square that is repeated.
  var side: Double {
    switch self {
    case .coarse: 10
    case .dotted: 5
    default: 6
    }
  }

  /// The lines of a square; drawn in the page's colour, 1.3 wide.
  var lines: String {
    switch self {
    case .plain: ""
    case .rising, .coarse:
      "M0 \(whole)L\(whole) 0M-1 1L1 -1M\(whole - 1) \(whole + 1)L\(whole + 1) \(whole - 1)"
    case .falling:
      "M0 0L\(whole) \(whole)M-1 \(whole - 1)L1 \(whole + 1)M\(whole - 1) -1L\(whole + 1) 1"
    case .dotted: "M1.5 2.5h2"
    case .level: "M0 3H6"
    case .upright: "M3 0V6"
    case .crossed: "M0 3H6M3 0V6"
    }
  }

  private var whole: Int { Int(side) }
}
