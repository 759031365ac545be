import AppStoreReports
import SubscriptionModel

/// Writes the extract of one file: see ``ExtractCoder``.
struct ExtractWriter: ExtractCoder {
  private(set) var bytes: [UInt8] = []
  private let registries: Registries
  private var symbols = FileNumbers<Symbol>()
  private var subscribers = FileNumbers<UInt64>()
  private var terms = FileNumbers<UInt32>()

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
    var (number, isNew) = symbols.number(of: value)
    self.number(&number)
    guard isNew else { return }
    var text = registries.text(of: value)
    self.text(&text)
  }

  mutating func subscriber(_ key: inout UInt64) {
    guard key & SubscriberKey.textBit != 0 else { return eightBytes(key) }
    let (number, isNew) = subscribers.number(of: key)
    eightBytes(number | SubscriberKey.textBit)
    guard isNew else { return }
    var text = registries.subscriberText(of: key)
    self.text(&text)
  }

  mutating func terms<Terms: ExtractTerms>(_ value: inout UInt32, of kind: Terms.Type) {
    var (number, isNew) = terms.number(of: value)
    self.number(&number)
    guard isNew else { return }
    var terms = Terms.numbered(value, in: registries)
    terms.code(with: &self)
  }

  private mutating func eightBytes(_ value: UInt64) {
    for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

/// The file's own numbers for those of the run: 0 for what is met first, 1 for the second.
private struct FileNumbers<Value: Hashable> {
  private var numbers: [Value: UInt64] = [:]

  mutating func number(of value: Value) -> (number: UInt64, isNew: Bool) {
    if let number = numbers[value] { return (number, false) }
    let number = UInt64(numbers.count)
    numbers[value] = number
    return (number, true)
  }
}
