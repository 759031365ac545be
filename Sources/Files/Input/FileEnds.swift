import SystemPackage

/// The size of a file with its first and last bytes, read without the bytes between them.
package struct FileEnds {
  package let byteCount: Int
  /// The first two bytes, or all of a shorter file.
  package let first: [UInt8]
  /// The last four bytes, or all of a shorter file.
  package let last: [UInt8]

  /// Reads both ends of a file; `nil` when it cannot be opened or read.
  package init?(of path: String) {
    guard let descriptor = try? FileDescriptor(opening: path, .readOnly) else { return nil }
    defer { try? descriptor.close() }
    guard let size = try? descriptor.seek(offset: 0, from: .end),
      let first = try? descriptor.bytes(2, at: 0),
      let last = try? descriptor.bytes(4, at: max(0, size - 4))
    else { return nil }
    byteCount = Int(size)
    self.first = first
    self.last = last
    guard last.count == min(4, byteCount) else { return nil }
  }
}
