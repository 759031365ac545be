package import Scanning
import Storage
package import SubscriptionModel

extension ReceiptID {
  /// Creates an id from a JSON value.
  init(_ value: JSONScalar, _ text: Span<UInt8>, _ symbols: inout LocalSymbols) {
    self.init(text, trimmed(text, value.range), &symbols)
  }

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
  /// Ids are read as text, because some have more digits than a double holds exactly. An id of
  /// zeros only is ``none``.
  init(_ text: Span<UInt8>, _ range: Range<Int>, _ symbols: inout LocalSymbols) {
    if let number = ByteNumber.id(text, range) {
      self.init(value: number)
    } else if ScalarText.isAllZeros(text, range) {
      self = .none
    } else {
      self.init(value: UInt64(symbols.symbol(text, range)) | Self.textBit)
    }
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
}
