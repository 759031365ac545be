/// Encodes Base64: padded for receipts, and in the URL form without padding for signed payloads.
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes, padded to a multiple of four characters.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    let text = encoded(bytes)
    let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
    return String(decoding: text, as: UTF8.self) + padding
  }

  /// Encodes bytes with `-` and `_`, without padding.
  static func urlText(_ bytes: some Collection<UInt8>) -> [UInt8] {
    encoded(bytes).map { digit in
      switch digit {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: digit
      }
    }
  }

  private static func encoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 4 / 3 + 4)
    var bits = 0
    var bitCount = 0
    for byte in bytes {
      bits = (bits << 8 | Int(byte)) & 0xFFFF
      bitCount += 8
      while bitCount >= 6 {
        bitCount -= 6
        text.append(digits[bits >> bitCount & 63])
      }
    }
    if bitCount > 0 { text.append(digits[bits << (6 - bitCount) & 63]) }
    return text
  }
}
