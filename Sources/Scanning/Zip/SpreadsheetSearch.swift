/// Looks in the bytes of a zip archive, from its first to its last, for a part that spreadsheets have, and for files.
///
/// For an archive in another one, which can only be read from its beginning.
package struct SpreadsheetSearch {
  /// The names of the parts: Excel's and Numbers'.
  static let names = ["[Content_Types].xml", "Index/Document.iwa"]
  /// The longest name that is read whole.
  private static let longest = 1 << 10

  /// Whether a part was found.
  package private(set) var isFound = false
  /// Whether the archive has a file to read, also one of a damaged archive.
  package private(set) var hasFiles = false
  /// The last bytes, with which an entry of the central directory may begin.
  private var tail: [UInt8] = []

  package init() {}

  /// Looks in the next bytes.
  package mutating func feed(_ bytes: Span<UInt8>) {
    guard !isFound else { return }
    let start = tail.count
    tail.append(contentsOf: repeatElement(0, count: bytes.count))
    copyBytes(bytes, bytes.indices, into: &tail, at: start)
    let neededCount = ZipEntry.byteCountBeforeName + Self.longest
    var offset = 0
    while offset + neededCount <= tail.count, !isFound {
      if tail[offset] == 0x50, tail[offset...].starts(with: ZipEntry.signature) {
        let length = min(tail.uint16(offset + 28), Self.longest)
        let bytes = tail[(offset + ZipEntry.byteCountBeforeName)...].prefix(length)
        let name = ZipName.text(of: Array(bytes), madeBy: tail.uint16(offset + 4))
        isFound = Self.names.contains(name)
        hasFiles = hasFiles || ZipEntry.isRead(name)
      }
      // A damaged archive may have lost its central directory, but not the header before a file.
      if tail[offset] == 0x50, tail[offset...].starts(with: ZipEntry.localSignature) {
        let length = min(tail.uint16(offset + 26), Self.longest)
        let name = tail[(offset + ZipEntry.localByteCount)...].prefix(length)
        hasFiles = hasFiles || ZipEntry.isRead(ZipName.text(of: Array(name), madeBy: 0))
      }
      offset += 1
    }
    tail.removeFirst(offset)
  }

  /// Ends the search: the last entry may be shorter than the longest name.
  package mutating func finish() {
    let padding = [UInt8](repeating: 0, count: ZipEntry.byteCountBeforeName + Self.longest)
    feed(padding.span)
  }
}
