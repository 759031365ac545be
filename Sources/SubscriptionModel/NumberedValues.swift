/// Gives each distinct value a number: 0 for the first, 1 for the second, and so on.
///
/// Values are kept once, in a list, and found by open addressing. A dictionary would hold a second copy of each,
/// and hash and move them all whenever it grows; a run has some ten thousand terms of 150 bytes each.
public struct NumberedValues<Value: Hashable & Sendable>: Sendable {
  /// A slot of the hash table.
  @usableFromInline
  struct Slot: Sendable {
    @usableFromInline let hash: UInt32
    /// The number of the value; -1 for a free slot.
    @usableFromInline let number: Int32

    @usableFromInline
    init(hash: UInt32 = 0, number: Int32 = -1) {
      self.hash = hash
      self.number = number
    }
  }

  /// The values by number.
  @inlinable public var values: [Value] { known }
  @usableFromInline var known: [Value] = []
  /// The hash table: each value is at the slot of its hash or after it.
  ///
  /// The count is a power of two, or 0 without values, so that copies of an empty list share no storage.
  @usableFromInline var slots: [Slot] = []

  /// Creates an empty list.
  @inlinable
  public init() {}

  /// Returns the number of a value, adding the value if it is new.
  ///
  /// - Parameter value: The value.
  /// - Returns: Its index in ``values``.
  @inlinable
  public mutating func number(of value: Value) -> Int {
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
      if slot.hash == hash, known[Int(slot.number)] == value { return Int(slot.number) }
      place = (place + 1) & (slots.count - 1)
    }
    slots[place] = Slot(hash: hash, number: Int32(known.count))
    known.append(value)
    // At most half of the slots are taken, so that searches are short.
    if 2 * known.count > slots.count { grow() }
    return known.count - 1
  }

  /// Removes all values.
  ///
  /// Keeps the slots for reuse, unless there are more than 8 for each value: clearing them takes time, too.
  @inlinable
  public mutating func removeAll() {
    guard 8 * known.count >= slots.count else {
      self = NumberedValues()
      return
    }
    known.removeAll(keepingCapacity: true)
    for place in slots.indices { slots[place] = Slot() }
  }

  @usableFromInline
  mutating func grow() {
    let old = slots
    slots = Array(repeating: Slot(), count: max(8, 2 * old.count))
    for slot in old where slot.number >= 0 {
      var place = Int(slot.hash) & (slots.count - 1)
      while slots[place].number >= 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = slot
    }
  }
}

/// A value with a hash that is faster than Swift's own.
///
/// It has no random seed, so an input made of values with equal hashes can slow down a run.
public protocol QuickHashable: Hashable, Sendable {
  /// The hash; its lower bits are well mixed.
  var quickHash: UInt32 { get }
}

extension UInt64 {
  /// A hash of all bits.
  @inlinable public var quickHash: UInt32 {
    let (high, low) = multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return UInt32(truncatingIfNeeded: high ^ low)
  }
}

extension NumberedValues where Value: QuickHashable {
  /// Returns the number of a value, found by its quick hash; adds the value if it is new.
  ///
  /// - Parameter value: The value.
  /// - Returns: Its index in ``values``.
  @inlinable
  public mutating func number(of value: Value) -> Int { number(of: value, hash: value.quickHash) }
}
