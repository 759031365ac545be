/// The obvious base64, a bit at a time, to compare with.
package enum ReferenceBase64 {
  private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

  /// Encodes bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - urlSafe: Whether to write `-` and `_` and no padding, not `+`, `/` and padding.
  /// - Returns: The text, on one line.
  package static func encode(_ bytes: [UInt8], urlSafe: Bool = false) -> String {
    let alphabet = Array(letters + (urlSafe ? "-_" : "+/"))
    var bits: [Bool] = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 == 1 } }
    while bits.count % 6 != 0 { bits.append(false) }
    var text = ""
    for start in stride(from: 0, to: bits.count, by: 6) {
      text.append(alphabet[bits[start..<start + 6].reduce(0) { $0 * 2 + ($1 ? 1 : 0) }])
    }
    while !urlSafe, text.count % 4 != 0 { text.append("=") }
    return text
  }
}
