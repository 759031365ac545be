import Scanning
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Calls of the system that `FileDescriptor` lacks, and those that read into arrays.
extension FileDescriptor {
  /// Opens a file, which programs started by this one do not inherit; a new one, with `create`, gets the mode.
  ///
  /// Not by `FilePath`, which drops a slash at the end: `a.csv/` would be the file `a.csv`.
  init(
    opening path: String, _ access: AccessMode, _ options: OpenOptions = [], mode: UInt32? = nil
  ) throws {
    // Safe: the system copies the path during the call.
    self = try unsafe FileDescriptor.open(
      SystemPath.bytes(of: path), access, options: options.union(.closeOnExec),
      permissions: mode.map { FilePermissions(rawValue: mode_t($0)) })
  }

  /// Whether it is a device and no terminal, such as `/dev/zero`, which never ends.
  var isDevice: Bool {
    guard let type = try? stat().type else { return false }
    return [.characterSpecial, .blockSpecial].contains(type) && isatty(rawValue) != 1
  }

  /// Creates a file in a folder, open for reading and writing, and removes its name.
  static func unnamed(in folder: String) throws(Errno) -> FileDescriptor {
    var path = SystemPath.bytes(of: folder + "/subreport-XXXXXX")
    // Safe: mkstemp changes the last letters of the path, which ends in a zero, and unlink reads it.
    let number = unsafe mkstemp(&path)
    guard number >= 0 else { throw Errno(rawValue: errno) }
    _ = unsafe unlink(path)
    return FileDescriptor(rawValue: number)
  }

  /// Reads on into an array, from `start` up to its end.
  ///
  /// Returns the number of bytes read; 0 at the end of the file.
  func fill(_ bytes: inout [UInt8], from start: Int = 0) throws -> Int {
    // Safe: the call writes at most as many bytes as the buffer has.
    try unsafe bytes.withUnsafeMutableBytes { buffer in
      try unsafe read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
    }
  }

  /// Reads so many bytes at an offset, fewer at the end of the file.
  func bytes(_ count: Int, at offset: Int64) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    // Safe: the call writes at most as many bytes as the buffer has.
    let readCount = try unsafe bytes.withUnsafeMutableBytes { buffer in
      try unsafe read(fromAbsoluteOffset: offset, into: buffer)
    }
    return Array(bytes[..<readCount])
  }

  /// Waits until the bytes of a file, or the names in a folder, are on the disk.
  func sync() throws(Errno) {
    guard fsync(rawValue) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Takes the lock of a file, without waiting; the error is `wouldBlock` when another process has it.
  func lock() throws(Errno) {
    guard flock(rawValue, LOCK_EX | LOCK_NB) == 0 else { throw Errno(rawValue: errno) }
  }
}
