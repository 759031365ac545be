/// Recognizes ids that a spreadsheet or a program has read as numbers.
package enum RewrittenNumber {
  /// How an id should look, for messages.
  package static let expectedID = "the id as Apple writes it, digits only"

  /// What was found instead, for messages.
  package static let foundID =
    "a number in scientific notation, with a decimal point or with thousands separators"

  /// Returns whether a text is a number in scientific notation, with a decimal point or with thousands separators.
  ///
  /// - Parameter text: The text of an id, without blanks around it.
  /// - Returns: Whether it is. `5.60340E+14` has lost its last digits, so two ids may have become one.
  package static func isOne(_ text: String) -> Bool {
    isRewrittenNumber(text) || isGroupedNumber(text)
  }

  /// Returns whether a text is a number in scientific notation or with a decimal point.
  private static func isRewrittenNumber(_ text: String) -> Bool {
    var digits = 0
    var points = 0
    var exponent: Int?
    var last: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if let count = exponent { exponent = count + 1 } else { digits += 1 }
      case UInt8(ascii: "."), UInt8(ascii: ","):
        points += 1
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
    // With a decimal comma, as German spreadsheets write it, only zeros follow an id.
    guard digits > 0, points == 1 else { return false }
    return text.utf8.contains(UInt8(ascii: ".")) || text.hasSuffix(",0") || text.hasSuffix(",00")
  }

  /// Returns whether a text is a number with thousands separators, such as `560,340`.
  private static func isGroupedNumber(_ text: String) -> Bool {
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
}
