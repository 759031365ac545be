/// Gives each distinct value a number: 0 for the first, 1 for the second, and so on.
///
/// The values lie in one list and are found by open addressing: a dictionary would hold each of them a second
/// time, and hash and move them all whenever it grows. Some ten thousand terms have 150 bytes each.
public struct NumberedValues<Value: Hashable & Sendable>: Sendable {
  /// A place in the hash table.
  @usableFromInline
  struct Slot: Sendable {
    @usableFromInline let hash: UInt32
    /// The number of the value; -1 where there is none.
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
  /// Each value is at the place of its hash or after it; the count is a power of two, or 0 without values, so that
  /// copies of an empty list share nothing that is written to.
  @usableFromInline var slots: [Slot] = []

  /// Creates an empty list.
  @inlinable
  public init() {}

  /// Returns the number of a value, a new one if the value is new.
  ///
  /// - Parameter value: The value.
  /// - Returns: Its index in ``values``.
  @inlinable
  public mutating func number(of value: Value) -> Int {
    number(of: value, hash: UInt32(truncatingIfNeeded: value.hashValue))
  }

  /// Returns the number of a value, a new one if the value is new.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - hash: Its hash, of which the lower bits must differ.
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
    // At most half of the places are taken, so that a search is short.
    if 2 * known.count > slots.count { grow() }
    return known.count - 1
  }

  /// Forgets all values.
  ///
  /// The room is kept, unless it is much more than they needed: clearing it takes time, too.
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

/// A value with a hash that is made faster than the language's own.
///
/// Unlike that it has no seed: whoever writes the input could look for values of one hash, and make that
/// one run slow.
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
  /// Returns the number of a value, a new one if the value is new; it is found by its quick hash only.
  ///
  /// - Parameter value: The value.
  /// - Returns: Its index in ``values``.
  @inlinable
  public mutating func number(of value: Value) -> Int { number(of: value, hash: value.quickHash) }
}
