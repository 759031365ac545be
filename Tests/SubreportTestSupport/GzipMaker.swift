import CZlib

/// Compresses bytes as one gzip member.
///
/// - Parameters:
///   - bytes: The bytes to compress.
///   - level: How hard zlib tries, from 0, which stores them as they are, to 9; -1 is its default.
/// - Returns: The member: a header of ten bytes, the deflated data, the CRC-32 and the length.
package func gzip(_ bytes: [UInt8], level: Int32 = -1) -> [UInt8] {
  var stream = unsafe z_stream()
  // Safe: the stream does not move before deflateEnd; 16 more than the window asks for gzip.
  let status = unsafe deflateInit2_(
    &stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY,
    ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  precondition(status == Z_OK, "zlib did not start")
  var source = bytes
  var target = [UInt8](repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(bytes.count))))
  let written = unsafe source.withUnsafeMutableBufferPointer { input in
    unsafe target.withUnsafeMutableBufferPointer { output in
      // Safe: zlib stays inside both buffers, and deflateBound made the second one large enough.
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = UInt32(input.count)
      unsafe stream.next_out = output.baseAddress
      unsafe stream.avail_out = UInt32(output.count)
      let status = unsafe deflate(&stream, Z_FINISH)
      precondition(status == Z_STREAM_END, "zlib did not finish")
      return unsafe output.count - Int(stream.avail_out)
    }
  }
  unsafe deflateEnd(&stream)
  return Array(target[..<written])
}
