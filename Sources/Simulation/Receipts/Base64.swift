import FoundationEssentials

/// Encodes Base64: padded for receipts, and in the URL form without padding for signed payloads.
enum Base64 {
  /// Encodes bytes, padded to a multiple of four characters.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
  }

  /// Encodes bytes with `-` and `_`, without padding.
  static func urlText(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    text(bytes).utf8.compactMap { digit -> UInt8? in
      switch digit {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: digit
      }
    }
  }
}
