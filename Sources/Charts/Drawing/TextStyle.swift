/// The sizes of text in charts.
enum TextStyle: Hashable {
  /// Names of rows and series.
  case label

  /// Totals, last values, names of groups.
  case strong

  /// Ticks, notes and legends.
  case small

  /// Numbers in cells, of a size of their own.
  case cell(Double)

  /// The height of the font.
  var size: Double {
    switch self {
    case .label, .strong: 13
    case .small: 12
    case .cell(let size): size
    }
  }

  var isBold: Bool { self == .strong }

  /// The distance from the middle of the letters down to the line that they stand on.
  var drop: Double { size * 0.36 }

  /// Returns the width of text in this style.
  func width(_ text: String) -> Double { TextWidth.of(text, size: size, isBold: isBold) }

  /// Returns text that fits a width.
  func cut(_ text: String, to width: Double) -> String {
    TextWidth.cut(text, to: width, size: size, isBold: isBold)
  }

  /// Returns text in one line, or in two if it does not fit; the second is cut if need be.
  ///
  /// - Parameters:
  ///   - text: The text; it is broken at a space.
  ///   - width: The width of a line.
  /// - Returns: One or two lines.
  func lines(_ text: String, width: Double) -> [String] {
    guard self.width(text) > width else { return [text] }
    let ends = text.indices.filter { text[$0] == " " && self.width(String(text[..<$0])) <= width }
    guard let end = ends.last, end > text.startIndex else { return [cut(text, to: width)] }
    return [String(text[..<end]), cut(String(text[text.index(after: end)...]), to: width)]
  }
}

/// The end of a text that stands at its x.
enum TextAnchor: String {
  case start, middle, end
}
