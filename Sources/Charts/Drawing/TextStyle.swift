/// The sizes of text in charts.
struct TextStyle: Hashable {
  /// The height of the font in pixels.
  let size: Double
  var isBold = false

  /// Names of rows, and legends.
  static let label = TextStyle(size: 13)

  /// The title of a file.
  static let title = TextStyle(size: 15, isBold: true)

  /// Notes.
  static let note = TextStyle(size: 12)

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
