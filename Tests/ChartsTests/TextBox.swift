import Charts

/// The rectangle of a text in a figure, as wide as the widths of the charts' own table.
struct TextBox {
  let text: String
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double

  /// Measures a `text` element; nil if it shows nothing.
  init?(_ element: SVGElement) {
    let text = element.shown
    guard !text.isEmpty, let x = element.number("x"), let y = element.number("y") else {
      return nil
    }
    let size = element.number("font-size") ?? 13
    let isBold = element["font-weight"] != nil
    let width =
      TextWidth.of(element.text, size: size, isBold: isBold)
      + element.children.filter { $0.name == "tspan" }
      .reduce(0) { $0 + TextWidth.of($1.text, size: size, isBold: true) }
    switch element["text-anchor"] {
    case "end": left = x - width
    case "middle": left = x - width / 2
    default: left = x
    }
    right = left + width
    // Most letters stand on the line; figures and capitals are 0.72 of the size high.
    top = y - 0.72 * size
    bottom = y
    self.text = text
  }

  /// Whether two texts cover each other.
  ///
  /// A tenth is an error of rounding.
  func overlaps(_ other: TextBox) -> Bool {
    left < other.right - 0.1 && other.left < right - 0.1 && top < other.bottom - 0.1
      && other.top < bottom - 0.1
  }

  /// Returns the texts of a figure.
  static func boxes(of figure: SVGElement) -> [TextBox] {
    figure.all(named: "text").compactMap { TextBox($0) }
  }
}
