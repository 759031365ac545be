import SystemPackage

/// A file without a name, which vanishes when the process ends.
package final class TemporaryFile: Sendable {
  private let descriptor: FileDescriptor

  /// The folder for temporary files: `TMPDIR`, or `/tmp`.
  package static var folder: String {
    guard let folder = SystemProcess.environment("TMPDIR"), !folder.isEmpty else { return "/tmp" }
    return folder
  }

  /// The path by which this process can open the file.
  package var path: String { "/proc/self/fd/\(descriptor.rawValue)" }

  /// Creates the file in a folder.
  package init(in folder: String) throws(OutputError) {
    descriptor = try TemporaryFile.open(in: folder)
  }

  deinit { try? descriptor.close() }

  /// Creates a file that stays open.
  static func open(in folder: String) throws(OutputError) -> FileDescriptor {
    try OutputFileSystem.call("make a temporary file", folder) {
      try FileDescriptor.unnamed(in: folder)
    }
  }

  /// Writes bytes at an offset.
  ///
  /// - Returns: Whether all were written; not if the disk is full.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    // Safe: the call reads no more than the buffer has.
    (try? unsafe descriptor.writeAll(toAbsoluteOffset: Int64(offset), bytes)) != nil
  }

  /// Replaces the content.
  ///
  /// - Parameter bytes: The new content.
  /// - Throws: ``OutputError/system(operation:path:number:)``, such as for a full disk.
  package func replace(with bytes: some Sequence<UInt8>) throws(OutputError) {
    try OutputFileSystem.call("write", "a temporary file") {
      // In this order, because emptying a file first makes some file systems write it to the disk.
      let count = try descriptor.writeAll(toAbsoluteOffset: 0, bytes)
      try descriptor.resize(to: Int64(count))
    }
  }

  /// Reads bytes at an offset until the buffer is full.
  ///
  /// - Returns: Whether all were read.
  package func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
    var done = 0
    while done < bytes.count {
      // Safe: the call writes no more than the buffer has.
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = try? unsafe descriptor.read(fromAbsoluteOffset: Int64(offset + done), into: rest)
      guard let count, count > 0 else { return false }
      done += count
    }
    return true
  }
}
