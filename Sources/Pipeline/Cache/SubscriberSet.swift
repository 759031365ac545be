/// Some of very many subscribers, found quickly: nearly all who are looked for are not in it.
struct SubscriberSet: Sendable {
  private var keys: Set<UInt64> = []
  /// A bit for each of the keys' hashes: what has none need not be looked up.
  private var bits = [UInt64](repeating: 0, count: 1 << (hashBits - 6))
  private static let hashBits = 22

  var count: Int { keys.count }

  mutating func insert(_ key: UInt64) {
    keys.insert(key)
    let hash = Self.hash(key)
    bits[hash >> 6] |= 1 << UInt64(hash & 63)
  }

  func contains(_ key: UInt64) -> Bool {
    let hash = Self.hash(key)
    return bits[hash >> 6] & 1 << UInt64(hash & 63) != 0 && keys.contains(key)
  }

  private static func hash(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - hashBits))
  }
}
