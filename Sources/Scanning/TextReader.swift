#if ISAL
  /// Reads the text of a file with ISA-L, and restarts with zlib after any error.
  ///
  /// ISA-L does not report the exact offset of damage, and does not detect all damage at once. With
  /// zlib, errors, and the text before them, are the same as in a program without ISA-L, unless
  /// ISA-L has already returned text after the damage.
  struct TextReader: ~Copyable {
    private let path: String
    private let blockSize: Int
    private var reader: GzipReader<ISALInflater>
    private var zlibReader: GzipReader<ZlibInflater>?
    private var textByteCount = 0

    init(path: String, blockSize: Int) throws(ScanError) {
      self.path = path
      self.blockSize = blockSize
      reader = try GzipReader(path: path, blockSize: blockSize)
    }

    var isGzip: Bool { reader.isGzip }

    var storedByteCount: Int {
      switch zlibReader {
      case .some(let zlibReader): zlibReader.storedByteCount
      case nil: reader.storedByteCount
      }
    }

    mutating func read(
      into text: inout [UInt8], at offset: Int, atMost limit: Int,
      onStoredBytes: ((Span<UInt8>) -> Void)?
    ) throws(ScanError) -> Int {
      if let count = try zlibReader?.read(
        into: &text, at: offset, atMost: limit, onStoredBytes: onStoredBytes)
      {
        return count
      }
      do throws(ScanError) {
        let count = try reader.read(
          into: &text, at: offset, atMost: limit, onStoredBytes: onStoredBytes)
        textByteCount += count
        return count
      } catch {
        guard error.isCorruption else { throw error }
        return try restart(
          after: error, into: &text, at: offset, atMost: limit, onStoredBytes)
      }
    }

    /// Reads with zlib from the file's beginning, and skips the text that was already returned.
    ///
    /// Text is divided into pieces as in a program without ISA-L: a piece with damage is never
    /// returned.
    private mutating func restart(
      after error: ScanError, into text: inout [UInt8], at offset: Int, atMost limit: Int,
      _ onStoredBytes: ((Span<UInt8>) -> Void)?
    ) throws(ScanError) -> Int {
      var reader = try GzipReader<ZlibInflater>(
        path: path, blockSize: blockSize, reportedByteCount: reader.storedByteCount)
      var returnedCount = textByteCount
      var count = 0
      repeat {
        returnedCount -= count
        count = try reader.read(
          into: &text, at: offset, atMost: limit, onStoredBytes: onStoredBytes)
      } while count > 0 && count <= returnedCount
      // With less text than before, the path names another file now.
      if count < returnedCount { throw error }
      zlibReader = consume reader
      let rest = count - returnedCount
      for index in offset..<offset + rest { text[index] = text[index + returnedCount] }
      return rest
    }
  }
#else
  typealias TextReader = GzipReader<ZlibInflater>
#endif
