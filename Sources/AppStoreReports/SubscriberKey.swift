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
    plainNumber(line, range) ?? textKey(line, range)
  }

  private func plainNumber(_ line: Span<UInt8>, _ range: Range<Int>) -> UInt64? {
    guard range.count <= 19, line[range.lowerBound] != UInt8(ascii: "0") else { return nil }
    var value: UInt64 = 0
    let offset = range.lowerBound
    // Apple's ids have 15 digits: eight and seven in two steps, the digits of other ids one by one.
    if range.count == 15 {
      guard let first = ByteNumber.eightDigits(line, at: offset),
        let last = ByteNumber.sevenDigits(line, at: offset &+ 8)
      else { return nil }
      return first &* 10_000_000 &+ last
    }
    for offset in offset..<range.upperBound {
      let digit = line[offset] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ UInt64(digit)
    }
    return value < 1 << 62 ? value : nil
  }

  private mutating func textKey(_ line: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    let local = texts.id(of: line, range)
    if local == keys.count { keys.append(registries.subscriberKey(of: texts.text(of: local))) }
    return keys[Int(local)]
  }
}
