/// Makes control characters of the data visible, for terminals and pages.
package enum VisibleText {
  /// Returns text without a control character or a mark that reverses the direction of text.
  ///
  /// Each is written out: a line feed as `\n`, escape as `\u{1B}`. So data cannot move a cursor, colour a screen or
  /// turn the words after it around.
  package static func of(_ text: String) -> String { of(text, where: isControl) }

  /// Returns text in which some characters are written out.
  static func of(_ text: String, where isWrittenOut: (Unicode.Scalar) -> Bool) -> String {
    guard text.unicodeScalars.contains(where: isWrittenOut) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case let scalar where !isWrittenOut(scalar): shown.unicodeScalars.append(scalar)
      case "\n": shown += "\\n"
      case "\r": shown += "\\r"
      case "\t": shown += "\\t"
      default: shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      }
    }
    return shown
  }

  /// Returns whether a character controls a terminal or the direction of text.
  package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

/// Writes the words of commands that pages print.
package enum ShellWord {
  /// Returns a word as a shell reads it, such as `$'a\x1Bb'`: it can stand in a page's code and be pasted.
  ///
  /// Quotes are found among bytes: one followed by a combining mark would hide from a search for characters.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { $0.isLetterOrDigit || "._-/".utf8.contains($0) }
    if isPlain, !word.isEmpty { return word }
    if word.unicodeScalars.contains(where: isWrittenOut) { return writtenOut(word) }
    let quote = UInt8(ascii: "'")
    let inside = word.utf8.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] }
    return "'" + String(decoding: inside, as: UTF8.self) + "'"
  }

  /// Returns a word in which a page, or the line that a user pastes, would change a character.
  private static func writtenOut(_ word: String) -> String {
    let parts = word.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "'", "\\": "\\" + String(scalar)
      case let scalar where isWrittenOut(scalar):
        String(scalar).utf8.map { byte in
          "\\x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
      default: String(scalar)
      }
    }
    return "$'\(parts.joined())'"
  }

  /// Returns whether a character is written out: pages show control characters as escapes, and a backtick ends code in
  /// Markdown.
  private static func isWrittenOut(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "`" || VisibleText.isControl(scalar)
  }
}

extension UInt8 {
  /// Whether the byte is a letter or a digit of ASCII.
  package var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
