import AppStoreReports
import Scanning
import SubscriptionModel

/// Reads extracts, one file after another, on one thread: see ``ExtractCoder``.
///
/// Texts that earlier extracts had are known, so a reader is faster the longer it lives.
struct ExtractReader: ExtractCoder {
  private let registries: Registries
  private var texts: LocalSymbols
  private var bytes: [UInt8] = []
  private var offset = 0
  private var end = 0
  private(set) var isValid = true
  // What the file's own numbers stand for in the run.
  private var symbols: [Symbol] = []
  private var subscribers: [UInt64] = []
  private var terms: [UInt32] = []

  init(_ registries: Registries) {
    self.registries = registries
    texts = LocalSymbols(registries.symbols)
  }

  /// Begins an extract.
  ///
  /// - Parameters:
  ///   - bytes: What holds it.
  ///   - range: Where it is.
  mutating func open(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
    isValid = true
    symbols.removeAll(keepingCapacity: true)
    subscribers.removeAll(keepingCapacity: true)
    terms.removeAll(keepingCapacity: true)
  }

  /// Lets go of an extract.
  ///
  /// - Parameter isWhole: Whether all of it must have been read.
  /// - Returns: Whether what was read made sense.
  mutating func close(isWhole: Bool = true) -> Bool {
    bytes = []
    return isValid && (offset == end || !isWhole)
  }

  mutating func fail() { isValid = false }

  mutating func number(_ value: inout UInt64) {
    value = 0
    var shift: UInt64 = 0
    while offset < end, shift < 64 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return }
      shift += 7
    }
    fail()
  }

  mutating func text(_ value: inout String) {
    var count: UInt64 = 0
    number(&count)
    guard isValid, count <= UInt64(end - offset) else { return fail() }
    value = String(decoding: bytes[offset..<offset + Int(count)], as: UTF8.self)
    offset += Int(count)
  }

  mutating func symbol(_ value: inout Symbol) {
    var local: UInt64 = 0
    number(&local)
    if local == symbols.count {
      var text = ""
      self.text(&text)
      symbols.append(texts.symbol(text))
    }
    guard isValid, local < symbols.count else { return fail() }
    value = symbols[Int(local)]
  }

  mutating func subscriber(_ key: inout UInt64) {
    guard end - offset >= 8 else { return fail() }
    key = 0
    for place in 0..<8 { key |= UInt64(bytes[offset + place]) << UInt64(8 * place) }
    offset += 8
    guard key & SubscriberKey.textBit != 0 else { return }
    let local = key & ~SubscriberKey.textBit
    if local == subscribers.count {
      var text = ""
      self.text(&text)
      subscribers.append(registries.subscriberKey(of: text))
    }
    guard isValid, local < subscribers.count else { return fail() }
    key = subscribers[Int(local)]
  }

  mutating func terms<Terms: ExtractTerms>(_ value: inout UInt32, of kind: Terms.Type) {
    var local: UInt64 = 0
    number(&local)
    if local == terms.count {
      var new = Terms.blank
      new.code(with: &self)
      if isValid { terms.append(new.number(in: registries)) }
    }
    guard isValid, local < terms.count else { return fail() }
    value = terms[Int(local)]
  }
}
