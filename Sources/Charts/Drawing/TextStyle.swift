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

  /// Returns names that stand below each other, each in one line or in two.
  ///
  /// A name that does not fit is cut at its end. Where names would then be alike, such as product ids with the same long
  /// beginning, their common beginning is left out instead.
  ///
  /// - Parameters:
  ///   - names: The names.
  ///   - width: The width of a line.
  /// - Returns: One or two lines for each.
  func distinctLines(_ names: [String], width: Double) -> [[String]] {
    var lines = names.map { self.lines($0, width: width) }
    for places in Dictionary(grouping: names.indices, by: { lines[$0] }).values {
      let whole = Set(places.map { names[$0] })
      guard whole.count > 1 else { continue }
      let common = Self.commonBeginning(Array(whole))
      for place in places {
        lines[place] = [cut("…" + names[place].dropFirst(common), to: width)]
      }
      // Some differ at their ends only.
      guard Set(places.map { lines[$0] }).count < whole.count else { continue }
      for place in places { lines[place] = [end(of: names[place], to: width)] }
    }
    return lines
  }

  /// Returns how many characters texts have in common at their beginning, up to the end of a word.
  private static func commonBeginning(_ texts: [String]) -> Int {
    guard let first = texts.first.map({ Array($0) }) else { return 0 }
    var count = first.count
    for text in texts.dropFirst() {
      count = zip(first.prefix(count), text).prefix { $0 == $1 }.count
    }
    let isEnd = { (character: Character) in !character.isLetter && !character.isNumber }
    return first[..<count].lastIndex(where: isEnd).map { $0 + 1 } ?? count
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
