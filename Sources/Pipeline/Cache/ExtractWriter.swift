import AppStoreReports
import SubscriptionModel

/// Writes the extract of one file: see ``ExtractCoder``.
struct ExtractWriter: ExtractCoder {
  private(set) var bytes: [UInt8] = []
  private let registries: Registries
  // The file's own numbers: 0 for what is met first, 1 for the second.
  private var symbols: [Symbol: UInt64] = [:]
  private var subscribers: [UInt64: UInt64] = [:]
  private var terms: [UInt32: UInt64] = [:]

  init(_ registries: Registries) { self.registries = registries }

  var isValid: Bool { true }

  mutating func fail() { preconditionFailure("what a file says can be written") }

  mutating func number(_ value: inout UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func text(_ value: inout String) {
    var count = UInt64(value.utf8.count)
    number(&count)
    bytes.append(contentsOf: value.utf8)
  }

  mutating func symbol(_ value: inout Symbol) {
    if write(value, numberedBy: \.symbols) {
      var text = registries.text(of: value)
      self.text(&text)
    }
  }

  mutating func subscriber(_ key: inout UInt64) {
    guard key & SubscriberKey.textBit != 0 else { return eightBytes(key) }
    let local = subscribers[key] ?? UInt64(subscribers.count)
    eightBytes(local | SubscriberKey.textBit)
    if local == subscribers.count {
      subscribers[key] = local
      var text = registries.subscriberText(of: key)
      self.text(&text)
    }
  }

  mutating func terms<Terms: ExtractTerms>(_ value: inout UInt32, of kind: Terms.Type) {
    if write(value, numberedBy: \.terms) {
      var terms = Terms.numbered(value, in: registries)
      terms.code(with: &self)
    }
  }

  /// Writes the file's own number for one of the run.
  ///
  /// - Returns: Whether it is new.
  private mutating func write(
    _ value: UInt32, numberedBy numbers: WritableKeyPath<Self, [UInt32: UInt64]>
  ) -> Bool {
    let count = UInt64(self[keyPath: numbers].count)
    var local = self[keyPath: numbers][value] ?? count
    number(&local)
    guard local == count else { return false }
    self[keyPath: numbers][value] = local
    return true
  }

  private mutating func eightBytes(_ value: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }
}
