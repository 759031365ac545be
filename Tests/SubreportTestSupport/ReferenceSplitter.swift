/// The obvious versions of splitting text into lines and lines into fields, to compare with.
package enum ReferenceSplitter {
  /// One line of a text.
  package struct Line: Equatable, Sendable {
    /// The bytes without the line ending.
    package let bytes: [UInt8]
    /// The offset of the first byte in the text, byte order mark included.
    package let byteOffset: Int

    package init(bytes: [UInt8], byteOffset: Int) {
      self.bytes = bytes
      self.byteOffset = byteOffset
    }
  }

  /// Splits a line at its tabs.
  ///
  /// - Parameter line: The line without its ending.
  /// - Returns: The fields: one more than there are tabs.
  package static func fields(_ line: [UInt8]) -> [[UInt8]] {
    line.split(separator: 0x09, omittingEmptySubsequences: false).map { Array($0) }
  }

  /// Splits a text at its line feeds; if its first line ends in CR alone, at each CR too.
  ///
  /// - Parameter text: The text, which may start with a byte order mark.
  /// - Returns: The lines without CRLF or LF; nothing after the last line feed is no line.
  package static func lines(_ text: [UInt8]) -> [Line] {
    var offset = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = endsInReturn(text[offset...]) ? text.map { $0 == 0x0D ? 0x0A : $0 } : text
    var lines: [Line] = []
    while offset < text.count {
      let rest = text[offset...]
      if let lineFeed = rest.firstIndex(of: 0x0A) {
        var bytes = Array(rest[..<lineFeed])
        if bytes.last == 0x0D { bytes.removeLast() }
        lines.append(Line(bytes: bytes, byteOffset: offset))
        offset = lineFeed + 1
      } else {
        lines.append(Line(bytes: Array(rest), byteOffset: offset))
        offset = text.count
      }
    }
    return lines
  }

  /// Whether the first line is text before one CR or more, and other text follows.
  private static func endsInReturn(_ text: ArraySlice<UInt8>) -> Bool {
    let line = text.prefix { $0 >= 0x20 || $0 == 0x09 }
    let rest = text.dropFirst(line.count)
    let after = rest.drop { $0 == 0x0D }
    return rest.first == 0x0D && !after.isEmpty && after.first != 0x0A
  }
}
