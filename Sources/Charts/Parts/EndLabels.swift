/// The names and last values of lines, on the right of the plot beside their last points.
///
/// Where a name has no room there, only values and markers stand beside the plot, and ``legend`` has the names of all
/// lines with a value. A value that is too wide is left out.
struct EndLabels {
  /// The label of a line.
  private struct Label {
    let style: SeriesStyle

    /// The name; empty if there is one line only, or if it stands in the legend.
    let name: String
    let value: String
  }

  static let gap = 16.0
  private static let start = 8.0
  private static let markerWidth = 14.0

  private var labels: [Label] = []
  private let isNamed: Bool

  /// Whether lines have their own colours; otherwise they have that of text.
  private let hasColours: Bool

  /// The width of the widest label.
  private(set) var width = 0.0

  /// The lines with their names, where a name has no room beside the plot; else empty.
  private(set) var legend: [(symbol: Symbol, name: String)] = []

  /// Measures the labels.
  ///
  /// - Parameters:
  ///   - lines: The name of each line, and its last value as text; nil if it has none.
  ///   - share: The width that the labels may have.
  ///   - hasColours: Whether lines have their own colours.
  init(_ lines: [(name: String, value: String?)], share: Double, hasColours: Bool = true) {
    self.hasColours = hasColours
    isNamed = lines.count > 1
    let marker = isNamed ? Self.markerWidth : 0
    let free = share - Self.start - marker - 8
    let known = lines.enumerated().compactMap { index, line in
      line.value.map { (style: SeriesStyle(index), name: isNamed ? line.name : "", value: $0) }
    }
    let isRoomy = known.allSatisfy { line in
      line.name.isEmpty
        || TextStyle.label.width(line.name + " ") + TextStyle.strong.width(line.value) <= free
    }
    if !isRoomy { legend = known.map { (symbol: .curve($0.style), name: $0.name) } }
    for line in known {
      let name = isRoomy ? line.name : ""
      let valueWidth = TextStyle.strong.width(line.value)
      // A value that does not fit is left out: the text under the pointer has it.
      let fits = valueWidth <= free
      labels.append(Label(style: line.style, name: name, value: fits ? line.value : ""))
      let nameWidth = name.isEmpty ? 0 : TextStyle.label.width(name + " ")
      width = max(width, Self.start + marker + nameWidth + (fits ? valueWidth : 0) + 4)
    }
  }

  /// Writes the labels, and thin lines from them to their points.
  ///
  /// - Parameters:
  ///   - svg: The drawing.
  ///   - points: The last point of each line with a value.
  ///   - plot: The plot.
  func draw(into svg: inout SVGWriter, points: [(x: Double, y: Double)], plot: Rect) {
    let places = Spread.positions(
      points.map(\.y), gap: Self.gap, in: plot.y...max(plot.y, plot.bottom))
    for ((label, point), y) in zip(zip(labels, points), places) {
      let start = plot.right + Self.start
      guard isNamed || !label.value.isEmpty else { continue }
      let content: (inout SVGWriter) -> Void = { svg in
        var leader = Path()
        leader.move(point.x + 5, point.y)
        leader.line(start - 2, y)
        svg.rule(leader, opacity: 0.5)
        guard isNamed else { return }
        var marker = Path()
        label.style.marker.add(to: &marker, start + 4, y, radius: 4)
        svg.path(marker, ["fill": "currentColor"])
      }
      if hasColours { svg.group(label.style, content) } else { content(&svg) }
      guard !label.name.isEmpty || !label.value.isEmpty else { continue }
      svg.text(
        label.name.isolated, bold: label.value, x: start + (isNamed ? Self.markerWidth : 0),
        middle: y)
    }
  }
}
