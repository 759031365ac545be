/// The sizes of text in charts.
struct TextStyle: Hashable {
  /// The height of the font in pixels.
  let size: Double
  var isBold = false

  /// Names of rows, and legends.
  static let label = TextStyle(size: 13)

  /// The title of a file.
  static let title = TextStyle(size: 15, isBold: true)

  static let note = TextStyle(size: 12)

  func width(_ text: String) -> Double { TextWidth.of(text, size: size, isBold: isBold) }

  func cut(_ text: String, to width: Double) -> String {
    TextWidth.cut(text, to: width, size: size, isBold: isBold)
  }

  /// Returns names that stand below each other, each in one line or in two.
  ///
  /// A name that does not fit is cut at its end. Where names would then be alike, such as product ids with the same long
  /// beginning, their common beginning is left out instead.
  func distinctLines(_ names: [String], width: Double) -> [[String]] {
    let cutAtEnd = names.map { self.lines($0, width: width) }
    var lines = cutAtEnd
    let cut = names.indices.filter { lines[$0].joined(separator: " ") != names[$0] }
    let alike = Dictionary(grouping: cut) { cutAtEnd[$0] }.values.sorted { $0[0] < $1[0] }
    for group in alike where Set(group.map { names[$0] }).count > 1 {
      let common = Self.commonBeginning(group.map { names[$0] })
      // Others with this beginning are cut in the same way.
      let places = cut.filter { names[$0].hasPrefix(common) }
      for place in places {
        lines[place] = [self.cut("…" + names[place].dropFirst(common.count), to: width)]
      }
      // Some differ at their ends only, or little would be left of them.
      let isDistinct = Set(places.map { lines[$0] }).count == Set(places.map { names[$0] }).count
      let isLong = places.allSatisfy { names[$0].count >= common.count + Self.fewLetters }
      if isDistinct, isLong { continue }
      for place in places { lines[place] = [end(of: names[place], to: width)] }
    }
    return lines
  }

  /// Names of fewer characters say too little.
  private static let fewLetters = 3

  /// Returns what texts have in common at their beginning, up to the end of a word.
  private static func commonBeginning(_ texts: [String]) -> String {
    guard let first = texts.first.map({ Array($0) }) else { return "" }
    var count = first.count
    for text in texts.dropFirst() {
      count = zip(first.prefix(count), text).prefix { $0 == $1 }.count
    }
    let isEnd = { (character: Character) in !character.isLetter && !character.isNumber }
    return String(first[..<(first[..<count].lastIndex(where: isEnd).map { $0 + 1 } ?? count)])
  }

  /// Returns the longest end of a text that fits a width after `…`.
  private func end(of text: String, to width: Double) -> String {
    var shown = "…"
    for start in text.indices.reversed() {
      let longer = "…" + text[start...]
      guard self.width(longer) <= width else { break }
      shown = longer
    }
    return shown
  }

  /// Returns text in one line, or in two, broken at a space; the second is cut if need be.
  func lines(_ text: String, width: Double) -> [String] {
    guard self.width(text) > width else { return [text] }
    let ends = text.indices.filter { text[$0] == " " && self.width(String(text[..<$0])) <= width }
    guard let end = ends.last, end > text.startIndex else { return [cut(text, to: width)] }
    return [String(text[..<end]), cut(String(text[text.index(after: end)...]), to: width)]
  }
}

/// How wide text is in a sans-serif font, some ten per cent more than in most, so that it fits in the others.
package enum TextWidth {
  /// Returns the width of one line, in the unit of `size`, the height of the font.
  package static func of(_ text: String, size: Double, isBold: Bool = false) -> Double {
    let thousandths = text.unicodeScalars.reduce(0) { $0 + of($1) }
    return Double(thousandths) / 1_000 * size * (isBold ? 1.18 : 1.1)
  }

  /// Returns text that fits a width, its end replaced with `…` if it does not.
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
