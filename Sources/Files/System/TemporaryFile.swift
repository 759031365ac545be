import Synchronization
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

  package init(in folder: String) throws(OutputError) {
    descriptor = try TemporaryFile.open(in: folder)
  }

  deinit { try? descriptor.close() }

  static func open(in folder: String) throws(OutputError) -> FileDescriptor {
    try OutputFileSystem.call("make a temporary file", folder) {
      try FileDescriptor.unnamed(in: folder)
    }
  }

  /// Writes bytes at an offset; returns whether all were written, not if the disk is full.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    // Safe: the call reads no more than the buffer has.
    (try? unsafe descriptor.writeAll(toAbsoluteOffset: Int64(offset), bytes)) != nil
  }

  package func replace(with bytes: some Sequence<UInt8>) throws(OutputError) {
    try OutputFileSystem.call("write", "a temporary file") {
      // In this order, because emptying a file first makes some file systems write it to the disk.
      let count = try descriptor.writeAll(toAbsoluteOffset: 0, bytes)
      try descriptor.resize(to: Int64(count))
    }
  }

  /// Reads bytes at an offset until the buffer is full; returns whether all were read.
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

/// An unnamed temporary file for elements beyond what memory may hold; it vanishes with the process.
///
/// There is no other copy of its elements: a run that cannot read them back ends without an output.
package final class SpillFile<Element: BitwiseCopyable & Sendable>: Sendable {
  private let file: TemporaryFile
  private let end = Atomic(0)
  private var stride: Int { MemoryLayout<Element>.stride }

  package init(in folder: String) throws(OutputError) {
    file = try TemporaryFile(in: folder)
  }

  /// Writes elements; returns the index of the first, or `nil` when the disk has no space for them.
  package func append(_ elements: [Element]) -> Int? {
    // Safe: elements have no references.
    unsafe elements.withUnsafeBytes { bytes in
      let start = end.add(elements.count, ordering: .relaxed).oldValue
      return unsafe file.write(bytes, at: start * stride) ? start : nil
    }
  }

  /// Reads elements written by ``append(_:)``.
  package func elements(_ count: Int, at start: Int) -> [Element] {
    // Safe: exactly the bytes of `count` elements are read back, or the run ends.
    unsafe [Element](unsafeUninitializedCapacity: count) { elements, initialized in
      let isRead = unsafe file.read(
        into: UnsafeMutableRawBufferPointer(elements), at: start * stride)
      precondition(isRead, "a temporary file cannot be read back")
      initialized = count
    }
  }
}
