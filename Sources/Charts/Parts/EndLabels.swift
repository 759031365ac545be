/// The names and last values of lines, on the right of the plot beside their last points.
struct EndLabels {
  /// The label of a line.
  private struct Label {
    let style: SeriesStyle

    /// The name, empty if there is one line only, and the same cut.
    let name: String
    let cutName: String
    let value: String
  }

  static let gap = 16.0
  private static let start = 8.0
  private static let markerWidth = 14.0

  private var labels: [Label] = []
  private let isNamed: Bool

  /// Whether lines have their own colours; otherwise they have that of text.
  private let hasColours: Bool

  /// The width of all labels.
  private(set) var width = 0.0

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
    for (index, line) in lines.enumerated() {
      guard let value = line.value else { continue }
      let name = isNamed ? line.name : ""
      let free = share - Self.start - marker - 8
      let valueWidth = TextStyle.strong.width(value)
      // A number is not cut: it stands under the pointer.
      let fits = valueWidth <= free - (isNamed ? 40 : 0)
      let cut = TextStyle.label.cut(name, to: fits ? free - valueWidth : free)
      labels.append(
        Label(
          style: SeriesStyle(index), name: name, cutName: cut, value: fits ? value : ""))
      let nameWidth = cut.isEmpty ? 0 : TextStyle.label.width(cut + " ")
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
      guard !label.cutName.isEmpty || !label.value.isEmpty else { continue }
      svg.text(
        label.cutName.isolated, bold: label.value,
        x: start + (isNamed ? Self.markerWidth : 0), middle: y,
        whole: label.cutName == label.name ? nil : label.name.isolated)
    }
  }
}
