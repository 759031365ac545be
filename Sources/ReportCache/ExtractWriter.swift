package import AppStoreReports
package import Storage

/// Writes extracts, one file after another, on one thread: see ``ExtractCoder``.
package struct ExtractWriter: ExtractCoder {
  private var buffer = ValueBuffer()
  private let registries: Registries
  private var symbols = LocalNumbers()
  private var terms = LocalNumbers()
  /// Whether symbols are written as the run's numbers, to sort values.
  private var keepsSymbols = false

  package init(_ registries: Registries) { self.registries = registries }

  package mutating func begin() {
    buffer.bytes.removeAll(keepingCapacity: true)
    symbols.removeAll()
    terms.removeAll()
  }

  /// The bytes written since ``begin()``.
  package var bytes: [UInt8] { buffer.bytes }

  package var byteCount: Int { buffer.bytes.count }

  package var isReading: Bool { false }
  package var isValid: Bool { true }

  package mutating func fail() { buffer.fail() }

  package mutating func number(_ value: inout UInt64) { buffer.number(&value) }

  package mutating func run(_ run: inout [UInt8]) { buffer.run(&run) }

  package mutating func text(_ value: inout String) {
    var count = UInt64(value.utf8.count)
    number(&count)
    buffer.bytes.append(contentsOf: value.utf8)
  }

  package func inOrder<Value>(
    _ values: [Value], _ code: (inout Value, inout ExtractWriter) -> Void
  ) -> [Value] {
    var writer = ExtractWriter(registries)
    writer.keepsSymbols = true
    let written = values.map { value in
      var copy = value
      writer.begin()
      code(&copy, &writer)
      return (bytes: writer.bytes, value: value)
    }
    return written.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.value)
  }

  package mutating func symbol(_ value: inout Symbol) {
    if keepsSymbols {
      var number = UInt64(value)
      return self.number(&number)
    }
    let (local, isNew) = symbols.number(of: value)
    var number = UInt64(local)
    self.number(&number)
    guard isNew else { return }
    var text = registries.text(of: value)
    self.text(&text)
  }

  package mutating func subscribers(_ keys: inout [UInt64]) {
    var own = keys
    var texts = LocalNumbers()
    var inOrder: [String] = []
    for index in keys.indices where keys[index] & SubscriberKey.textBit != 0 {
      let (number, isNew) = texts.number(of: UInt32(truncatingIfNeeded: keys[index]))
      own[index] = UInt64(number) | SubscriberKey.textBit
      if isNew { inOrder.append(registries.subscriberText(of: keys[index])) }
    }
    list(&inOrder, blank: "") { $1.text(&$0) }
    column(&own)
  }

  package mutating func column<Number: FixedWidthInteger & BitwiseCopyable>(
    _ numbers: inout [Number]
  ) {
    var count = UInt64(numbers.count)
    number(&count)
    // Safe: numbers have no padding, and the bytes are copied before the call ends.
    unsafe numbers.withUnsafeBytes { unsafe buffer.bytes.append(contentsOf: $0) }
  }

  package mutating func terms<Terms: ExtractTerms>(_ value: inout UInt32, of kind: Terms.Type) {
    let (local, isNew) = terms.number(of: value)
    var number = UInt64(local)
    self.number(&number)
    guard isNew else { return }
    var terms = Terms.all(in: registries)[Int(value)]
    terms.code(with: &self)
  }
}
