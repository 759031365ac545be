#if ISAL
  /// Reads the text of a file with ISA-L, and restarts with zlib if there is any error.
  ///
  /// ISA-L does not give the exact place of damage, and takes some damage for data. So zlib decides: the
  /// errors are those of a program without ISA-L, and so is the text before them, unless ISA-L noticed the
  /// damage later.
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
        return try startAgain(
          after: error, into: &text, at: offset, atMost: limit, onStoredBytes)
      }
    }

    /// Reads with zlib from the file's beginning, and skips the text that was passed on already.
    ///
    /// The pieces of text are those of a program without ISA-L: a piece with damage is never passed on.
    private mutating func startAgain(
      after error: ScanError, into text: inout [UInt8], at offset: Int, atMost limit: Int,
      _ onStoredBytes: ((Span<UInt8>) -> Void)?
    ) throws(ScanError) -> Int {
      var reader = try GzipReader<ZlibInflater>(
        path: path, blockSize: blockSize, reportedByteCount: reader.storedByteCount)
      var handedOut = textByteCount
      var count = 0
      repeat {
        handedOut -= count
        count = try reader.read(
          into: &text, at: offset, atMost: limit, onStoredBytes: onStoredBytes)
      } while count > 0 && count <= handedOut
      // If there is less text than before, another file has taken the path.
      if count < handedOut { throw error }
      zlibReader = consume reader
      let rest = count - handedOut
      for index in offset..<offset + rest { text[index] = text[index + handedOut] }
      return rest
    }
  }
#else
  typealias TextReader = GzipReader<ZlibInflater>
#endif
