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

  private init() {}

  private mutating func add(_ block: Span<UInt8>) {
    byteCount += block.count
    for index in block.indices.prefix(2 - first.count) { first.append(block[index]) }
    for index in block.indices.suffix(4) { last.append(block[index]) }
    last.removeFirst(max(0, last.count - 4))
  }
}
