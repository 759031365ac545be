import AppStoreReports
import SubscriptionModel

/// Writes extracts, one file after another, on one thread: see ``ExtractCoder``.
struct ExtractWriter: ExtractCoder {
  private var buffer = ValueBuffer()
  private let registries: Registries
  private var symbols = FileNumbers()
  private var terms = FileNumbers()

  init(_ registries: Registries) { self.registries = registries }

  /// Begins an extract.
  mutating func begin() {
    buffer.bytes.removeAll(keepingCapacity: true)
    symbols.removeAll()
    terms.removeAll()
  }

  /// What was written since the beginning.
  var bytes: [UInt8] { buffer.bytes }

  var isReading: Bool { false }
  var isValid: Bool { true }

  mutating func fail() { buffer.fail() }

  mutating func number(_ value: inout UInt64) { buffer.number(&value) }

  mutating func run(_ run: inout [UInt8]) { buffer.run(&run) }

  mutating func text(_ value: inout String) {
    var count = UInt64(value.utf8.count)
    number(&count)
    buffer.bytes.append(contentsOf: value.utf8)
  }

  mutating func symbol(_ value: inout Symbol) {
    var (number, isNew) = symbols.number(of: value)
    self.number(&number)
    guard isNew else { return }
    var text = registries.text(of: value)
    self.text(&text)
  }

  mutating func subscribers(_ keys: inout [UInt64]) {
    var own = keys
    var texts = FileNumbers()
    var inOrder: [String] = []
    for index in keys.indices where keys[index] & SubscriberKey.textBit != 0 {
      let (number, isNew) = texts.number(of: UInt32(truncatingIfNeeded: keys[index]))
      own[index] = number | SubscriberKey.textBit
      if isNew { inOrder.append(registries.subscriberText(of: keys[index])) }
    }
    list(&inOrder, blank: "") { $1.text(&$0) }
    column(&own)
  }

  mutating func column<Number: FixedWidthInteger & BitwiseCopyable>(_ numbers: inout [Number]) {
    var count = UInt64(numbers.count)
    number(&count)
    // Safe: numbers have no padding, and the bytes are copied before the call ends.
    unsafe numbers.withUnsafeBytes { unsafe buffer.bytes.append(contentsOf: $0) }
  }

  mutating func terms<Terms: ExtractTerms>(_ value: inout UInt32, of kind: Terms.Type) {
    var (number, isNew) = terms.number(of: value)
    self.number(&number)
    guard isNew else { return }
    var terms = Terms.numbered(value, in: registries)
    terms.code(with: &self)
  }
}

/// The file's own numbers for those of the run: 0 for what is met first, 1 for the second.
struct FileNumbers {
  /// The run's number of each of the file's.
  private(set) var inOrder: [UInt32] = []
  /// For each number of the run how many of the file's there were with it; 0 for none yet.
  private var countWith: [UInt32] = []

  mutating func removeAll() {
    for value in inOrder { countWith[Int(value)] = 0 }
    inOrder.removeAll(keepingCapacity: true)
  }

  mutating func number(of value: UInt32) -> (number: UInt64, isNew: Bool) {
    let index = Int(value)
    if index >= countWith.count {
      countWith.append(contentsOf: repeatElement(0, count: index + 1 - countWith.count))
    }
    let isNew = countWith[index] == 0
    if isNew {
      inOrder.append(value)
      countWith[index] = UInt32(inOrder.count)
    }
    return (UInt64(countWith[index] - 1), isNew)
  }
}
