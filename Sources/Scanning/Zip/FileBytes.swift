#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// An open file whose bytes are read at any offset; closed with the value.
struct FileBytes: ~Copyable {
  private let fileDescriptor: Int32
  /// The size of the file.
  let byteCount: Int

  init(path: String) throws(ScanError) {
    // Safe: the system copies the path during the call.
    let fileDescriptor = unsafe open(SystemPath.bytes(of: path), O_RDONLY | O_CLOEXEC)
    if fileDescriptor < 0 { throw .cannotOpen(errno: errno) }
    let size = lseek(fileDescriptor, 0, SEEK_END)
    if size < 0 {
      let code = errno
      _ = close(fileDescriptor)
      throw .cannotRead(errno: code, byteOffset: 0)
    }
    self.fileDescriptor = fileDescriptor
    byteCount = Int(size)
  }

  deinit { _ = close(fileDescriptor) }

  /// Reads bytes at an offset; fewer at the end of the file, none beyond it.
  func bytes(_ count: Int, at offset: Int) throws(ScanError) -> [UInt8] {
    guard count > 0, offset >= 0, offset < byteCount else { return [] }
    var bytes = [UInt8](repeating: 0, count: min(count, byteCount - offset))
    var done = 0
    while done < bytes.count {
      // Safe: pread writes at most as many bytes as the buffer has left.
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          fileDescriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done,
          off_t(offset + done))
      }
      if count == 0 { break }
      let code = errno
      if count > 0 {
        done += count
      } else if code != EINTR {
        throw .cannotRead(errno: code, byteOffset: offset + done)
      }
    }
    return Array(bytes[..<done])
  }
}

extension [UInt8] {
  /// Returns a number of 16, 32 or 64 bits, lowest byte first; 0 if it is not whole.
  func number<Number: FixedWidthInteger & UnsignedInteger>(at offset: Int, as: Number.Type) -> Int {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, offset + size <= count else { return 0 }
    var value: UInt64 = 0
    for place in (0..<size).reversed() { value = value << 8 | UInt64(self[offset + place]) }
    return Int(clamping: value)
  }

  func uint16(_ offset: Int) -> Int { number(at: offset, as: UInt16.self) }
  func uint32(_ offset: Int) -> Int { number(at: offset, as: UInt32.self) }
  /// A number of 64 bits; a number that no `Int` has becomes the largest.
  func uint64(_ offset: Int) -> Int { number(at: offset, as: UInt64.self) }
}
