/// Escapes text for XML and HTML: the one place that does.
enum XMLText {
  /// Returns text that is safe between tags and in quoted attributes.
  ///
  /// Goes by scalars, not by letters: `"` with a combining mark is still a quotation mark. Control characters become
  /// U+FFFD.
  ///
  /// - Parameters:
  ///   - text: Any text.
  ///   - keepsLines: Whether line feeds stay, as `&#10;`.
  /// - Returns: The escaped text.
  static func escaped(_ text: String, keepsLines: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: result += "&amp;"
      case 0x3C: result += "&lt;"
      case 0x3E: result += "&gt;"
      case 0x22: result += "&#34;"
      case 0x27: result += "&#39;"
      case 0x0A where keepsLines: result += "&#10;"
      case 0..<0x20, 0x7F..<0xA0, 0xFFFE...0xFFFF: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
