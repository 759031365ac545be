package import Scanning
import Storage
package import SubscriptionModel

extension ReceiptID {
  /// Creates an id from text that a user has written.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - symbols: Numbers the ids that are not numbers.
  package init(_ text: String, _ symbols: inout LocalSymbols) {
    let bytes = Array(text.utf8)
    self.init(bytes.span, trimmed(bytes.span, 0..<bytes.count), &symbols)
  }

  /// Creates an id from a text without blanks around it.
  ///
  /// Ids are read as text, because some have more digits than a double holds exactly. An id without a letter and a
  /// digit other than 0, such as `0` or `***`, and a word for a missing value is ``none``: METRICS.md 3.3.
  init(_ text: Span<UInt8>, _ range: Range<Int>, _ symbols: inout LocalSymbols) {
    if let number = ByteNumber.id(text, range) {
      self.init(value: number)
    } else if ScalarText.saysSomething(text, range), !ScalarText.isMissingID(text, range) {
      self.init(value: UInt64(symbols.symbol(text, range)) | Self.textBit)
    } else {
      self = .none
    }
  }

  /// Whether the id is a number in a spreadsheet's format, which may have lost digits.
  ///
  /// - Parameters:
  ///   - text: The bytes that hold the id.
  ///   - range: Where it is, without blanks around it.
  /// - Returns: Whether it is.
  func isRewritten(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    // Such a number is never stored as a number.
    guard symbol != nil else { return false }
    var bytes: [UInt8] = []
    for offset in range { bytes.append(text[offset]) }
    return RewrittenNumber.isOne(String(decoding: bytes, as: UTF8.self))
  }
}

extension LocalSymbols {
  /// Returns the symbol of a country's 2-letter code.
  mutating func country(_ text: Span<UInt8>, _ range: Range<Int>) -> Symbol {
    let range = trimmed(text, range)
    if range.isEmpty { return .blank }
    var code: [UInt8] = []
    for offset in range { code.append(text[offset]) }
    return symbol(countryCode(String(decoding: code, as: UTF8.self)))
  }

  /// Returns the symbol of a currency; a code in small letters, as other tools write it, is the one in capitals.
  mutating func currency(_ text: Span<UInt8>, _ range: Range<Int>) -> Symbol {
    let range = trimmed(text, range)
    var code: [UInt8] = []
    for offset in range where UInt8(ascii: "a")...UInt8(ascii: "z") ~= text[offset] {
      code.append(text[offset] & 0xDF)
    }
    guard range.count == 3, code.count == 3 else { return symbol(text, range) }
    return symbol(String(decoding: code, as: UTF8.self))
  }
}
