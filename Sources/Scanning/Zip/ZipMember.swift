/// Where the bytes of a zip archive's member are.
///
/// ``path`` says the same as a text, so that whatever opens a file by its path opens a member, too: the path of the
/// archive, a zero, which no path of the system has, and numbers.
package struct ZipMember: Equatable, Sendable {
  /// The path of the archive.
  package let archive: String
  /// The offset in the archive of the member's first packed byte.
  let offset: Int
  /// The number of bytes in the archive.
  let packedCount: Int
  /// The number of bytes after inflating.
  package let byteCount: Int
  /// Whether the bytes are deflated; if not, they are stored as they are.
  let isDeflated: Bool
  /// The CRC-32 of the bytes after inflating.
  let checksum: UInt32
  /// The offset in the archive of the first byte in the file: 0, except in a copy of the packed bytes alone.
  private(set) var start = 0

  init(
    archive: String, offset: Int, packedCount: Int, byteCount: Int, isDeflated: Bool,
    checksum: UInt32
  ) {
    self.archive = archive
    self.offset = offset
    self.packedCount = packedCount
    self.byteCount = byteCount
    self.isDeflated = isDeflated
    self.checksum = checksum
  }

  /// Reads a path; `nil` for that of a file.
  package init?(path: String) {
    guard let end = path.utf8.firstIndex(of: 0) else { return nil }
    let numbers = path[end...].dropFirst().split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 6, numbers.allSatisfy({ 0...1 << 50 ~= $0 }),
      let checksum = UInt32(exactly: numbers[4])
    else { return nil }
    self.init(
      archive: String(path[..<end]), offset: numbers[0], packedCount: numbers[1],
      byteCount: numbers[2], isDeflated: numbers[3] == 1, checksum: checksum)
    start = numbers[5]
  }

  /// The path by which the member is opened.
  package var path: String {
    archive + place
  }

  /// The end of the path, which says where the bytes are in the file.
  private var place: String {
    "\0\(offset) \(packedCount) \(byteCount) \(isDeflated ? 1 : 0) \(checksum) \(start)"
  }

  /// The end of the path in a copy of the packed bytes, which is read as the member is, with the same damage.
  package var placeInCopy: String {
    var copy = self
    copy.start = offset
    return copy.place
  }

  /// Returns the end of the path of a copy of packed bytes; blank for any other path.
  package static func placeInCopy(of path: String) -> String {
    guard let member = ZipMember(path: path), member.start > 0 else { return "" }
    return member.place
  }

  /// The packed bytes, which can be read where the member is damaged; `nil` if they cannot.
  package var packedBytes: [UInt8]? {
    do throws(ScanError) {
      let bytes = try FileBytes(path: archive).bytes(packedCount, at: offset - start)
      return bytes.count == packedCount ? bytes : nil
    } catch {
      return nil
    }
  }
}
