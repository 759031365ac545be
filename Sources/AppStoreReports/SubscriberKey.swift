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
      keys.append(RewrittenNumber.isOne(text) ? nil : registries.subscriberKey(of: text))
    }
    return keys[Int(local)]
  }
}
