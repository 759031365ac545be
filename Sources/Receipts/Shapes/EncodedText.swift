/// The kind of a text that is not JSON, recognized by its first characters.
enum EncodedText {
  /// A JWS: `eyJ` is `{"` in base64.
  case jws
  /// An app receipt that states its length, here converted to characters of base64.
  case appReceipt(characterCount: Int)
  /// A receipt that does not state its length: from Xcode (BER) or for iOS 6 (a property list).
  case otherReceipt

  /// The fewest characters of a text that is recognized.
  private static let shortest = 16
  /// How many characters are checked here; decoding checks all.
  private static let beginning = 256

  /// Recognizes a text without blanks around it; nil if it is none of these.
  init?(_ text: Span<UInt8>, _ range: Range<Int>) {
    guard range.count >= Self.shortest else { return nil }
    let beginning = range.prefix(Self.beginning)
    if Self.starts(text, range, with: "eyJ") {
      guard Self.hasOnly(text, beginning, and: ".-_") else { return nil }
      self = .jws
      return
    }
    guard Self.hasOnly(text, beginning, and: "+/-_= ") else { return nil }
    if Self.starts(text, range, with: "MIA") || Self.starts(text, range, with: "ewo") {
      self = .otherReceipt
    } else if Self.starts(text, range, with: "MII") || Self.starts(text, range, with: "MIM"),
      let count = Self.derLength(text, range)
    {
      // The padding may be missing.
      self = .appReceipt(characterCount: (count * 4 + 2) / 3)
    } else {
      return nil
    }
  }

  /// Returns the length in bytes of a DER element that begins with `30 82 …` or `30 83 …`.
  private static func derLength(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var head: [UInt8] = []
    let start = range.lowerBound..<range.lowerBound + 8
    guard (try? Base64.decode(text, start, .standard, into: &head)) != nil, head.count >= 5 else {
      return nil
    }
    let lengthSize = Int(head[1] & 0x7F)
    return head[2..<2 + lengthSize].reduce(0) { $0 << 8 | Int($1) } + 2 + lengthSize
  }

  private static func starts(
    _ text: Span<UInt8>, _ range: Range<Int>, with prefix: String
  ) -> Bool {
    matches(text, range.prefix(prefix.utf8.count), prefix.utf8)
  }

  /// Returns whether a text has only ASCII letters, digits and the given other characters.
  static func hasOnly(_ text: Span<UInt8>, _ range: Range<Int>, and others: String) -> Bool {
    range.allSatisfy { offset in
      let byte = text[offset]
      return ScalarText.lowered(byte) &- UInt8(ascii: "a") < 26 || byte &- 0x30 < 10
        || others.utf8.contains(byte)
    }
  }
}
