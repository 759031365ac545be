/// Returns text from a file in quotes for a message: at most 80 bytes, on one line, safe for a
/// terminal.
///
/// - Parameter text: The text.
/// - Returns: A text such as `"9,99"`, or `"a\u{1B}[2J"` if the text has control characters.
package func quotedExcerpt(_ text: some StringProtocol) -> String {
  var excerpt = ""
  var count = 0
  for scalar in text.unicodeScalars {
    count += UTF8.width(scalar)
    guard count <= 80 else { return "\"\(printable(excerpt))…\"" }
    excerpt.unicodeScalars.append(scalar)
  }
  return "\"\(printable(excerpt))\""
}

/// Returns a text on one line, without characters that control a terminal or the writing direction.
///
/// - Parameter text: The text.
/// - Returns: The text with `\u{1B}` for an escape character, and so on.
package func printable(_ text: String) -> String {
  func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
  guard text.unicodeScalars.contains(where: isHarmful) else { return text }
  var shown = ""
  for scalar in text.unicodeScalars {
    if isHarmful(scalar) {
      shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    } else {
      shown.unicodeScalars.append(scalar)
    }
  }
  return shown
}
