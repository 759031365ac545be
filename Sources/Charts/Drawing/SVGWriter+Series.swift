/// What the series of a chart have in common.
extension SVGWriter {
  /// The attributes of text with an edge in the page's colour, which covers lines behind it.
  static var halo: Attributes {
    [
      "class": "gap", "stroke": Palette.paper, "stroke-width": "3", "stroke-linejoin": "round",
      "paint-order": "stroke",
    ]
  }

  /// Returns the value of `fill` for the bars of a series: its colour, or its pattern.
  mutating func fill(_ style: SeriesStyle) -> String {
    style.texture == .plain ? "currentColor" : fill(.series(style))
  }

  /// Writes hatching over columns that may still change.
  ///
  /// - Parameters:
  ///   - indexes: The columns.
  ///   - columns: All columns.
  ///   - plot: The plot.
  mutating func hatch(_ indexes: some Sequence<Int>, columns: Columns, plot: Rect) {
    var path = Path()
    var runs: [Range<Int>] = []
    for index in indexes.sorted() {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    for run in runs {
      let start = columns.start(run.lowerBound)
      let width = columns.width * Double(run.count)
      path.rect(Rect(x: start, y: plot.y, width: width, height: plot.height))
    }
    guard !path.isEmpty else { return }
    self.path(path, ["class": "provisional", "fill": fill(.hatch)])
  }

  /// Writes a horizontal interval in the current colour.
  ///
  /// - Parameters:
  ///   - start: Its left end.
  ///   - end: Its right end.
  ///   - y: Its middle.
  ///   - caps: Half of the length of the lines at its ends.
  mutating func interval(from start: Double, to end: Double, middle y: Double, caps: Double) {
    var path = Path()
    path.move(start, y)
    path.horizontal(end)
    for x in [start, end] {
      path.move(x, y - caps)
      path.vertical(y + caps)
    }
    rule(path, opacity: 1, ["class": "interval", "stroke-width": "1.5"])
  }
}
