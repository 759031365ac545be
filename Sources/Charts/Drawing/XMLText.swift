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
    guard text.utf8.contains(where: isSpecial) else { return text }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: bytes += "&amp;".utf8
      case 0x3C: bytes += "&lt;".utf8
      case 0x3E: bytes += "&gt;".utf8
      case 0x22: bytes += "&#34;".utf8
      case 0x27: bytes += "&#39;".utf8
      case 0x0A where keepsLines: bytes += "&#10;".utf8
      case 0..<0x20, 0x7F..<0xA0, 0xFFFE...0xFFFF: bytes += "\u{FFFD}".utf8
      case 0..<0x80: bytes.append(UInt8(scalar.value))
      default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether a byte may belong to something that is written in another way.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x22, 0x26, 0x27, 0x3C, 0x3E, 0x7F...: true
    default: false
    }
  }
}
