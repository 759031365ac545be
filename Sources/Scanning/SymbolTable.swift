/// Gives each distinct text a small number: 0 to the first, 1 to the second, and so on.
///
/// The texts lie one after the other in one arena and are found by open addressing, so that looking
/// up a text that is known allocates nothing and makes no `String`. A table is a value: each
/// worker fills its own, and ``merge(_:)`` brings two together.
public struct SymbolTable: Sendable {
  /// All texts, in order of their numbers.
  private var arena: [UInt8] = []
  /// Where each text ends in the arena.
  private var ends: [Int] = []
  /// 32 bits of the hash above the number plus 1, or 0 if free.
  ///
  /// The count is a power of two.
  private var slots: [UInt64]
  /// How many texts may be added before the slots are doubled.
  private var room: Int

  /// Creates an empty table.
  public init() {
    slots = Array(repeating: 0, count: 64)
    room = 32
  }

  /// The number of distinct texts.
  public var count: Int { ends.count }

  /// Returns the number of a text, a new one if the text is new.
  ///
  /// - Parameters:
  ///   - line: The line that holds the text.
  ///   - range: Where the text is.
  /// - Returns: The number of the text.
  public mutating func id(of line: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
    let hash = Self.hash(line, range)
    switch slot(of: line, range, hash: hash) {
    case .taken(let id):
      return id
    case .free(let slot):
      append(line, range)
      return occupy(slot, hash: hash)
    }
  }

  /// Returns the number of a text, a new one if the text is new.
  ///
  /// - Parameter text: The text.
  /// - Returns: The number of the text.
  public mutating func id(of text: String) -> UInt32 {
    let bytes = Array(text.utf8)
    return id(of: bytes.span, 0..<bytes.count)
  }

  /// Returns the number of a key made of several fields, a new one if the key is new.
  ///
  /// The key is the pieces joined by tabs, so that ``text(of:)`` gives them back so joined.
  /// Nothing is copied unless the key is new.
  ///
  /// - Parameters:
  ///   - line: The line that holds the pieces.
  ///   - pieces: Where they are, in the order of the key.
  /// - Returns: The number of the key, and whether it was new.
  public mutating func id(
    of line: Span<UInt8>, pieces: borrowing [Range<Int>]
  ) -> (id: UInt32, isNew: Bool) {
    let hash = Self.hash(line, pieces)
    switch slot(of: line, pieces, hash: hash) {
    case .taken(let id):
      return (id, false)
    case .free(let slot):
      for index in pieces.indices {
        if index > 0 { arena.append(0x09) }
        append(line, pieces[index])
      }
      return (occupy(slot, hash: hash), true)
    }
  }

  /// Returns the number of a text without adding it.
  ///
  /// - Parameters:
  ///   - line: The line that holds the text.
  ///   - range: Where the text is.
  /// - Returns: The number of the text, or nil if the table does not have it.
  public func find(_ line: Span<UInt8>, _ range: Range<Int>) -> UInt32? {
    guard case .taken(let id) = slot(of: line, range, hash: Self.hash(line, range)) else {
      return nil
    }
    return id
  }

  /// Returns the number of a text without adding it.
  ///
  /// - Parameter text: The text.
  /// - Returns: The number of the text, or nil if the table does not have it.
  public func find(_ text: String) -> UInt32? {
    let bytes = Array(text.utf8)
    return find(bytes.span, 0..<bytes.count)
  }

  /// Adds the texts of another table.
  ///
  /// - Parameter other: The table whose texts to add, in the order of their numbers.
  /// - Returns: For each number of `other`, the number here.
  public mutating func merge(_ other: borrowing SymbolTable) -> [UInt32] {
    var ids: [UInt32] = []
    ids.reserveCapacity(other.count)
    let bytes = other.arena.span
    var start = 0
    for end in other.ends {
      ids.append(id(of: bytes, start..<end))
      start = end
    }
    return ids
  }
}

// MARK: - Texts

extension SymbolTable {
  /// Returns the text of a number.
  ///
  /// - Parameter id: A number that this table gave.
  /// - Returns: The text; bytes that are not UTF-8 show as U+FFFD.
  public func text(of id: UInt32) -> String {
    String(decoding: arena[range(of: id)], as: UTF8.self)
  }

  /// Returns whether a text comes before another, byte by byte.
  ///
  /// - Parameters:
  ///   - first: A number that this table gave.
  ///   - second: Another.
  /// - Returns: Whether the first text sorts before the second.
  public func precedes(_ first: UInt32, _ second: UInt32) -> Bool {
    arena[range(of: first)].lexicographicallyPrecedes(arena[range(of: second)])
  }

  /// Returns whether a number stands for a text.
  ///
  /// - Parameters:
  ///   - id: A number that this table gave.
  ///   - line: The line that holds the text.
  ///   - range: Where the text is.
  /// - Returns: Whether the bytes are the same.
  public func isText(of id: UInt32, equalTo line: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let stored = self.range(of: id)
    return stored.count == range.count
      && areEqual(arena.span, stored.lowerBound, line, range.lowerBound, count: range.count)
  }

  @inline(__always)
  private func range(of id: UInt32) -> Range<Int> {
    let index = Int(id)
    return (index == 0 ? 0 : ends[index &- 1])..<ends[index]
  }

  private mutating func append(_ line: Span<UInt8>, _ range: Range<Int>) {
    for offset in range { arena.append(line[offset]) }
  }
}

// MARK: - Slots

extension SymbolTable {
  /// Where a text is, or where it would go.
  private enum Slot {
    case taken(UInt32)
    case free(Int)
  }

  @inline(__always)
  private static func hash(_ line: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
    var hasher = ByteHasher()
    hasher.add(line, range)
    return hasher.finished() & 0xFFFF_FFFF
  }

  @inline(__always)
  private static func hash(_ line: Span<UInt8>, _ pieces: borrowing [Range<Int>]) -> UInt64 {
    var hasher = ByteHasher()
    for index in pieces.indices {
      if index > 0 { hasher.addTab() }
      hasher.add(line, pieces[index])
    }
    return hasher.finished() & 0xFFFF_FFFF
  }

  @inline(__always)
  private func slot(of line: Span<UInt8>, _ range: Range<Int>, hash: UInt64) -> Slot {
    let mask = slots.count &- 1
    var index = Int(hash) & mask
    while slots[index] != 0 {
      if slots[index] &>> 32 == hash {
        let id = UInt32(truncatingIfNeeded: slots[index]) &- 1
        if isText(of: id, equalTo: line, range) { return .taken(id) }
      }
      index = (index &+ 1) & mask
    }
    return .free(index)
  }

  @inline(__always)
  private func slot(
    of line: Span<UInt8>, _ pieces: borrowing [Range<Int>], hash: UInt64
  ) -> Slot {
    let mask = slots.count &- 1
    var index = Int(hash) & mask
    while slots[index] != 0 {
      if slots[index] &>> 32 == hash {
        let id = UInt32(truncatingIfNeeded: slots[index]) &- 1
        if isKey(of: id, equalTo: line, pieces) { return .taken(id) }
      }
      index = (index &+ 1) & mask
    }
    return .free(index)
  }

  @inline(__always)
  private func isKey(
    of id: UInt32, equalTo line: Span<UInt8>, _ pieces: borrowing [Range<Int>]
  ) -> Bool {
    let stored = range(of: id)
    let bytes = arena.span
    var offset = stored.lowerBound
    for index in pieces.indices {
      if index > 0 {
        guard offset < stored.upperBound, bytes[offset] == 0x09 else { return false }
        offset &+= 1
      }
      let piece = pieces[index]
      guard offset &+ piece.count <= stored.upperBound else { return false }
      guard areEqual(bytes, offset, line, piece.lowerBound, count: piece.count) else {
        return false
      }
      offset &+= piece.count
    }
    return offset == stored.upperBound
  }

  /// Gives the bytes just added to the arena the next number.
  private mutating func occupy(_ slot: Int, hash: UInt64) -> UInt32 {
    precondition(ends.count < Int(UInt32.max) - 1, "a symbol table holds four billion texts")
    let id = UInt32(ends.count)
    ends.append(arena.count)
    slots[slot] = hash &<< 32 | UInt64(id) &+ 1
    room -= 1
    if room == 0 { doubleSlots() }
    return id
  }

  /// Doubles the slots; each holds all bits of the hash that are needed to place it again.
  private mutating func doubleSlots() {
    var larger = [UInt64](repeating: 0, count: slots.count * 2)
    let mask = larger.count - 1
    for slot in slots where slot != 0 {
      var index = Int(slot >> 32) & mask
      while larger[index] != 0 { index = (index + 1) & mask }
      larger[index] = slot
    }
    slots = larger
    room = larger.count / 2 - ends.count
  }
}

/// Returns whether two runs of bytes, both inside their spans, are the same.
@inline(__always)
private func areEqual(
  _ first: Span<UInt8>, _ firstStart: Int, _ second: Span<UInt8>, _ secondStart: Int, count: Int
) -> Bool {
  var offset = 0
  while offset &+ 8 <= count {
    guard
      eightBytes(first, at: firstStart &+ offset) == eightBytes(second, at: secondStart &+ offset)
    else { return false }
    offset &+= 8
  }
  let rest = count &- offset
  return fewBytes(first, at: firstStart &+ offset, count: rest)
    == fewBytes(second, at: secondStart &+ offset, count: rest)
}
