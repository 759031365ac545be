import CZlib

/// Decompresses gzip members, so that the program's compressor is checked with zlib itself.
package enum GzipMember {
  /// Returns the content of a file that is exactly one gzip member.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The content, or nil if the file is damaged or is not exactly one member.
  package static func content(of bytes: [UInt8]) -> [UInt8]? {
    // Safe: one value, released below; zlib remembers its address, which therefore must not change.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    defer { unsafe stream.deallocate() }
    let gzipWindow: Int32 = 15 + 16
    let code = unsafe inflateInit2_(
      stream, gzipWindow, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return nil }
    defer { unsafe _ = inflateEnd(stream) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let size = chunk.count
    var isComplete = false
    // Safe: zlib reads `bytes.count` bytes and writes at most `size` bytes a turn, the sizes of the
    // two buffers, which outlive the loop.
    unsafe bytes.withUnsafeBufferPointer { input in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.pointee.avail_in = UInt32(bytes.count)
      while !isComplete {
        let result = unsafe chunk.withUnsafeMutableBufferPointer { output in
          unsafe stream.pointee.next_out = output.baseAddress
          unsafe stream.pointee.avail_out = UInt32(size)
          return unsafe inflate(stream, Z_NO_FLUSH)
        }
        guard result == Z_OK || result == Z_STREAM_END else { return }
        content.append(contentsOf: chunk[..<(size - Int(unsafe stream.pointee.avail_out))])
        isComplete = result == Z_STREAM_END
      }
    }
    let rest = unsafe stream.pointee.avail_in
    return isComplete && rest == 0 ? content : nil
  }
}
