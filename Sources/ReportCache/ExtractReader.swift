package import AppStoreReports
import Files
import Scanning
package import Storage
import SubscriptionModel

/// Reads extracts, one file after another, on one thread: see ``ExtractCoder``.
///
/// It remembers texts of earlier extracts, so it gets faster the more files it reads.
package struct ExtractReader: ExtractCoder {
  private let registries: Registries
  private var texts: LocalSymbols
  private var buffer = ValueBuffer(reading: [])
  private var range = 0..<0
  // The run's numbers for the file's own numbers.
  private var symbols: [Symbol] = []
  private var terms: [UInt32] = []

  package init(_ registries: Registries) {
    self.registries = registries
    texts = LocalSymbols(registries.symbols)
  }

  /// Begins an extract, whose range in the bytes of an entry `find` returns, if that file can be read.
  mutating func open(
    _ path: String, find: ([UInt8]) throws(CacheEntry.Fault) -> Range<Int>
  ) throws(CacheEntry.Fault) -> Bool {
    guard OutputFileSystem.read(path, into: &buffer.bytes) else { return false }
    range = try find(buffer.bytes)
    rewind()
    return true
  }

  /// Begins an extract that is in memory, in a range of the bytes of an entry.
  package mutating func open(_ bytes: [UInt8], _ range: Range<Int>) {
    buffer.bytes = bytes
    self.range = range
    rewind()
  }

  var content: [UInt8] { Array(buffer.bytes[range]) }

  /// Goes back to the start of the extract.
  package mutating func rewind() {
    buffer.restart(range)
    symbols.removeAll(keepingCapacity: true)
    terms.removeAll(keepingCapacity: true)
  }

  /// Whether the whole extract was read and valid.
  package var isReadToEnd: Bool { isValid && buffer.isAtEnd }

  /// Ends reading an extract; returns whether everything read was valid and, if it `isWhole`, read to its end.
  package mutating func close(isWhole: Bool = true) -> Bool { isReadToEnd || isValid && !isWhole }

  package var isReading: Bool { true }
  package var isValid: Bool { buffer.isValid }

  package mutating func fail() { buffer.fail() }

  package mutating func number(_ value: inout UInt64) { buffer.number(&value) }

  package mutating func run(_ run: inout [UInt8]) { buffer.run(&run) }

  package mutating func text(_ value: inout String) {
    var count: UInt64 = 0
    number(&count)
    guard let range = buffer.take(count) else { return }
    value = String(decoding: buffer.bytes[range], as: UTF8.self)
  }

  package func inOrder<Value>(
    _ values: [Value], _ code: (inout Value, inout ExtractReader) -> Void
  ) -> [Value] { values }

  package mutating func symbol(_ value: inout Symbol) {
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

  // MARK: Columns

  package mutating func subscribers(_ keys: inout [UInt64]) {
    let textKeys = textKeys()
    column(&keys)
    // Combining all keys is faster than testing each, and most files have no text keys.
    guard keys.reduce(0, |) & SubscriberKey.textBit != 0 else { return }
    for index in keys.indices where keys[index] & SubscriberKey.textBit != 0 {
      let local = keys[index] & ~SubscriberKey.textBit
      guard local < textKeys.count else { return fail() }
      keys[index] = textKeys[Int(local)]
    }
  }

  /// Reads the subscribers of a set from a column of subscriber keys; the others are not even copied.
  ///
  /// Returns how many keys the column has; `places` receives the indices of those in the set, ascending.
  mutating func subscribers(
    in some: SubscriberSet, _ places: inout [UInt32], _ keys: inout [UInt64]
  ) -> Int {
    let start = buffer
    guard textKeys().isEmpty else {
      buffer = start
      var all: [UInt64] = []
      subscribers(&all)
      // Safe, here and below: the bytes are only read, and numbers have no padding.
      unsafe some.find(in: all.span.bytes, &places, &keys)
      return all.count
    }
    let range = columnRange(of: UInt64.self)
    unsafe some.find(in: buffer.bytes.span.bytes.extracting(range), &places, &keys)
    if keys.reduce(0, |) & SubscriberKey.textBit != 0 { fail() }
    return range.count / MemoryLayout<UInt64>.size
  }

  /// Returns the run's keys of the ids that are no plain numbers, in the entry's order.
  private mutating func textKeys() -> [UInt64] {
    var texts: [String] = []
    list(&texts, blank: "") { $1.text(&$0) }
    return texts.map(registries.subscriberKey(of:))
  }

  package mutating func column<Number: FixedWidthInteger & BitwiseCopyable>(
    _ numbers: inout [Number]
  ) {
    numbers.removeAll(keepingCapacity: true)
    let range = columnRange(of: Number.self)
    numbers.append(contentsOf: repeatElement(0, count: range.count / MemoryLayout<Number>.size))
    // Safe: `columnRange` has checked that the bytes are there, and any bytes form valid numbers.
    unsafe numbers.withUnsafeMutableBytes { numbers in
      unsafe buffer.bytes.withUnsafeBytes {
        unsafe numbers.copyMemory(from: .init(rebasing: $0[range]))
      }
    }
  }

  /// Reads the numbers at some places of a column; fails if it has fewer.
  ///
  /// Returns how many numbers the column has.
  mutating func column<Number: FixedWidthInteger & BitwiseCopyable>(
    at places: [UInt32], of kind: Number.Type, _ numbers: inout [UInt32]
  ) -> Int {
    numbers.removeAll(keepingCapacity: true)
    let range = columnRange(of: kind)
    let size = MemoryLayout<Number>.size
    guard places.allSatisfy({ Int($0) < range.count / size }) else {
      fail()
      return 0
    }
    // Safe, here and below: the guard keeps each number inside the column, and any bytes form a number.
    let column = unsafe buffer.bytes.span.bytes.extracting(range)
    for place in places {
      let number = unsafe column.unsafeLoadUnaligned(fromByteOffset: Int(place) * size, as: kind)
      numbers.append(UInt32(truncatingIfNeeded: number))
    }
    return range.count / size
  }

  /// Reads the length of a column and skips its numbers; returns their bytes.
  ///
  /// There are none if the entry has fewer, which makes it invalid.
  private mutating func columnRange<Number>(of kind: Number.Type) -> Range<Int> {
    var count: UInt64 = 0
    number(&count)
    let (length, isTooLong) = count.multipliedReportingOverflow(
      by: UInt64(MemoryLayout<Number>.size))
    if isTooLong { fail() }
    return buffer.take(length) ?? 0..<0
  }

  // Without it, reading terms takes three times as long: an extract has few rows for each.
  @specialized(where Terms == ChargeTerms)
  package mutating func terms<Terms: ExtractTerms>(_ value: inout UInt32, of kind: Terms.Type) {
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
