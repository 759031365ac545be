/// The labels below columns; some are left out where they would overlap.
struct LabelAxis {
  /// A label that is drawn.
  struct Placed {
    let text: String
    let whole: String

    /// The middle of the label.
    let x: Double
  }

  static let height = 24.0
  private static let widest = 110.0
  private static let gap = 10.0

  let placed: [Placed]

  /// Chooses labels: every one, every second and so on, back from the last.
  ///
  /// - Parameters:
  ///   - labels: The labels of all columns.
  ///   - columns: The columns.
  ///   - start: The left end of the room for labels.
  ///   - width: The right end: the width of the drawing.
  init(_ labels: [String], columns: Columns, from start: Double = 0, width: Double) {
    let texts = labels.map { TextStyle.small.cut($0, to: min(Self.widest, width - start)) }
    let widths = texts.map(TextStyle.small.width)
    let centers = labels.indices.map { index in
      let half = widths[index] / 2
      return max(start + half, min(width - half, columns.center(index)))
    }
    var stride = 1
    var chosen = Array(labels.indices)
    while !Self.fit(chosen, centers, widths) {
      stride += 1
      chosen = labels.indices.filter { (labels.count - 1 - $0).isMultiple(of: stride) }
    }
    placed = chosen.map { Placed(text: texts[$0], whole: labels[$0], x: centers[$0]) }
  }

  private static func fit(_ chosen: [Int], _ centers: [Double], _ widths: [Double]) -> Bool {
    zip(chosen, chosen.dropFirst()).allSatisfy { left, right in
      centers[left] + widths[left] / 2 + gap <= centers[right] - widths[right] / 2
    }
  }

  /// Writes the labels.
  ///
  /// - Parameters:
  ///   - svg: The drawing.
  ///   - y: The lower end of the plot.
  func draw(into svg: inout SVGWriter, y: Double) {
    guard !placed.isEmpty else { return }
    svg.texts(.small, anchor: .middle) { svg in
      for label in placed {
        svg.text(
          label.text.isolated, x: label.x, middle: y + 14, .small, anchor: .middle,
          whole: label.text == label.whole ? nil : label.whole.isolated)
      }
    }
  }
}
