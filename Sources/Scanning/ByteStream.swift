/// A window that moves over the bytes of a file (inflated if it is gzip) or of an array.
///
/// The bytes of the window are in one block, followed by a zero. So a loop over the block need not
/// compare its position with the end at every step: it stops at a zero, and only then checks
/// whether the zero is part of the text or the end of the block.
package struct ByteStream: ~Copyable {
  /// The number of bytes after the text, so that eight can be read at its end; the first is 0.
  private static let padding = 8
  /// The most bytes that ``fill(_:)`` can be called for: the longest JSON escape, a surrogate pair.
  private static let longestFill = 12

  private var source: TextSource
  private let onStoredBytes: ((Span<UInt8>) -> Void)?
  /// The offset in the text of the block's first byte.
  private var blockOffset = 0
  /// The buffer: used bytes, then the bytes of the window, then a zero.
  private(set) var block: [UInt8]
  /// The offset in the block of the next unused byte, at most ``end``.
  var position = 0
  /// The offset in the block after the last byte.
  private(set) var end = 0
  /// The line of the next byte, from 1; code that passes a line feed must count it.
  package internal(set) var line = 1

  /// Opens a file, reads its first block and skips a byte order mark.
  ///
  /// - Parameters:
  ///   - path: The path of the file; gzip is recognized by content, not by name.
  ///   - readsAhead: Whether another thread reads and inflates the file while this one uses the bytes.
  ///   - onStoredBytes: Called with each block as it was read, in order, for hashing and progress.
  /// - Throws: ``ScanError/cannotOpen(errno:)``, ``ScanError/isDirectory``,
  ///   ``ScanError/cannotRead(errno:byteOffset:)`` or, if its first block is damaged, one of the
  ///   gzip errors.
  package init(
    path: String, readsAhead: Bool = false, onStoredBytes: ((Span<UInt8>) -> Void)? = nil
  ) throws(ScanError) {
    try self.init(
      path: path, readsAhead: readsAhead,
      blockSize: readsAhead ? ReadAhead.textBlockSize : 1 << 18, onStoredBytes: onStoredBytes)
  }

  /// Opens a file with blocks of another size, so that tests can choose where a block ends.
  package init(
    path: String, readsAhead: Bool = false, blockSize: Int,
    onStoredBytes: ((Span<UInt8>) -> Void)? = nil
  ) throws(ScanError) {
    try self.init(
      source: TextSource(
        path: path, readsAhead: readsAhead, storedBlockSize: blockSize, textBlockSize: blockSize),
      blockSize: blockSize, onStoredBytes)
  }

  private init(
    source: consuming TextSource, blockSize: Int, _ onStoredBytes: ((Span<UInt8>) -> Void)?
  ) throws(ScanError) {
    self.source = source
    self.onStoredBytes = onStoredBytes
    block = Array(repeating: 0, count: Self.longestFill + blockSize + Self.padding)
    _ = try fill(3)
    skipByteOrderMark()
  }

  /// Creates a stream over a copy of bytes, and skips a byte order mark.
  ///
  /// - Parameter bytes: The whole text.
  package init(_ bytes: Span<UInt8>) {
    source = TextSource()
    onStoredBytes = nil
    block = []
    restart(with: bytes)
  }

  /// Restarts with other bytes, in the same memory if they fit.
  ///
  /// - Parameter bytes: The whole text; a file that is still open is closed.
  package mutating func restart(with bytes: Span<UInt8>) {
    source = TextSource()
    blockOffset = 0
    position = 0
    end = bytes.count
    line = 1
    let needed = end + Self.padding
    if block.count < needed { block = Array(repeating: 0, count: max(needed, 2 * block.count)) }
    copyBytes(bytes, 0..<end, into: &block, at: 0)
    block[end] = 0
    skipByteOrderMark()
  }

  /// Whether the file starts with the two magic bytes of gzip.
  package var isGzip: Bool { source.isGzip }

  /// The number of bytes read from the file so far, as stored.
  package var storedByteCount: Int { source.storedByteCount }

  /// The offset in the (inflated) text of the next byte; a byte order mark counts 3.
  package var byteOffset: Int { blockOffset + position }

  /// Returns the next byte without using it.
  ///
  /// - Returns: The byte, or nil at the end of the text; a gzip file is then verified, too.
  /// - Throws: ``ScanError/cannotRead(errno:byteOffset:)`` or one of the gzip errors.
  package mutating func peek() throws(ScanError) -> UInt8? {
    if position == end, try fill(1) == 0 { return nil }
    return block[position]
  }

  /// Reads bytes as they are; lines are not counted.
  ///
  /// - Parameters:
  ///   - bytes: Where to add them.
  ///   - limit: How many to read; fewer are read only at the end of the text.
  /// - Throws: ``ScanError/cannotRead(errno:byteOffset:)`` or one of the gzip errors.
  package mutating func read(into bytes: inout [UInt8], atMost limit: Int) throws(ScanError) {
    var room = limit
    while room > 0, try fill(1) > 0 {
      let count = min(room, end - position)
      bytes.append(block.span, position..<position + count)
      position += count
      room -= count
    }
  }

  /// Reads until the window has `count` bytes, or the text ends.
  ///
  /// - Parameter count: The number of bytes needed, at most ``longestFill``.
  /// - Returns: The number of bytes in the window: fewer than `count` only at the end of the text.
  /// - Throws: ``ScanError/cannotRead(errno:byteOffset:)`` or one of the gzip errors.
  mutating func fill(_ count: Int) throws(ScanError) -> Int {
    while end - position < count {
      let rest = end - position
      for offset in 0..<rest { block[offset] = block[position + offset] }
      blockOffset += position
      position = 0
      end = rest
      block[end] = 0
      let added = try source.read(into: &block, at: end, onStoredBytes)
      end += added
      block[end] = 0
      if added == 0 { break }
    }
    return end - position
  }

  private mutating func skipByteOrderMark() {
    if end >= 3, block[0] == 0xEF, block[1] == 0xBB, block[2] == 0xBF { position = 3 }
  }
}
