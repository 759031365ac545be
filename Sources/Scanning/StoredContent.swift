/// The bytes of a file, or of a zip's member, as they are stored: not inflated if they are gzip.
package enum StoredContent {
  /// Calls a function with each block of the bytes.
  ///
  /// - Parameters:
  ///   - path: The path of the file or the member.
  ///   - body: Uses one block.
  /// - Throws: ``ScanError`` if they cannot be read to their end.
  package static func forEachBlock(
    of path: String, _ body: (Span<UInt8>) -> Void
  ) throws(ScanError) {
    var reader = try BlockReader(path: path, blockSize: 1 << 18, reportedByteCount: 0)
    try reader.forEachBlock(body)
  }

  /// Returns all bytes; `nil` if they cannot be read to their end.
  package static func all(of path: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    do throws(ScanError) {
      try forEachBlock(of: path) { block in
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: block.count))
        copyBytes(block, block.indices, into: &bytes, at: start)
      }
    } catch {
      return nil
    }
    return bytes
  }
}
