/// Finds the fields of a line, separated by tabs.
///
/// Quotes and commas are text, because Apple quotes nothing. This is the hot loop of the program:
/// every row of every report is split by ``split(_:)``, or by ``splitEnds(_:first:last:of:)`` if
/// the middle of the row is cached. Both allocate nothing, copy nothing, read 64 bytes a step, and
/// call only inlined code. `ReferenceSplitter` in the tests must agree with them on every input.
@usableFromInline
package struct FieldSplitter: ~Copyable {
  @usableFromInline var ends: [Int32]
  @usableFromInline var lineEnd = 0

  /// The number of fields of the last line, which may be more than the capacity.
  ///
  /// An empty line has one empty field. Before the first line, it is 0.
  @usableFromInline
  package private(set) var count = 0

  /// Whether all bytes of the last line are below 128, so that it needs no UTF-8 check.
  ///
  /// False after ``splitEnds(_:first:last:of:)``.
  package private(set) var isASCII = true

  /// Creates a splitter.
  ///
  /// - Parameter capacity: The largest number of fields to store, at least 1.
  package init(capacity: Int) {
    precondition(capacity >= 1, "a splitter needs room for one field")
    ends = Array(repeating: 0, count: capacity)
  }

  /// Finds the fields of a line; their ranges replace those of the previous line.
  ///
  /// - Parameter line: The line without its ending.
  /// - Returns: Whether the line has no more fields than the capacity. If false, the fields beyond
  ///   the capacity are counted but not stored.
  package mutating func split(_ line: Span<UInt8>) -> Bool {
    var found = 0
    var high: UInt64 = 0
    var ends = self.ends.mutableSpan
    var offset = 0
    while offset &+ ByteMasks.length <= line.count {
      high |= ByteMasks.high(line, at: offset)
      Self.note(ByteMasks.tabs(line, at: offset), at: offset, in: &ends, &found)
      offset &+= ByteMasks.length
    }
    let rest = line.count &- offset
    if rest > 0, offset > 0 {
      // The last 64 bytes of the line; the bits of bytes already read are shifted out.
      let last = line.count &- ByteMasks.length
      high |= ByteMasks.high(line, at: last)
      let tabs = ByteMasks.tabs(line, at: last) >> UInt64(ByteMasks.length &- rest)
      Self.note(tabs, at: offset, in: &ends, &found)
    } else if rest > 0 {
      let masks = Self.masks(ofShort: line)
      high = masks.high
      Self.note(masks.tabs, at: 0, in: &ends, &found)
    }
    if found < ends.count { ends[found] = Int32(truncatingIfNeeded: line.count) }

    lineEnd = line.count
    count = found &+ 1
    isASCII = high == 0
    return count <= self.ends.count
  }

  /// Finds the first and last fields of a line without reading the bytes between them.
  ///
  /// The other fields must not be used until ``split(_:)`` is called.
  ///
  /// - Parameters:
  ///   - line: The line without its ending.
  ///   - first: The number of fields at the beginning.
  ///   - last: The number of fields at the end.
  ///   - count: The number of fields of a well-formed line; at most the capacity.
  /// - Returns: The range of the fields between. Nil, with nothing found, if a requested field is
  ///   more than 64 bytes from its end of the line, or not ASCII.
  package mutating func splitEnds(
    _ line: Span<UInt8>, first: Int, last: Int, of count: Int
  ) -> Range<Int>? {
    precondition(first >= 0 && last >= 0 && first &+ last < count && count <= ends.count)
    guard line.count >= ByteMasks.length else { return nil }
    var ends = self.ends.mutableSpan
    var start = 0
    var tabs = ByteMasks.tabs(line, at: 0)
    for field in 0..<first {
      guard tabs != 0 else { return nil }
      ends[field] = Int32(truncatingIfNeeded: tabs.trailingZeroBitCount)
      start = tabs.trailingZeroBitCount &+ 1
      tabs &= tabs &- 1
    }
    let block = line.count &- ByteMasks.length
    var end = line.count
    var field = count &- 1
    ends[field] = Int32(truncatingIfNeeded: end)
    tabs = ByteMasks.tabs(line, at: block)
    while field &+ last >= count {
      guard tabs != 0 else { return nil }
      let bit = 63 &- tabs.leadingZeroBitCount
      tabs ^= (1 as UInt64) &<< UInt64(truncatingIfNeeded: bit)
      end = block &+ bit
      field &-= 1
      ends[field] = Int32(truncatingIfNeeded: end)
    }
    let high =
      ByteMasks.high(line, at: 0) << UInt64(ByteMasks.length &- start)
      | ByteMasks.high(line, at: block) >> UInt64(end &- block)
    guard start <= end, high == 0 else { return nil }
    lineEnd = line.count
    self.count = count
    isASCII = false
    return start..<end
  }

  /// Returns masks of the tabs and of the bytes outside ASCII in a line of fewer than 64 bytes.
  private static func masks(ofShort line: Span<UInt8>) -> (tabs: UInt64, high: UInt64) {
    var masks: (tabs: UInt64, high: UInt64) = (0, 0)
    for offset in line.indices {
      if line[offset] == 0x09 { masks.tabs |= 1 << UInt64(offset) }
      if line[offset] >= 0x80 { masks.high |= 1 << UInt64(offset) }
    }
    return masks
  }

  /// Stores the offsets of the tabs among up to 64 bytes.
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

  /// Returns the range of a field of the last line, counted from 0.
  ///
  /// For a field beyond the last, the empty range at the end of the line.
  @inlinable
  package subscript(field: Int) -> Range<Int> {
    guard field < count, field < ends.count else { return lineEnd..<lineEnd }
    let start = field == 0 ? 0 : Int(ends[field &- 1]) &+ 1
    return start..<Int(ends[field])
  }
}
