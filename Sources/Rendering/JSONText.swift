/// JSON strings, for tables and for other small files such as a manifest.
package enum JSONText {
  /// Returns a string in quotes, with `"`, `\` and every control character escaped (RFC 8259).
  ///
  /// - Parameter text: The string's value.
  /// - Returns: A JSON string such as `"a\\b"`.
  package static func quoted(_ text: String) -> String {
    var buffer: [UInt8] = []
    append(text, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  static func append(_ text: String, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): buffer.append(contentsOf: "\\\"".utf8)
      case UInt8(ascii: "\\"): buffer.append(contentsOf: "\\\\".utf8)
      case UInt8(ascii: "\n"): buffer.append(contentsOf: "\\n".utf8)
      case UInt8(ascii: "\r"): buffer.append(contentsOf: "\\r".utf8)
      case UInt8(ascii: "\t"): buffer.append(contentsOf: "\\t".utf8)
      case 0x00..<0x20, 0x7F:
        let digits = String(byte, radix: 16)
        buffer.append(contentsOf: (digits.utf8.count == 1 ? "\\u000" : "\\u00").utf8)
        buffer.append(contentsOf: digits.utf8)
      default: buffer.append(byte)
      }
    }
    buffer.append(UInt8(ascii: "\""))
  }
}
