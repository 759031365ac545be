package import Glibc
import Scanning

/// The system calls for writing an output, with errors that name the path.
///
/// Safe: paths are passed as temporary C strings and byte buffers with their own count, and no call
/// keeps a pointer after it returns.
package enum OutputFileSystem {
  /// Writes a new file, part after part.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - parts: Its bytes.
  ///   - mode: Its permission bits.
  ///   - isSynced: Whether to wait until it is on the disk; if not, a power failure may leave any part of it.
  /// - Throws: ``OutputError/system(operation:path:number:)``.
  package static func writeNewFile(
    _ path: String, parts: [[UInt8]], mode: mode_t = 0o666, isSynced: Bool = true
  ) throws(OutputError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe open(SystemPath.bytes(of: path), flags, mode)
    guard descriptor >= 0 else { throw failure("create", path) }
    defer { close(descriptor) }
    for part in parts { try write(part, to: descriptor, path: path) }
    guard !isSynced || fsync(descriptor) == 0 else { throw failure("sync", path) }
  }

  /// Writes to an existing device, pipe or socket.
  static func writeThrough(_ path: String, bytes: [UInt8]) throws(OutputError) {
    let descriptor = unsafe open(SystemPath.bytes(of: path), O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open", path) }
    defer { close(descriptor) }
    try write(bytes, to: descriptor, path: path)
  }

  /// Writes to an open file, pipe or device; the path is for the error.
  package static func write(
    _ bytes: [UInt8], to descriptor: Int32, path: String
  ) throws(OutputError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written..<buffer.count])
        return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw failure("write", path) }
      written += count
    }
  }

  /// Reads a file that is small enough for memory; `nil` when it is not a regular file or unreadable.
  package static func contents(of path: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    return read(path, into: &bytes) ? bytes : nil
  }

  /// Reads a file that is small enough for memory, reusing a buffer.
  ///
  /// - Returns: Whether the path is a regular file and all of it was read.
  package static func read(_ path: String, into bytes: inout [UInt8]) -> Bool {
    let descriptor = unsafe open(
      SystemPath.bytes(of: path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard let status = FileStatus(ofDescriptor: descriptor), status.kind == .file else {
      return false
    }
    return read(descriptor, expecting: status.size, into: &bytes)
  }

  package static func contents(ofDescriptor descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    return read(descriptor, expecting: 0, into: &bytes) ? bytes : nil
  }

  /// Reads to the end; fastest if the expected size is right.
  private static func read(
    _ descriptor: Int32, expecting size: Int, into bytes: inout [UInt8]
  ) -> Bool {
    var done = 0
    // One byte more than expected: if it stays unread, the file is at its end.
    var missing = size + 1 - bytes.count
    while true {
      if missing > 0 { bytes.append(contentsOf: repeatElement(0, count: missing)) }
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done..<buffer.count])
        return unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return false }
      done += count
      missing = done == bytes.count ? 4096 : 0
      if count == 0 {
        bytes.removeLast(bytes.count - done)
        return true
      }
    }
  }

  package static func makeFolder(_ path: String, mode: mode_t = 0o777) throws(OutputError) {
    guard unsafe mkdir(SystemPath.bytes(of: path), mode) == 0 else { throw failure("create", path) }
  }

  package static func setMode(_ mode: mode_t, of path: String) throws(OutputError) {
    guard unsafe chmod(SystemPath.bytes(of: path), mode) == 0 else {
      throw failure("change the mode of", path)
    }
  }

  package static func rename(_ source: String, to target: String) throws(OutputError) {
    guard unsafe Glibc.rename(SystemPath.bytes(of: source), SystemPath.bytes(of: target)) == 0
    else {
      throw errno == EBUSY ? .mountPoint(path: target) : failure("replace", target)
    }
  }

  /// Waits until the names in a folder are on the disk; skips file systems that cannot sync folders.
  static func syncFolder(_ path: String) throws(OutputError) {
    let descriptor = unsafe open(SystemPath.bytes(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
      throw failure("sync", path)
    }
  }

  /// Returns the path without links, `.` and `..`; `nil` when it does not exist.
  static func resolved(_ path: String) -> String? {
    guard let resolved = unsafe realpath(SystemPath.bytes(of: path), nil) else { return nil }
    defer { unsafe free(resolved) }
    let count = unsafe strlen(resolved)
    return unsafe SystemPath.text(
      of: UnsafeBufferPointer(start: resolved, count: count).map { UInt8(bitPattern: $0) })
  }

  /// Swaps two folders in one step.
  ///
  /// - Returns: `false`, with nothing changed, when the system or the file system cannot.
  static func exchange(_ first: String, _ second: String) throws(OutputError) -> Bool {
    typealias Call =
      @convention(c) (
        Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
      ) -> Int32
    let exchangeFlag: UInt32 = 2
    // Safe: the signature is the one in renameat2(2); the C library's header hides the function
    // unless _GNU_SOURCE is defined.
    guard let symbol = unsafe dlsym(nil, "renameat2") else { return false }
    let call = unsafe unsafeBitCast(symbol, to: Call.self)
    let paths = (SystemPath.bytes(of: first), SystemPath.bytes(of: second))
    if unsafe call(AT_FDCWD, paths.0, AT_FDCWD, paths.1, exchangeFlag) == 0 { return true }
    switch errno {
    case EINVAL, ENOSYS, ENOTSUP: return false
    case EBUSY: throw .mountPoint(path: second)
    default: throw failure("replace", second)
    }
  }

  static func failure(_ operation: String, _ path: String) -> OutputError {
    .system(operation: operation, path: path, number: errno)
  }
}
