import Scanning

/// The 64-bit key of a Subscriber ID in a charge record.
///
/// A number below 2^62 without leading zeros, such as Apple's ids, is its own key. Any other text
/// is numbered by the registries, and the key is this number with the top bit set, so it never
/// equals the key of a number.
package enum SubscriberKey {
  /// The bit in keys of texts other than numbers.
  package static let textBit: UInt64 = 1 << 63
}

extension Registries {
  /// Returns the key of an id as the user writes it; `nil` for no id, and for a number in a spreadsheet's format.
  package func subscriberKey(written text: String) -> UInt64? {
    let bytes = Array(text.utf8)
    var keys = SubscriberKeys(self)
    return bytes.isEmpty ? nil : keys.key(bytes.span, bytes.indices)
  }
}

/// A reader's cache of subscriber keys.
struct SubscriberKeys {
  private let registries: Registries
  private var texts = SymbolTable()
  /// The keys of ``texts``; `nil` for a number in a spreadsheet's format.
  private var keys: [UInt64?] = []

  init(_ registries: Registries) { self.registries = registries }

  /// Returns the key of an id that is not blank.
  ///
  /// - Parameters:
  ///   - line: The line that holds the id.
  ///   - range: Where the id is, without blanks at its ends.
  /// - Returns: The key, see ``SubscriberKey``; `nil` for a number in a spreadsheet's format.
  ///   `5.60340E+14` has lost its last digits, so two subscribers may have the same id.
  ///   `560,340,000,000,001` would not equal the same subscriber's id in other files.
  mutating func key(_ line: Span<UInt8>, _ range: Range<Int>) -> UInt64? {
    ByteNumber.id(line, range) ?? textKey(line, range)
  }

  private mutating func textKey(_ line: Span<UInt8>, _ range: Range<Int>) -> UInt64? {
    let local = texts.id(of: line, range)
    if local == keys.count {
      let text = texts.text(of: local)
      keys.append(
        isRewrittenNumber(text) || isGroupedNumber(text) ? nil : registries.subscriberKey(of: text))
    }
    return keys[Int(local)]
  }
}

/// Returns whether a text is a number in scientific notation or with a decimal point.
private func isRewrittenNumber(_ text: String) -> Bool {
  var digits = 0
  var points = 0
  var hasComma = false
  var exponent: Int?
  var last: UInt8 = 0
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      if let count = exponent { exponent = count + 1 } else { digits += 1 }
    case UInt8(ascii: "."), UInt8(ascii: ","):
      points += 1
      hasComma = byte == UInt8(ascii: ",")
      if points > 1 || exponent != nil { return false }
    case UInt8(ascii: "E"), UInt8(ascii: "e"):
      if exponent != nil { return false }
      exponent = 0
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      guard last | 0x20 == UInt8(ascii: "e") else { return false }
    default: return false
    }
    last = byte
  }
  // Spreadsheets write exponents of at most three digits.
  if let exponent { return digits > 0 && (1...3).contains(exponent) }
  return digits > 0 && points == 1 && !hasComma
}

/// Returns whether a text is a number with thousands separators, such as `560,340`.
private func isGroupedNumber(_ text: String) -> Bool {
  var separator: Character?
  var groups = 0
  var digits = 0
  for character in text {
    if character.isASCII, character.isWholeNumber {
      digits += 1
      if digits > 3 { return false }
      continue
    }
    // French spreadsheets use a no-break space or a narrow no-break space.
    guard ",. '\u{2019}\u{A0}\u{202F}".contains(character), character == separator ?? character,
      groups == 0 ? digits > 0 : digits == 3
    else { return false }
    separator = character
    groups += 1
    digits = 0
  }
  return groups > 0 && digits == 3
}
