import CZlib

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads the bytes of a member from an open zip archive, and inflates them.
///
/// At the end it checks their number and their CRC-32. So a member is never longer than its archive says.
struct ZipMemberReader: ~Copyable {
  private let member: ZipMember
  private var inflater: ZlibInflater
  private var packed: [UInt8]
  private var position = 0
  private var end = 0
  /// The number of packed bytes read from the archive.
  private var readCount = 0
  /// The number of bytes returned.
  private var byteCount = 0
  /// The CRC-32 of stored bytes; the inflater has that of deflated ones.
  private var checksum: UInt32 = 0
  private var isAtEnd = false

  init(_ member: ZipMember, blockSize: Int) throws(ScanError) {
    self.member = member
    inflater = try ZlibInflater()
    let count = member.isDeflated ? min(max(member.packedCount, 1), blockSize) : 0
    packed = Array(repeating: 0, count: count)
  }

  /// Reads on into a block, from an offset to its end.
  ///
  /// - Parameters:
  ///   - fileDescriptor: The archive.
  ///   - block: The block.
  ///   - start: The offset of the first byte to write.
  /// - Returns: The number of bytes; 0 at the end of the member.
  /// - Throws: ``ScanError/cannotRead(errno:byteOffset:)``, ``ScanError/zipDamaged(byteOffset:)`` or
  ///   ``ScanError/zipChecksum(byteOffset:)``.
  mutating func read(
    from fileDescriptor: Int32, into block: inout [UInt8], at start: Int
  ) throws(ScanError) -> Int {
    let count =
      member.isDeflated
      ? try inflate(fileDescriptor, &block, start) : try copy(fileDescriptor, &block, start)
    if count == 0 { try check() }
    return count
  }

  private mutating func copy(
    _ fileDescriptor: Int32, _ block: inout [UInt8], _ start: Int
  ) throws(ScanError) -> Int {
    let count = try readPacked(fileDescriptor, &block, start)
    // Safe: zlib reads the bytes that were just written.
    checksum = unsafe block.withUnsafeBufferPointer { block in
      let bytes = unsafe block.baseAddress.map { unsafe $0 + start }
      return unsafe UInt32(crc32(UInt(checksum), bytes, UInt32(count)))
    }
    byteCount += count
    return count
  }

  private mutating func inflate(
    _ fileDescriptor: Int32, _ block: inout [UInt8], _ start: Int
  ) throws(ScanError) -> Int {
    while !isAtEnd {
      let step = inflateSome(into: &block, at: start)
      position += step.usedCount
      byteCount += step.textCount
      switch step.state {
      case .needsMore:
        if step.textCount == 0 {
          try readNextPacked(fileDescriptor)
          if end == 0 { throw damaged }
        }
      case .ended: isAtEnd = true
      case .damaged: throw damaged
      case .outOfMemory: throw .cannotRead(errno: outOfMemory, byteOffset: byteOffset)
      }
      if byteCount > member.byteCount { throw damaged }
      if step.textCount > 0 { return step.textCount }
    }
    return 0
  }

  private mutating func inflateSome(into block: inout [UInt8], at start: Int) -> InflaterStep {
    let source = packed
    return inflater.inflate(
      source.span.extracting(position..<end), into: &block, start..<block.count)
  }

  private mutating func readNextPacked(_ fileDescriptor: Int32) throws(ScanError) {
    var buffer: [UInt8] = []
    swap(&buffer, &packed)
    defer { swap(&buffer, &packed) }
    position = 0
    end = try readPacked(fileDescriptor, &buffer, 0)
  }

  /// Reads packed bytes into a buffer, from an offset to its end; returns their number, 0 at their end.
  private mutating func readPacked(
    _ fileDescriptor: Int32, _ buffer: inout [UInt8], _ start: Int
  ) throws(ScanError) -> Int {
    let wanted = min(buffer.count - start, member.packedCount - readCount)
    if wanted == 0 { return 0 }
    while true {
      let offset = member.offset + readCount
      // Safe: pread writes at most as many bytes as the buffer has left.
      let count = unsafe buffer.withUnsafeMutableBytes { buffer in
        let bytes = unsafe buffer.baseAddress.map { unsafe $0 + start }
        return unsafe pread(fileDescriptor, bytes, wanted, off_t(offset - member.start))
      }
      if count > 0 {
        readCount += count
        return count
      }
      if count == 0 { throw .zipDamaged(byteOffset: offset) }
      let code = errno
      if code != EINTR { throw .cannotRead(errno: code, byteOffset: offset) }
    }
  }

  private func check() throws(ScanError) {
    let unusedCount = member.packedCount - readCount + end - position
    if byteCount != member.byteCount || unusedCount != 0 { throw damaged }
    if (member.isDeflated ? inflater.checksum : checksum) != member.checksum {
      throw .zipChecksum(byteOffset: member.offset)
    }
  }

  /// The offset in the archive of the next unused byte.
  private var byteOffset: Int { member.offset + readCount - (end - position) }

  private var damaged: ScanError { .zipDamaged(byteOffset: byteOffset) }
}
