import CZlib
import Glibc

/// Inflates one gzip file after the other into a buffer that nobody keeps.
@safe
struct FileInflater: ~Copyable {
  private(set) var total = InflateFloor.Total()
  private let countsLines: Bool
  private let stream: UnsafeMutablePointer<z_stream>
  private var source = [UInt8](repeating: 0, count: 1 << 17)
  private var target = [UInt8](repeating: 0, count: 1 << 18)

  init(countsLines: Bool) {
    self.countsLines = countsLines
    // Safe: freed in deinit; zlib wants the structure to stay where it is between calls.
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // 16 more than the window asks for gzip.
    let status = unsafe inflateInit2_(
      stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib did not start")
  }

  deinit {
    // Safe: initialized once in init, and nobody else has the pointer.
    _ = unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Inflates all members of a file and adds them to the total.
  mutating func inflate(_ path: String) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    precondition(file >= 0, "cannot open \(path)")
    defer { close(file) }
    _ = unsafe inflateReset(stream)
    while case let count = unsafe read(file, &source, source.count), count > 0 {
      inflateBlock(count, of: path)
    }
  }

  /// Inflates the first bytes of the source buffer.
  private mutating func inflateBlock(_ count: Int, of path: String) {
    let stream = unsafe self.stream
    unsafe source.withUnsafeMutableBufferPointer { input in
      unsafe target.withUnsafeMutableBufferPointer { output in
        // Safe: zlib reads at most avail_in bytes, which read() put there, and writes at most
        // avail_out; neither pointer is used after this call.
        unsafe stream.pointee.next_in = input.baseAddress
        unsafe stream.pointee.avail_in = UInt32(count)
        var status = Z_OK
        repeat {
          if status == Z_STREAM_END { _ = unsafe inflateReset(stream) }
          unsafe stream.pointee.next_out = output.baseAddress
          unsafe stream.pointee.avail_out = UInt32(output.count)
          status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
          precondition(
            [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status), "\(path) is damaged")
          let text = unsafe output[..<(output.count - Int(stream.pointee.avail_out))]
          total.bytes += unsafe text.count
          if countsLines { total.lines += unsafe text.count { $0 == UInt8(ascii: "\n") } }
        } while unsafe stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
      }
    }
  }
}
