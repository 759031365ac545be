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

  /// Finds the indices in a list whose subscriber is in the set.
  ///
  /// - Parameters:
  ///   - list: The subscribers to look up.
  ///   - places: Receives the indices, ascending.
  func findPlaces(in list: [UInt64], _ places: inout [UInt32]) {
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: repeatElement(0, count: list.count + 1))
    var found = 0
    // Write every index but advance only on a hit, so the next one overwrites a miss: half the time of a branch.
    do {
      // Spans, because an array checks at every access whether it has changed.
      let (list, words) = (list.span, words.span)
      var room = places.mutableSpan
      for index in list.indices {
        let hash = Self.hash(list[index])
        room[found] = UInt32(truncatingIfNeeded: index)
        found &+= Int(truncatingIfNeeded: words[Self.word(hash)] &>> Self.bit(hash) & 1)
      }
    }
    places.removeLast(places.count - found)
    places.removeAll { keys[place(of: list[Int($0)])] == 0 }
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
