import CZlib

/// Inflates with zlib.
@safe
struct ZlibInflater: Inflater, ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  private(set) var checksum: UInt32 = 0

  init() throws(ScanError) {
    // Safe: freed in deinit; zlib requires the structure to stay at its address between calls.
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // A negative window means deflated data without a container.
    let status = unsafe inflateInit2_(
      stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    if status != Z_OK { throw .cannotRead(errno: outOfMemory, byteOffset: 0) }
  }

  deinit {
    // Safe: initialized once in init, and no other code has the pointer. inflateEnd only reports an
    // error if inflateInit2_ failed.
    _ = unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  mutating func reset() {
    checksum = 0
    // Safe: the stream was set up in init.
    _ = unsafe inflateReset(stream)
  }

  mutating func inflate(
    _ source: Span<UInt8>, into text: inout [UInt8], _ room: Range<Int>
  ) -> InflaterStep {
    unsafe source.withUnsafeBufferPointer { source in
      unsafe text.withUnsafeMutableBufferPointer { text in
        let target = unsafe UnsafeMutableBufferPointer(rebasing: text[room])
        // Safe: zlib reads at most avail_in and writes at most avail_out bytes, both inside their
        // buffers, and keeps neither pointer in use after the call.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(source.count)
        unsafe stream.pointee.next_out = target.baseAddress
        unsafe stream.pointee.avail_out = UInt32(target.count)
        let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        let textCount = unsafe target.count - Int(stream.pointee.avail_out)
        checksum = unsafe UInt32(crc32(UInt(checksum), target.baseAddress, UInt32(textCount)))
        return unsafe InflaterStep(
          state: Self.state(after: status),
          usedCount: source.count - Int(stream.pointee.avail_in), textCount: textCount)
      }
    }
  }

  private static func state(after status: Int32) -> InflaterStep.State {
    switch status {
    case Z_OK, Z_BUF_ERROR: .needsMore
    case Z_STREAM_END: .ended
    case Z_MEM_ERROR: .outOfMemory
    default: .damaged
    }
  }
}
