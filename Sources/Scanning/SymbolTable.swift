/// Numbers distinct texts: 0 for the first, 1 for the second, and so on.
///
/// The texts are concatenated in one array and found by open addressing, so looking up a text
/// allocates nothing and creates no `String`. Each worker can fill its own table; ``merge(_:)``
/// combines two.
package struct SymbolTable: Sendable {
  /// The bytes of all texts, in the order of their numbers.
  private var arena: [UInt8] = []
  /// Where each text ends in the arena.
  private var ends: [Int] = []
  /// The hash table; the count is a power of two.
  private var slots: [Slot]
  /// The number of texts that may be added before the slots are doubled.
  private var room: Int

  /// Creates an empty table.
  package init() {
    slots = Array(repeating: Slot(), count: 64)
    room = 48
  }

  /// The number of distinct texts.
  package var count: Int { ends.count }

  /// Returns the number of a text, adding the text if it is new.
  ///
  /// - Parameters:
  ///   - line: The line that holds the text.
  ///   - range: Where the text is.
  /// - Returns: The number of the text.
  package mutating func id(of line: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
    let hash = Self.hash(line, range)
    let index = slotIndex(of: line, range, hash: hash)
    if let id = slots[index].id { return id }
    arena.append(line, range)
    return occupy(index, hash: hash)
  }

  /// Returns the number of a text in several pieces, adding the text if it is new.
  ///
  /// - Parameters:
  ///   - line: The line that holds the pieces.
  ///   - pieces: Where they are, in order. Divide all texts of a table in the same way: the same
  ///     text in different pieces may get another number.
  /// - Returns: The number of the text.
  package mutating func id(of line: Span<UInt8>, pieces: [Range<Int>]) -> UInt32 {
    let hash = Self.hash(line, pieces)
    let index = slotIndex(of: line, pieces, hash: hash)
    if let id = slots[index].id { return id }
    for piece in pieces { arena.append(line, piece) }
    return occupy(index, hash: hash)
  }

  /// Returns the number of a text, adding the text if it is new.
  ///
  /// - Parameter text: The text.
  /// - Returns: The number of the text.
  package mutating func id(of text: String) -> UInt32 {
    let bytes = text.utf8.span
    return id(of: bytes, bytes.indices)
  }

  /// Returns the number of a text without adding it.
  ///
  /// - Parameters:
  ///   - line: The line that holds the text.
  ///   - range: Where the text is.
  /// - Returns: The number of the text, or nil if the table does not have it.
  package func find(_ line: Span<UInt8>, _ range: Range<Int>) -> UInt32? {
    slots[slotIndex(of: line, range, hash: Self.hash(line, range))].id
  }

  /// Returns the number of a text in several pieces, without adding it.
  ///
  /// - Parameters:
  ///   - line: The line that holds the pieces.
  ///   - pieces: Where they are, divided in the same way as for ``id(of:pieces:)``.
  /// - Returns: The number of the text, or nil if the table does not have it.
  package func find(_ line: Span<UInt8>, pieces: [Range<Int>]) -> UInt32? {
    slots[slotIndex(of: line, pieces, hash: Self.hash(line, pieces))].id
  }

  /// Returns the number of a text without adding it.
  ///
  /// - Parameter text: The text.
  /// - Returns: The number of the text, or nil if the table does not have it.
  package func find(_ text: String) -> UInt32? {
    let bytes = text.utf8.span
    return find(bytes, bytes.indices)
  }

  /// Adds the texts of another table.
  ///
  /// - Parameter other: The table whose texts to add, in the order of their numbers.
  /// - Returns: For each number of `other`, its number in this table.
  package mutating func merge(_ other: borrowing SymbolTable) -> [UInt32] {
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
  /// - Parameter id: A number of this table.
  /// - Returns: The text; bytes that are not UTF-8 are shown as U+FFFD.
  package func text(of id: UInt32) -> String {
    String(decoding: arena[range(of: id)], as: UTF8.self)
  }

  /// Returns whether a text sorts before another, byte by byte.
  ///
  /// - Parameters:
  ///   - first: A number of this table.
  ///   - second: Another number of this table.
  /// - Returns: Whether the first text is before the second.
  package func precedes(_ first: UInt32, _ second: UInt32) -> Bool {
    arena[range(of: first)].lexicographicallyPrecedes(arena[range(of: second)])
  }

  /// Returns whether a number's text equals some bytes.
  ///
  /// - Parameters:
  ///   - id: A number of this table.
  ///   - line: The line that holds the text.
  ///   - range: Where the text is.
  /// - Returns: Whether the bytes are the same.
  package func isText(of id: UInt32, equalTo line: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let stored = self.range(of: id)
    return stored.count == range.count
      && areEqual(arena.span, stored.lowerBound, line, range.lowerBound, count: range.count)
  }

  @inline(__always)
  private func range(of id: UInt32) -> Range<Int> {
    let index = Int(id)
    return (index == 0 ? 0 : ends[index &- 1])..<ends[index]
  }
}

// MARK: - Slots

extension SymbolTable {
  /// A slot of the hash table.
  ///
  /// It includes the text's range, so that a lookup reads only the slot and the text.
  private struct Slot {
    /// The low bits of the hash, which give the slot's index when the table grows.
    var hash: UInt32 = 0
    /// The number of the text plus 1, or 0 if the slot is free.
    var idPlusOne: UInt32 = 0
    /// Where the text is in the arena.
    var start: UInt32 = 0
    var count: UInt32 = 0

    @inline(__always)
    var id: UInt32? { idPlusOne == 0 ? nil : idPlusOne &- 1 }
  }

  @inline(__always)
  private static func hash(_ line: Span<UInt8>, _ range: Range<Int>) -> UInt32 {
    var hasher = ByteHasher()
    hasher.add(line, range)
    return UInt32(truncatingIfNeeded: hasher.finished())
  }

  @inline(__always)
  private static func hash(_ line: Span<UInt8>, _ pieces: [Range<Int>]) -> UInt32 {
    var hasher = ByteHasher()
    for piece in pieces { hasher.add(line, piece) }
    return UInt32(truncatingIfNeeded: hasher.finished())
  }

  @inline(__always)
  private func slotIndex(of line: Span<UInt8>, _ range: Range<Int>, hash: UInt32) -> Int {
    let bytes = arena.span
    return slotIndex(hash: hash, count: range.count) { start in
      areEqual(bytes, start, line, range.lowerBound, count: range.count)
    }
  }

  @inline(__always)
  private func slotIndex(of line: Span<UInt8>, _ pieces: [Range<Int>], hash: UInt32) -> Int {
    let bytes = arena.span
    var count = 0
    for piece in pieces { count &+= piece.count }
    return slotIndex(hash: hash, count: count) { start in
      var start = start
      for piece in pieces {
        guard areEqual(bytes, start, line, piece.lowerBound, count: piece.count) else {
          return false
        }
        start &+= piece.count
      }
      return true
    }
  }

  /// Returns the index of a text's slot, or of the free slot for a new text.
  ///
  /// - Parameters:
  ///   - hash: The text's hash.
  ///   - count: The text's length.
  ///   - isText: Returns whether the `count` bytes of the arena from an offset are the text.
  /// - Returns: The index.
  @inline(__always)
  private func slotIndex(hash: UInt32, count: Int, _ isText: (Int) -> Bool) -> Int {
    let mask = slots.count &- 1
    var index = Int(hash) & mask
    while slots[index].idPlusOne != 0 {
      let slot = slots[index]
      if slot.hash == hash, Int(slot.count) == count, isText(Int(slot.start)) { return index }
      index = (index &+ 1) & mask
    }
    return index
  }

  /// Gives the next number to the bytes just added to the arena, and fills the slot.
  private mutating func occupy(_ index: Int, hash: UInt32) -> UInt32 {
    precondition(arena.count < Int(UInt32.max), "a symbol table holds four billion bytes")
    let id = UInt32(ends.count)
    let start = ends.last ?? 0
    slots[index] = Slot(
      hash: hash, idPlusOne: id + 1, start: UInt32(start), count: UInt32(arena.count - start))
    ends.append(arena.count)
    room -= 1
    if room == 0 { doubleSlots() }
    return id
  }

  private mutating func doubleSlots() {
    var larger = [Slot](repeating: Slot(), count: slots.count * 2)
    let mask = larger.count - 1
    for slot in slots where slot.idPlusOne != 0 {
      var index = Int(slot.hash) & mask
      while larger[index].idPlusOne != 0 { index = (index + 1) & mask }
      larger[index] = slot
    }
    slots = larger
    room = larger.count / 4 * 3 - ends.count
  }
}

extension [UInt8] {
  /// Appends bytes of a line.
  ///
  /// - Parameters:
  ///   - line: The line that holds the bytes.
  ///   - range: Where they are.
  package mutating func append(_ line: Span<UInt8>, _ range: Range<Int>) {
    // Safe: extracting checks the range, and the buffer is read within the call.
    unsafe line.extracting(range).withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
