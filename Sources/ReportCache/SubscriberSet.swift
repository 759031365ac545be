/// A set of some subscribers, fast for millions of lookups of which few find one.
struct SubscriberSet: Sendable {
  /// A hash table with linear probing; 0 marks a free slot, as no id has the key 0.
  private var keys = [UInt64](repeating: 0, count: 1 << 10)
  private(set) var count = 0
  /// A bit filter that fits the processor's cache: if a key's bit is 0, the key is not in the set.
  private var words = [UInt64](repeating: 0, count: 1 << wordBits)
  private static let wordBits = 15

  mutating func insert(_ key: UInt64) {
    let hash = Self.hash(key)
    words[Self.word(hash)] |= 1 &<< Self.bit(hash)
    // At most half of the slots are taken, so that probing stays short.
    if 2 * count >= keys.count { grow() }
    let place = place(of: key)
    guard keys[place] == 0 else { return }
    keys[place] = key
    count += 1
  }

  /// Finds the subscribers of a column, eight bytes each, that are in the set.
  ///
  /// `places` receives their indices in the column, ascending, `found` their keys.
  func find(in column: RawSpan, _ places: inout [UInt32], _ found: inout [UInt64]) {
    places.removeAll(keepingCapacity: true)
    found.removeAll(keepingCapacity: true)
    let count = column.byteCount / MemoryLayout<UInt64>.size
    // One more than a block has, because every key is written before it is known whether it counts.
    var candidates = [UInt32](repeating: 0, count: Self.blockCount + 1)
    for start in stride(from: 0, to: count, by: Self.blockCount) {
      let block = start..<min(start + Self.blockCount, count)
      for place in 0..<filter(column, block, &candidates) {
        let key = Self.key(column, at: Int(candidates[place]))
        guard keys[self.place(of: key)] != 0 else { continue }
        places.append(candidates[place])
        found.append(key)
      }
    }
  }

  /// How many keys are filtered at once.
  private static let blockCount = 1_024

  /// Writes the indices of the keys that pass the filter; returns how many.
  ///
  /// Every index is written, but the place moves on only if the key passes, so that the next one overwrites it
  /// otherwise: half the time of a branch.
  private func filter(
    _ column: RawSpan, _ block: Range<Int>, _ candidates: inout [UInt32]
  ) -> Int {
    // Spans, because an array checks at every access whether it has changed.
    let words = words.span
    var room = candidates.mutableSpan
    var count = 0
    for index in block {
      let hash = Self.hash(Self.key(column, at: index))
      room[count] = UInt32(truncatingIfNeeded: index)
      count &+= Int(truncatingIfNeeded: words[Self.word(hash)] &>> Self.bit(hash) & 1)
    }
    return count
  }

  @inline(__always)
  private static func key(_ column: RawSpan, at index: Int) -> UInt64 {
    // Safe: the span checks its bounds, and any eight bytes are a key.
    unsafe column.unsafeLoadUnaligned(
      fromByteOffset: index &* MemoryLayout<UInt64>.size, as: UInt64.self)
  }

  /// Returns the slot of a key, or the free slot where it belongs.
  private func place(of key: UInt64) -> Int {
    let mask = keys.count - 1
    var place = Int(truncatingIfNeeded: Self.hash(key) >> 20) & mask
    while keys[place] != 0, keys[place] != key { place = (place + 1) & mask }
    return place
  }

  private mutating func grow() {
    let old = keys
    keys = [UInt64](repeating: 0, count: 2 * old.count)
    for key in old where key != 0 { keys[place(of: key)] = key }
  }

  private static func word(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash >> (64 - UInt64(wordBits)))
  }

  private static func bit(_ hash: UInt64) -> UInt64 { hash >> 36 }

  private static func hash(_ key: UInt64) -> UInt64 { key &* 0x9E37_79B9_7F4A_7C15 }
}
