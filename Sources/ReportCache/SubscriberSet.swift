import Pipeline

/// Some of very many subscribers, found quickly: nearly all who are looked for are not in it.
struct SubscriberSet: Sendable {
  /// The keys, each at the place of its hash or after it; 0, which is no id's key, where there is none.
  private var keys = [UInt64](repeating: 0, count: 1 << 10)
  private(set) var count = 0
  /// A bit for each key in the word of its hash: small enough for the processor's cache, and a key that has none
  /// need not be looked for.
  private var words = [UInt64](repeating: 0, count: 1 << wordBits)
  private static let wordBits = 15

  mutating func insert(_ key: UInt64) {
    let hash = Self.hash(key)
    words[Self.word(hash)] |= 1 &<< Self.bit(hash)
    // At most half of the places are taken, so that a search is short.
    if 2 * count >= keys.count { grow() }
    let place = place(of: key)
    guard keys[place] == 0 else { return }
    keys[place] = key
    count += 1
  }

  /// Finds the places of a list that hold a subscriber of these.
  ///
  /// - Parameters:
  ///   - list: Subscribers.
  ///   - places: Gets the places, in order.
  func findPlaces(in list: [UInt64], _ places: inout [UInt32]) {
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: repeatElement(0, count: list.count + 1))
    var found = 0
    // Each place is written, and the next one over it if it was none: half the time that a branch takes.
    do {
      // Spans: an array asks at every look whether it has changed.
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

  /// Returns where a key is, or would be.
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
