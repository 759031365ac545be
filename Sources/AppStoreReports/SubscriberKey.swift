import Scanning

/// How a Subscriber ID becomes the 64 bits of a charge record.
///
/// Apple's ids are numbers, and a number below 2^62 without leading zeros is its own key. Any other
/// text is numbered by the registries, with the top bit set, so that the two never meet.
public enum SubscriberKey {
  /// The bit that tells a numbered text from a number.
  public static let textBit: UInt64 = 1 << 63
}

/// The keys of one reader's subscribers.
struct SubscriberKeys {
  private let registries: Registries
  private var texts = SymbolTable()
  /// The keys of texts; `nil` for a number that a spreadsheet has rewritten.
  private var keys: [UInt64?] = []

  init(_ registries: Registries) { self.registries = registries }

  /// Returns the key of an id that is not blank.
  ///
  /// - Parameters:
  ///   - line: The line that holds the id.
  ///   - range: Where it is, without blanks at its ends.
  /// - Returns: The key, see ``SubscriberKey``; `nil` for an id such as `5.60340E+14`, whose last digits
  ///   a spreadsheet has dropped, so that two subscribers may have the same, or `560,340,000,000,001`, which
  ///   would be another subscriber than in the files that no spreadsheet has saved.
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
  // No spreadsheet's number has an exponent of more than three digits.
  if let exponent { return digits > 0 && (1...3).contains(exponent) }
  return digits > 0 && points == 1 && !hasComma
}

/// Returns whether a text is a number with thousands separators: groups of three digits behind the first.
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
    // A no-break space and a narrow one, as French spreadsheets write them.
    guard ",. '\u{2019}\u{A0}\u{202F}".contains(character), character == separator ?? character,
      groups == 0 ? digits > 0 : digits == 3
    else { return false }
    separator = character
    groups += 1
    digits = 0
  }
  return groups > 0 && digits == 3
}
