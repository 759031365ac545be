/// How wide text is in a sans-serif font, some ten per cent more than in most, so that it fits in the others.
package enum TextWidth {
  /// Returns the width of one line.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - size: The height of the font.
  ///   - isBold: Whether the letters are bold.
  /// - Returns: The width, in the unit of `size`.
  package static func of(_ text: String, size: Double, isBold: Bool = false) -> Double {
    let thousandths = text.unicodeScalars.reduce(0) { $0 + of($1) }
    return Double(thousandths) / 1_000 * size * (isBold ? 1.18 : 1.1)
  }

  /// Returns text that fits a width, its end replaced with `…` if it does not.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - width: The width, in the unit of `size`.
  ///   - size: The height of the font.
  ///   - isBold: Whether the letters are bold.
  /// - Returns: The whole text, or its beginning with `…`.
  package static func cut(
    _ text: String, to width: Double, size: Double, isBold: Bool = false
  ) -> String {
    guard of(text, size: size, isBold: isBold) > width + rounding else { return text }
    let free = width - of("…", size: size, isBold: isBold)
    var (kept, used) = ("", 0.0)
    for character in text {
      used += of(String(character), size: size, isBold: isBold)
      guard used <= free + rounding else { break }
      kept.append(character)
    }
    while kept.utf8.last == UInt8(ascii: " ") { kept.removeLast() }
    return kept + "…"
  }

  /// What sums of widths may be wrong by.
  private static let rounding = 0.01

  /// The widths of Helvetica's letters from space to `~`, in thousandths of the font's height.
  private static let ascii: [Int] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1_015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
  ]

  /// Returns the width of one scalar: of ASCII from the table, of other alphabets a wide letter, of all others a square.
  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20..<0x7F: ascii[Int(scalar.value) - 0x20]
    case 0xA0: 278
    case 0x300..<0x370, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069: 0
    case 0xA1..<0x590: 722
    case 0x2013: 556
    default: 1_000
    }
  }
}
