/// Makes control characters of the data visible, for terminals and pages.
package enum VisibleText {
  /// Returns text without a control character or a mark that reverses the direction of text.
  ///
  /// Each is written out: a line feed as `\n`, escape as `\u{1B}`. So data cannot move a cursor, colour a screen or
  /// turn the words after it around.
  ///
  /// - Parameter text: The text as the data have it.
  /// - Returns: The same text on one line.
  package static func of(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": shown += "\\n"
      case "\r": shown += "\\r"
      case "\t": shown += "\\t"
      case let scalar where isControl(scalar):
        shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// Returns whether a character is written out.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
