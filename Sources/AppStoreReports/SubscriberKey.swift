import Scanning

/// The 64-bit key of a Subscriber ID in a charge record.
///
/// Apple's ids are numbers: one below 2^62 without leading zeros is its own key. The registries number any
/// other text; its key has the top bit set, so the two never collide.
public enum SubscriberKey {
  /// The bit that marks the key of a numbered text.
  public static let textBit: UInt64 = 1 << 63
}

/// The subscriber keys of one reader.
struct SubscriberKeys {
  private let registries: Registries
  private var texts = SymbolTable()
  /// The keys of ``texts``; `nil` for a number that a spreadsheet has rewritten.
  private var keys: [UInt64?] = []

  init(_ registries: Registries) { self.registries = registries }

  /// Returns the key of an id that is not blank.
  ///
  /// - Parameters:
  ///   - line: The line that holds the id.
  ///   - range: Where it is, without blanks at its ends.
  /// - Returns: The key, see ``SubscriberKey``; `nil` for a number rewritten by a spreadsheet. In `5.60340E+14`
  ///   the last digits are lost, so two subscribers may look the same; `560,340,000,000,001` would count as
  ///   another subscriber than in files that no spreadsheet has saved.
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
  // A spreadsheet's number has an exponent of at most three digits.
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
    // Includes the no-break space and the narrow one of French spreadsheets.
    guard ",. '\u{2019}\u{A0}\u{202F}".contains(character), character == separator ?? character,
      groups == 0 ? digits > 0 : digits == 3
    else { return false }
    separator = character
    groups += 1
    digits = 0
  }
  return groups > 0 && digits == 3
}
