/// The keys that a reader uses: the raw values of an enumeration's cases and their other spellings, at most 256.
///
/// Create the table once, in a static property.
package struct JSONKeys<Key>: Sendable
where Key: CaseIterable & RawRepresentable<String> & Sendable {
  /// The table for ``JSONScanner/nextKey(of:_:)``.
  @usableFromInline package let table: JSONKeyTable
  /// The cases, by their indices in the table.
  @usableFromInline package let cases: [Key]

  /// Creates the table that finds a case by its raw value.
  ///
  /// - Parameter spellings: Other keys of some cases, such as `signed_date` of `signedDate`.
  package init(spellings: KeyValuePairs<String, Key> = [:]) {
    cases = Key.allCases + spellings.map(\.value)
    table = JSONKeyTable(Key.allCases.map(\.rawValue) + spellings.map(\.key))
  }
}

/// The key of a member of an object.
package enum JSONMember<Key> {
  /// One of the reader's ``JSONKeys``.
  case known(Key)
  /// Another key.
  case unknown
}

extension JSONMember: Equatable where Key: Equatable {}
extension JSONMember: Sendable where Key: Sendable {}

/// Finds keys by their bytes: an immutable hash table with open addressing.
@usableFromInline
package struct JSONKeyTable: Sendable {
  private struct Slot {
    var start = 0
    var length = -1
    var index = -1
  }

  /// The bytes of all keys, concatenated.
  private let arena: [UInt8]
  /// The hash table; the count is a power of two, and most slots are free.
  private let slots: [Slot]
  /// The length of the longest key.
  let longestKey: Int

  init(_ keys: [String]) {
    precondition(keys.count <= 256, "more than 256 keys")
    precondition(Set(keys).count == keys.count, "a key occurs twice")
    let arena = keys.flatMap { Array($0.utf8) }
    longestKey = keys.map(\.utf8.count).max() ?? 0
    var count = 16
    while count < keys.count * 8 { count *= 2 }
    var slots = Array(repeating: Slot(), count: count)
    var start = 0
    for (index, key) in keys.enumerated() {
      let range = start..<start + key.utf8.count
      var slot = Self.hash(arena.span, range) & (count - 1)
      while slots[slot].index >= 0 { slot = (slot + 1) & (count - 1) }
      slots[slot] = Slot(start: start, length: range.count, index: index)
      start = range.upperBound
    }
    self.arena = arena
    self.slots = slots
  }

  /// Returns the index of a key, or -1 if the table does not have it.
  @inline(__always)
  func index(of bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
    let mask = slots.count &- 1
    var place = Self.hash(bytes, range) & mask
    while true {
      let slot = slots[place]
      if slot.length == range.count, isEqual(bytes, range, slot.start) { return slot.index }
      if slot.index < 0 { return -1 }
      place = (place &+ 1) & mask
    }
  }

  /// Returns the key with an index.
  func key(_ index: Int) -> String {
    let slot = slots.first { $0.index == index } ?? Slot()
    return String(decoding: arena[slot.start...].prefix(max(0, slot.length)), as: UTF8.self)
  }

  @inline(__always)
  private func isEqual(_ bytes: Span<UInt8>, _ range: Range<Int>, _ start: Int) -> Bool {
    let keys = arena.span
    let count = range.count
    var offset = 0
    while offset &+ 8 <= count {
      let word = eightBytes(bytes, at: range.lowerBound &+ offset)
      if word != eightBytes(keys, at: start &+ offset) { return false }
      offset &+= 8
    }
    let rest = count &- offset
    return fewBytes(bytes, at: range.lowerBound &+ offset, count: rest)
      == fewBytes(keys, at: start &+ offset, count: rest)
  }

  /// Hashes a key's length, its first eight bytes and its last eight.
  @inline(__always)
  private static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
    let count = range.count
    let first: UInt64
    var last: UInt64 = 0
    if count >= 8 {
      first = eightBytes(bytes, at: range.lowerBound)
      last = eightBytes(bytes, at: range.upperBound &- 8)
    } else {
      first = fewBytes(bytes, at: range.lowerBound, count: count)
    }
    let mixed =
      (first ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
      &+ last &* 0xC2B2_AE3D_27D4_EB4F
    return Int(truncatingIfNeeded: (mixed ^ mixed >> 29) &* 0x9E37_79B9_7F4A_7C15 >> 40)
  }
}
