/// One horizontal bar of parts that add up to a whole.
///
/// Each part has a colour and a pattern; its share stands in it if it fits, and all names stand below with value and
/// share.
package struct ShareBar: Chart {
  /// The parts, from the left, at most eight.
  package var parts: [SharePart]

  /// How values become text.
  package var format: ValueFormat

  package var width: Double

  /// Creates a bar.
  ///
  /// - Parameters:
  ///   - parts: The parts; those with a value that is not above zero are left out.
  ///   - format: How values become text.
  ///   - width: The width of the drawing, from 240.
  package init(parts: [SharePart], format: ValueFormat = .count, width: Double = 720) {
    self.parts = parts
    self.format = format
    self.width = width
  }

  package var isEmpty: Bool { cleanedParts.isEmpty }

  package func draw(into svg: inout SVGWriter) -> Double {
    let parts = cleanedParts
    let total = parts.reduce(0) { $0 + $1.value }
    let shares = parts.map { $0.value / total }
    var x = 0.0
    for (index, part) in parts.enumerated() {
      let rect = Rect(x: x, y: 0, width: shares[index] * width, height: Self.height)
      x += rect.width
      let words = part.name.isolated + ": " + text(of: part, shares[index])
      draw(rect, SeriesStyle(index), share: shares[index], into: &svg)
      svg.hit(rect, [words])
    }
    let legend = Legend(
      items: zip(parts, shares).enumerated().map { index, part in
        (.bar(SeriesStyle(index)), part.0.name, text(of: part.0, part.1))
      })
    legend.draw(into: &svg, x: 0, y: Self.height + 8, width: width)
    return Self.height + 8 + legend.height(in: width)
  }

  private static let height = 34.0

  private var cleanedParts: [SharePart] {
    parts.compactMap { part in
      guard let value = part.value.plottable, value > 0 else { return nil }
      return SharePart(name: part.name, value: value)
    }
  }

  private func text(of part: SharePart, _ share: Double) -> String {
    format.text(part.value) + " (" + ValueFormat.percent.text(share) + ")"
  }

  /// Writes a part, with its share in it if there is room.
  private func draw(
    _ rect: Rect, _ style: SeriesStyle, share: Double, into svg: inout SVGWriter
  ) {
    let fill = svg.fill(style)
    svg.group(style) { svg in
      svg.rect(
        rect, ["fill": fill, "class": "gap", "stroke": Palette.paper, "stroke-width": "1"])
    }
    let text = ValueFormat.percent.text(share)
    let size = TextStyle.label.width(text)
    guard size + 16 <= rect.width else { return }
    let box = Rect(
      x: rect.x + rect.width / 2 - size / 2 - 4, y: rect.middle - 9, width: size + 8, height: 18)
    svg.rect(box, ["class": "paper", "fill": Palette.paper, "rx": "3"])
    svg.text(text, x: rect.x + rect.width / 2, middle: rect.middle, .label, anchor: .middle)
  }
}

/// A part of a ``ShareBar``.
package struct SharePart: Hashable, Sendable {
  /// The name, such as `accepted`.
  package var name: String

  /// The size, above zero.
  package var value: Double

  package init(name: String, value: Double) {
    self.name = name
    self.value = value
  }
}
