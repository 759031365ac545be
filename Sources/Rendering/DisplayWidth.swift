/// How many columns of a terminal text takes.
///
/// Own tables instead of `wcwidth`, because that depends on the locale and the same input must give
/// the same bytes.
package enum DisplayWidth {
  /// Returns the number of terminal columns: 1 a letter, 2 for East Asian wide ones and emoji.
  package static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// Returns the number of columns of one grapheme: that of its widest part.
  static func of(_ character: Character) -> Int {
    // U+FE0F asks for the coloured picture, which is wide.
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    return character.unicodeScalars.reduce(0) { max($0, of($1)) }
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// Returns text that fits a number of columns; `…` stands for letters left out before its last third.
  ///
  /// Example: `Larkspur Weekly 12` in 17 columns is `Larkspur We…ly 12`.
  ///
  /// `start` characters at its beginning are left out first.
  static func cutInside(_ text: String, to width: Int, without start: Int = 0) -> String {
    guard of(text) > width else { return text }
    guard start == 0 else { return "…" + cutInside(String(text.dropFirst(start)), to: width - 1) }
    var (end, used) = ("", 0)
    for character in text.reversed() {
      used += of(character)
      guard used <= (width - 1) / 3 else { break }
      end = String(character) + end
    }
    return cut(text, to: width - of(end)) + end
  }

  /// Returns text that fits a number of columns, its beginning replaced with `…` if it does not.
  static func cutBeginning(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var (kept, used) = ([Character](), 1)
    for character in text.reversed() {
      used += of(character)
      guard used <= width else { break }
      kept.append(character)
    }
    return "…" + String(kept.reversed())
  }

  /// Returns text as lines that fit a number of columns, broken between words; a word that is too long is cut.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    guard of(text) > width else { return text.isEmpty ? [] : [text] }
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, of(last) + 1 + of(String(word)) <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(cut(String(word), to: width))
      }
    }
    return lines
  }

  /// Returns how many characters words have in common at their beginning, up to the end of a word or a part of it, where
  /// ``cutInside(_:to:without:)`` would make different words alike; else 0.
  ///
  /// Example: `com.example.larkspur.plus.month` and `com.example.larkspur.kids.month` in 17 columns: 21, and they are
  /// `…plus.month` and `…kids.month` without it.
  static func commonStart(_ words: [String], cutTo width: Int) -> Int {
    let long = Set(words.filter { of($0) > width })
    guard let first = long.first, Set(long.map { cutInside($0, to: width) }).count < long.count
    else { return 0 }
    let common = long.reduce(first) { String(zip($0, $1).prefix { $0 == $1 }.map(\.0)) }
    let end = common.lastIndex { !$0.isLetter && !$0.isNumber }
    return end.map { common.distance(from: common.startIndex, to: $0) + 1 } ?? common.count
  }

  /// Returns text that fits a number of columns, its end replaced with `…` if it does not.
  static func cut(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var (kept, used) = ("", 0)
    for character in text {
      used += of(character)
      guard used < width else { break }
      kept.append(character)
    }
    return kept + "…"
  }
}
