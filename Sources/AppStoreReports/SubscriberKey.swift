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
  private var keys: [UInt64] = []

  init(_ registries: Registries) { self.registries = registries }

  /// Returns the key of an id that is not blank.
  ///
  /// - Parameters:
  ///   - line: The line that holds the id.
  ///   - range: Where it is, without blanks at its ends.
  /// - Returns: The key, see ``SubscriberKey``.
  mutating func key(_ line: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    ByteNumber.id(line, range) ?? textKey(line, range)
  }

  private mutating func textKey(_ line: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    let local = texts.id(of: line, range)
    if local == keys.count { keys.append(registries.subscriberKey(of: texts.text(of: local))) }
    return keys[Int(local)]
  }
}
