/// Makes control characters of the data visible, for terminals and pages.
package enum VisibleText {
  /// Returns text without a control character or a mark that reverses the direction of text.
  ///
  /// Each is written out: a line feed as `\n`, escape as `\u{1B}`. So data cannot move a cursor, colour a screen or
  /// turn the words after it around.
  ///
  /// - Parameter text: The text as the data have it.
  /// - Returns: The same text on one line.
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
