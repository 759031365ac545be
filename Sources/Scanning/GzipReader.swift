/// Reads a file block by block, and inflates it if it is gzip.
///
/// The gzip container (RFC 1952) is read here, not by the inflater, so that a truncated file, a
/// wrong checksum, a wrong length and garbage at the end are different errors, each with its
/// offset. A file may have several members. After the last one, only zeros are allowed: tapes and
/// some servers add them as padding, and gzip accepts them too.
///
/// *Stored* bytes are those of the file, *text* is the inflated content; a plain file has the same.
struct GzipReader<MemberInflater: Inflater & ~Copyable>: ~Copyable {
  private enum Stage {
    case plain, header, deflated, trailer, betweenMembers, ended
  }

  private var input: BlockReader
  private var stage: Stage
  private var inflater: MemberInflater
  /// The length of the current member's text so far, modulo 2^32.
  private var length: UInt32 = 0

  /// Whether the file starts with the gzip magic bytes.
  let isGzip: Bool

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - blockSize: The number of bytes to read at once.
  ///   - reportedByteCount: The number of bytes that an earlier reader of the file has passed to
  ///     `onStoredBytes`; this one does not pass them again.
  /// - Throws: ``ScanError`` if the file cannot be opened or read.
  init(path: String, blockSize: Int, reportedByteCount: Int = 0) throws(ScanError) {
    try self.init(
      input: BlockReader(
        path: path, blockSize: blockSize, reportedByteCount: reportedByteCount))
  }

  private init(input: consuming BlockReader) throws(ScanError) {
    isGzip = input.startsWith(0x1F, 0x8B)
    if isGzip { for _ in 0..<2 { _ = input.next() } }
    stage = isGzip ? .header : .plain
    self.input = input
    inflater = try MemberInflater()
  }

  /// The number of bytes read from the file so far.
  var storedByteCount: Int { input.byteCount }

  /// Reads text into a buffer.
  ///
  /// - Parameters:
  ///   - text: The buffer.
  ///   - offset: Where in the buffer to write.
  ///   - limit: The largest number of bytes to write.
  ///   - onStoredBytes: Called with each block of the file as it was read.
  /// - Returns: The number of bytes written, at least 1 unless the text is at its end.
  /// - Throws: ``ScanError/cannotRead(errno:byteOffset:)`` or one of the gzip errors.
  mutating func read(
    into text: inout [UInt8], at offset: Int, atMost limit: Int,
    onStoredBytes: ((Span<UInt8>) -> Void)?
  ) throws(ScanError) -> Int {
    input.report(to: onStoredBytes)
    while true {
      switch stage {
      case .plain:
        guard try input.ensureBytes(onStoredBytes) else {
          stage = .ended
          continue
        }
        return input.copy(into: &text, at: offset, atMost: limit)
      case .header:
        try readHeader(onStoredBytes)
        stage = .deflated
      case .deflated:
        let count = try inflateSome(into: &text, at: offset, atMost: limit, onStoredBytes)
        if count > 0 { return count }
      case .trailer:
        try readTrailer(onStoredBytes)
        stage = .betweenMembers
      case .betweenMembers:
        stage = try findNextMember(onStoredBytes) ? .header : .ended
      case .ended:
        return 0
      }
    }
  }

  /// Inflates until the buffer is full, the member ends, or the block is used up.
  private mutating func inflateSome(
    into text: inout [UInt8], at offset: Int, atMost limit: Int,
    _ onStoredBytes: ((Span<UInt8>) -> Void)?
  ) throws(ScanError) -> Int {
    let room = offset..<min(offset + limit, text.count)
    let step = input.consume { source in
      let step = inflater.inflate(source, into: &text, room)
      return (step, step.usedCount)
    }
    length &+= UInt32(truncatingIfNeeded: step.textCount)
    switch step.state {
    case .needsMore:
      // Call the inflater before reading: it may still hold text when the block is used up.
      if step.textCount == 0, try !input.ensureBytes(onStoredBytes) { throw truncated }
    case .ended: stage = .trailer
    case .outOfMemory: throw .cannotRead(errno: outOfMemory, byteOffset: input.byteOffset)
    case .damaged: throw .gzipDamaged(byteOffset: input.byteOffset)
    }
    return step.textCount
  }

  private var truncated: ScanError { .gzipTruncated(byteOffset: input.byteOffset) }
}

// MARK: - The container

extension GzipReader where MemberInflater: ~Copyable {
  private mutating func byte(_ onStoredBytes: ((Span<UInt8>) -> Void)?) throws(ScanError) -> UInt8 {
    guard try input.ensureBytes(onStoredBytes) else { throw truncated }
    return input.next()
  }

  /// Reads a little-endian number of 32 bits.
  private mutating func number(_ onStoredBytes: ((Span<UInt8>) -> Void)?) throws(ScanError)
    -> UInt32
  {
    var value: UInt32 = 0
    for shift in [0, 8, 16, 24] as [UInt32] { value |= UInt32(try byte(onStoredBytes)) << shift }
    return value
  }

  /// Reads the rest of a member's header after its two magic bytes, and resets the inflater.
  private mutating func readHeader(_ onStoredBytes: ((Span<UInt8>) -> Void)?) throws(ScanError) {
    var header = HeaderChecksum()
    for magic in [0x1F, 0x8B] as [UInt8] { header.add(magic) }
    let methodOffset = input.byteOffset
    let method = header.add(try byte(onStoredBytes))
    if method != 8 { throw .gzipDamaged(byteOffset: methodOffset) }
    let flags = header.add(try byte(onStoredBytes))
    if flags & 0xE0 != 0 { throw .gzipDamaged(byteOffset: methodOffset + 1) }
    for _ in 0..<6 { header.add(try byte(onStoredBytes)) }
    if flags & 0x04 != 0 {
      let low = Int(header.add(try byte(onStoredBytes)))
      let high = Int(header.add(try byte(onStoredBytes)))
      for _ in 0..<(low | high << 8) { header.add(try byte(onStoredBytes)) }
    }
    // The file's name, then a comment, each ending in a zero.
    for flag in [0x08, 0x10] as [UInt8] where flags & flag != 0 {
      while header.add(try byte(onStoredBytes)) != 0 {}
    }
    if flags & 0x02 != 0 {
      let offset = input.byteOffset
      let expected = header.value
      let low = UInt16(try byte(onStoredBytes))
      let high = UInt16(try byte(onStoredBytes))
      if low | high << 8 != expected { throw .gzipChecksum(byteOffset: offset) }
    }
    length = 0
    inflater.reset()
  }

  private mutating func readTrailer(_ onStoredBytes: ((Span<UInt8>) -> Void)?) throws(ScanError) {
    let offset = input.byteOffset
    let storedChecksum = try number(onStoredBytes)
    let storedLength = try number(onStoredBytes)
    if storedChecksum != inflater.checksum { throw .gzipChecksum(byteOffset: offset) }
    if storedLength != length { throw .gzipLength(byteOffset: offset + 4) }
  }

  /// Returns whether another member follows; if not, the file is at its end.
  private mutating func findNextMember(_ onStoredBytes: ((Span<UInt8>) -> Void)?) throws(ScanError)
    -> Bool
  {
    guard try input.ensureBytes(onStoredBytes) else { return false }
    let start = input.byteOffset
    var found = input.next()
    if found == 0x1F {
      guard try byte(onStoredBytes) == 0x8B else { throw .gzipTrailingGarbage(byteOffset: start) }
      return true
    }
    var offset = start
    while found == 0 {
      guard try input.ensureBytes(onStoredBytes) else { return false }
      offset = input.byteOffset
      found = input.next()
    }
    throw .gzipTrailingGarbage(byteOffset: offset)
  }
}

/// The CRC-32 of a gzip header; the header stores its lower 16 bits.
///
/// A header has a few dozen bytes, so one bit at a time is fast enough.
private struct HeaderChecksum {
  private var register: UInt32 = 0xFFFF_FFFF

  /// The 16 bits that the header should store.
  var value: UInt16 { UInt16(truncatingIfNeeded: ~register) }

  /// Adds a byte of the header and returns it.
  @discardableResult
  mutating func add(_ byte: UInt8) -> UInt8 {
    register ^= UInt32(byte)
    for _ in 0..<8 {
      register = register & 1 == 0 ? register >> 1 : register >> 1 ^ 0xEDB8_8320
    }
    return byte
  }
}
