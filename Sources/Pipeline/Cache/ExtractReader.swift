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
  private var terms: [UInt32] = []

  init(_ registries: Registries) {
    self.registries = registries
    texts = LocalSymbols(registries.symbols)
  }

  /// Begins an extract.
  ///
  /// - Parameters:
  ///   - path: The file that holds it.
  ///   - find: Says where in the bytes of the file it is.
  /// - Returns: Whether the file can be read.
  mutating func open(
    _ path: String, find: ([UInt8]) throws(CacheEntry.Fault) -> Range<Int>
  ) throws(CacheEntry.Fault) -> Bool {
    guard OutputFileSystem.read(path, into: &bytes) else { return false }
    let range = try find(bytes)
    offset = range.lowerBound
    end = range.upperBound
    isValid = true
    symbols.removeAll(keepingCapacity: true)
    terms.removeAll(keepingCapacity: true)
    return true
  }

  /// Lets go of an extract.
  ///
  /// - Parameter isWhole: Whether all of it must have been read.
  /// - Returns: Whether what was read made sense.
  mutating func close(isWhole: Bool = true) -> Bool { isValid && (offset == end || !isWhole) }

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

  mutating func subscribers(_ keys: inout [UInt64]) {
    var texts: [String] = []
    list(&texts, blank: "") { $1.text(&$0) }
    let textKeys = texts.map(registries.subscriberKey(of:))
    column(&keys)
    for index in keys.indices where keys[index] & SubscriberKey.textBit != 0 {
      let local = keys[index] & ~SubscriberKey.textBit
      guard local < textKeys.count else { return fail() }
      keys[index] = textKeys[Int(local)]
    }
  }

  mutating func column<Number: FixedWidthInteger & BitwiseCopyable>(_ numbers: inout [Number]) {
    numbers.removeAll(keepingCapacity: true)
    var count: UInt64 = 0
    number(&count)
    let size = MemoryLayout<Number>.size
    guard isValid, count <= UInt64(end - offset) / UInt64(size) else { return fail() }
    let length = Int(count) * size
    numbers.append(contentsOf: repeatElement(0, count: Int(count)))
    // Safe: as many bytes are there, and any of them make numbers.
    unsafe numbers.withUnsafeMutableBytes { numbers in
      unsafe bytes.withUnsafeBytes {
        unsafe numbers.copyMemory(from: .init(rebasing: $0[offset..<offset + length]))
      }
    }
    offset += length
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
