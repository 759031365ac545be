/// Events as dashed vertical lines, with their labels in up to three lines above the plot.
struct EventLayer {
  /// The event or events of one column.
  private struct Event {
    let index: Int
    let labels: [String]
    let text: String
    let anchor: TextAnchor

    /// The left and the right end of the label.
    let left: Double
    let right: Double

    /// The line of the label, 0 just above the plot; nil if there is no room.
    var line: Int?
  }

  private static let lineHeight = 17.0
  private static let lines = 3
  private static let widest = 180.0
  private static let gap = 8.0

  /// The space between a line and its label.
  private static let space = 4.0

  private var events: [Event] = []

  /// Places labels so that they do not overlap.
  ///
  /// - Parameters:
  ///   - marks: The events; those outside the columns are left out.
  ///   - columns: The columns of the plot.
  ///   - width: The width of the drawing.
  init(_ marks: [EventMark], columns: Columns, width: Double) {
    let inside = Dictionary(grouping: marks.filter { columns.indices ~= $0.index }, by: \.index)
    let all = inside.sorted { $0.key > $1.key }.map { index, marks in
      Self.event(index, marks.map(\.label), x: columns.center(index), width: width)
    }
    // First the labels right of their lines, from the right: so a line does not cross the labels of those before it.
    // Then those on the left, above all whose lines would cross them.
    for event in all.filter({ $0.anchor == .start }) + all.filter({ $0.anchor == .end }) {
      events.append(event)
      events[events.count - 1].line = freeLine(for: event)
    }
  }

  private static func event(_ index: Int, _ labels: [String], x: Double, width: Double) -> Event {
    let text = TextStyle.small.cut(labels.joined(separator: "; "), to: min(widest, width - 8))
    let size = TextStyle.small.width(text)
    let fits = x + space + size <= width
    let left = fits ? x + space : max(0, x - space - size)
    return Event(
      index: index, labels: labels, text: text, anchor: fits ? .start : .end, left: left,
      right: left + size)
  }

  /// The height of the labels.
  var height: Double {
    guard let highest = events.compactMap(\.line).max() else { return 0 }
    return Double(highest + 1) * Self.lineHeight + 2
  }

  /// Returns the isolated labels of a column's events.
  func labels(at index: Int) -> [String] {
    events.first { $0.index == index }?.labels.map(\.isolated) ?? []
  }

  private func freeLine(for event: Event) -> Int? {
    let others = events.filter { other in
      other.index != event.index && other.line != nil
        && other.left < event.right + Self.gap && event.left < other.right + Self.gap
    }
    // The lines of events below the label must end below it.
    let highest = others.compactMap(\.line).max()
    let line = highest.map { $0 + 1 } ?? 0
    return line < Self.lines ? line : nil
  }

  /// Writes the lines.
  ///
  /// - Parameters:
  ///   - svg: The drawing.
  ///   - columns: The columns of the plot.
  ///   - plot: The plot; labels stand above it.
  func drawLines(into svg: inout SVGWriter, columns: Columns, plot: Rect) {
    var path = Path()
    for event in events {
      let labelled = event.line.map { plot.y - Double($0 + 1) * Self.lineHeight }
      path.move(columns.center(event.index), labelled ?? plot.y)
      path.vertical(plot.bottom)
    }
    svg.rule(path, opacity: 0.6, ["stroke-dasharray": "4 3"])
  }

  /// Writes the labels, on a ground that covers the lines of other events.
  func drawLabels(into svg: inout SVGWriter, plot: Rect) {
    for event in events {
      guard let line = event.line else { continue }
      let whole = event.labels.joined(separator: "; ")
      svg.text(
        event.text.isolated, x: event.anchor == .start ? event.left : event.right,
        middle: plot.y - (Double(line) + 0.5) * Self.lineHeight - 2, .small, anchor: event.anchor,
        whole: event.text == whole ? nil : whole.isolated, SVGWriter.halo)
    }
  }
}
