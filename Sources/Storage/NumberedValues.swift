/// Numbers distinct values: 0 for the first, 1 for the second, and so on.
///
/// Values are stored once, in a list, and found by open addressing. A dictionary would need a
/// second copy of each, and hash and move all of them whenever it grows; a run has some ten
/// thousand terms of 150 bytes each.
@usableFromInline
package struct NumberedValues<Value: Hashable & Sendable>: Sendable {
  /// The values, in the order of their numbers.
  @inlinable package var values: [Value] { list }
  @usableFromInline var list: [Value] = []
  /// The hash table; the count is a power of two, or 0 without values.
  @usableFromInline var slots: [ValueSlot] = []

  /// Creates an empty list.
  @inlinable
  package init() {}

  /// Returns the number of a value, adding the value if it is new.
  ///
  /// - Parameter value: The value.
  /// - Returns: Its index in ``values``.
  @inlinable
  package mutating func number(of value: Value) -> Int {
    number(of: value, hash: UInt32(truncatingIfNeeded: value.hashValue))
  }

  /// Returns the number of a value, adding the value if it is new.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - hash: Its hash; the lower bits must be well mixed.
  /// - Returns: Its index in ``values``.
  @inlinable
  mutating func number(of value: Value, hash: UInt32) -> Int {
    if slots.isEmpty { grow() }
    var place = Int(hash) & (slots.count - 1)
    while slots[place].number >= 0 {
      let slot = slots[place]
      if slot.hash == hash, list[Int(slot.number)] == value { return Int(slot.number) }
      place = (place + 1) & (slots.count - 1)
    }
    slots[place] = ValueSlot(hash: hash, number: Int32(list.count))
    list.append(value)
    // At most half of the slots are used, so that searches are short.
    if 2 * list.count > slots.count { grow() }
    return list.count - 1
  }

  /// Removes all values.
  ///
  /// Keeps the slots for reuse, unless there are more than 8 for each value, because clearing them
  /// takes time.
  @inlinable
  package mutating func removeAll() {
    guard 8 * list.count >= slots.count else {
      self = NumberedValues()
      return
    }
    list.removeAll(keepingCapacity: true)
    for place in slots.indices { slots[place] = ValueSlot() }
  }

  @inlinable
  mutating func grow() {
    let old = slots
    slots = Array(repeating: ValueSlot(), count: max(8, 2 * old.count))
    for slot in old where slot.number >= 0 {
      var place = Int(slot.hash) & (slots.count - 1)
      while slots[place].number >= 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = slot
    }
  }
}

/// A slot of the hash table of ``NumberedValues``, whatever its values are.
@usableFromInline
struct ValueSlot: Sendable {
  @usableFromInline let hash: UInt32
  /// The number of the value; -1 for a free slot.
  @usableFromInline let number: Int32

  @inlinable
  init(hash: UInt32 = 0, number: Int32 = -1) {
    self.hash = hash
    self.number = number
  }
}

/// A value with a hash that is faster to compute than Swift's.
///
/// The hash has no random seed, so malicious input with many equal hashes can slow down a run.
@usableFromInline
package protocol QuickHashable: Hashable, Sendable {
  /// The hash; its lower bits are well mixed.
  var quickHash: UInt32 { get }
}

extension UInt64 {
  /// A hash of all bits.
  @inlinable package var quickHash: UInt32 {
    let (high, low) = multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return UInt32(truncatingIfNeeded: high ^ low)
  }
}

extension NumberedValues where Value: QuickHashable {
  /// Returns the number of a value, found by ``QuickHashable/quickHash``; adds the value if it is
  /// new.
  ///
  /// - Parameter value: The value.
  /// - Returns: Its index in ``values``.
  @inlinable
  package mutating func number(of value: Value) -> Int { number(of: value, hash: value.quickHash) }
}
