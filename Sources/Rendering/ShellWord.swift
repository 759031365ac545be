/// Writes the words of commands that pages print.
package enum ShellWord {
  /// Returns a word as a shell reads it; one with control characters as bash and zsh read it, such as `$'a\x1Bb'`.
  ///
  /// Quotes are found among bytes: one followed by a combining mark would hide from a search for characters.
  ///
  /// - Parameter word: The word.
  /// - Returns: Text without control characters and backticks, which can stand in a page's code and be pasted.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
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
