import Scanning
import SystemPackage

/// The size of a file with its first and last bytes, read without the bytes between them.
///
/// Those of a zip's member are read from its first byte to its last.
package struct FileEnds {
  package private(set) var byteCount = 0
  /// The first two bytes, or all of a shorter file.
  package private(set) var first: [UInt8] = []
  /// The last four bytes, or all of a shorter file.
  package private(set) var last: [UInt8] = []

  /// Reads both ends of a file; `nil` when it cannot be opened or read.
  package init?(of path: String) {
    if ZipMember(path: path) != nil {
      var ends = FileEnds()
      do throws(ScanError) {
        try StoredContent.forEachBlock(of: path) { ends.add($0) }
      } catch {
        return nil
      }
      self = ends
      return
    }
    do {
      let descriptor = try FileDescriptor(opening: path, .readOnly)
      defer { try? descriptor.close() }
      byteCount = Int(try descriptor.seek(offset: 0, from: .end))
      first = try descriptor.bytes(2, at: 0)
      last = try descriptor.bytes(4, at: Int64(max(0, byteCount - 4)))
    } catch {
      _ = SystemFault.noted(.cannotOpen(errno: (error as? Errno)?.rawValue ?? 0), path)
      return nil
    }
    guard last.count == min(4, byteCount) else { return nil }
  }

  private init() {}

  private mutating func add(_ block: Span<UInt8>) {
    byteCount += block.count
    for index in block.indices.prefix(2 - first.count) { first.append(block[index]) }
    for index in block.indices.suffix(4) { last.append(block[index]) }
    last.removeFirst(max(0, last.count - 4))
  }
}
