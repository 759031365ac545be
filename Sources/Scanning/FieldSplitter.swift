/// Finds the fields of a line, which are separated by tabs and by nothing else.
///
/// The hot loop of the program: every byte of every report passes through ``split(_:)``. It
/// therefore allocates nothing, copies nothing, looks at eight bytes a step, and calls nothing in
/// another module; and `ReferenceSplitter` in the tests must agree with it on every input.
/// Quotes and commas are text: Apple quotes nothing.
public struct FieldSplitter: ~Copyable {
  @usableFromInline var ends: [Int32]
  @usableFromInline var lineEnd = 0

  /// The number of fields of the last line, even when it is more than the capacity.
  ///
  /// An empty line has one empty field. Before the first line, it is 0.
  public private(set) var count = 0

  /// Whether all bytes of the last line are below 128, so that it needs no UTF-8 check.
  public private(set) var isASCII = true

  /// Creates a splitter.
  ///
  /// - Parameter capacity: The largest number of fields to remember, at least 1.
  public init(capacity: Int) {
    precondition(capacity >= 1, "a splitter needs room for one field")
    ends = Array(repeating: 0, count: capacity)
  }

  /// Finds the fields of a line; ranges found before are forgotten.
  ///
  /// Where the tabs of 64 bytes are is gathered in one word first and read off it then: a loop over the
  /// tabs of every eight bytes took three times the instructions.
  ///
  /// - Parameter line: The line without its ending.
  /// - Returns: Whether the line has no more fields than the capacity. If false, the fields beyond
  ///   the capacity are counted but not remembered.
  public mutating func split(_ line: Span<UInt8>) -> Bool {
    var found = 0
    var allBits: UInt64 = 0
    var ends = self.ends.mutableSpan
    var tabs: UInt64 = 0
    var block = 0
    var offset = 0
    while offset &+ 8 <= line.count {
      let word = eightBytes(line, at: offset)
      allBits |= word
      tabs |= Self.tabs(word) &<< UInt64(truncatingIfNeeded: offset &- block)
      offset &+= 8
      if offset &- block == 64 {
        Self.note(tabs, at: block, in: &ends, &found)
        tabs = 0
        block = offset
      }
    }
    let word = fewBytes(line, at: offset, count: line.count &- offset)
    allBits |= word
    tabs |= Self.tabs(word) &<< UInt64(truncatingIfNeeded: offset &- block)
    Self.note(tabs, at: block, in: &ends, &found)
    if found < ends.count { ends[found] = Int32(truncatingIfNeeded: line.count) }

    lineEnd = line.count
    count = found &+ 1
    isASCII = allBits & 0x8080_8080_8080_8080 == 0
    return count <= self.ends.count
  }

  /// Returns which of eight bytes are tabs, as the lowest eight bits.
  @inline(__always)
  private static func tabs(_ word: UInt64) -> UInt64 {
    // The upper half of the product has the marks of the eight bytes side by side.
    matches(word, 0x0909_0909_0909_0909).multipliedFullWidth(by: 0x0204_0810_2040_8100).high & 0xFF
  }

  /// Remembers the tabs of 64 bytes.
  @inline(__always)
  private static func note(
    _ tabs: UInt64, at block: Int, in ends: inout MutableSpan<Int32>, _ found: inout Int
  ) {
    var rest = tabs
    while rest != 0 {
      if found < ends.count {
        ends[found] = Int32(truncatingIfNeeded: block &+ rest.trailingZeroBitCount)
      }
      found &+= 1
      rest &= rest &- 1
    }
  }

  /// Returns where a field of the last line is, from 0; beyond the last field, the empty range at
  /// the end of the line.
  @inlinable
  public subscript(field: Int) -> Range<Int> {
    guard field < count, field < ends.count else { return lineEnd..<lineEnd }
    let start = field == 0 ? 0 : Int(ends[field &- 1]) &+ 1
    return start..<Int(ends[field])
  }
}
