import CZlib

/// Makes gzip members whose bytes depend only on their content.
///
/// The header has no time, no name and no system, so that the same world gives the same files.
@safe
final class GzipCompressor {
  private let stream: UnsafeMutablePointer<z_stream>
  private let header: UnsafeMutablePointer<gz_header>
  private var output: [UInt8] = []

  /// A refusal by zlib, with zlib's error code.
  struct Failure: Error {
    let code: Int32
  }

  init() throws(Failure) {
    // Safe: one value each, initialised here and released in `deinit`; zlib keeps the addresses.
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe header = UnsafeMutablePointer<gz_header>.allocate(capacity: 1)
    unsafe header.initialize(to: gz_header())
    unsafe header.pointee.os = 255
    let gzipWindow: Int32 = 15 + 16
    let code = unsafe deflateInit2_(
      stream, 6, Z_DEFLATED, gzipWindow, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw Failure(code: code) }
  }

  deinit {
    // Safe: both were allocated in `init` and nothing else holds them.
    unsafe _ = deflateEnd(stream)
    unsafe stream.deallocate()
    unsafe header.deallocate()
  }

  /// Returns one gzip member that holds the bytes.
  func compressed(_ bytes: [UInt8]) throws(Failure) -> ArraySlice<UInt8> {
    var code = unsafe deflateReset(stream)
    guard code == Z_OK else { throw Failure(code: code) }
    code = unsafe deflateSetHeader(stream, header)
    guard code == Z_OK else { throw Failure(code: code) }
    let bound = unsafe Int(deflateBound(stream, UInt(bytes.count)))
    if output.count < bound {
      output = [UInt8](repeating: 0, count: bound + bound / 4)
    }
    let room = output.count
    // Safe: zlib reads `bytes.count` and writes at most `room` bytes, the sizes of the two buffers,
    // and keeps neither address past the call (the next call sets both again).
    code = unsafe bytes.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { result in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(bytes.count)
        unsafe stream.pointee.next_out = result.baseAddress
        unsafe stream.pointee.avail_out = UInt32(room)
        return unsafe deflate(stream, Z_FINISH)
      }
    }
    guard code == Z_STREAM_END else { throw Failure(code: code) }
    return output[..<(room - Int(unsafe stream.pointee.avail_out))]
  }
}
