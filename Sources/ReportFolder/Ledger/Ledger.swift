import Crypto
import Files
import Pipeline
import Scanning

/// The whole lines of a ledger, with their hash.
package struct Ledger: Sendable {
  /// The number of bytes that were read, and their hash, as the manifest has them.
  package struct Part: Hashable, Sendable {
    /// The path as pages show it: of an absolute path only the last part.
    package var path: String
    package var length: Int
    package var sha256: String

    package init(path: String, length: Int, sha256: String) {
      (self.path, self.length, self.sha256) = (path, length, sha256)
    }
  }

  private let path: String
  package let length: Int
  package let sha256: String

  /// Opens the first bytes of a ledger, or all whole lines; `nil` when the file cannot be read, or is shorter.
  package init?(_ path: String, length: Int? = nil) {
    guard let wanted = length ?? Self.lengthOfLines(path), FileStatus(of: path)?.kind == .file
    else { return nil }
    var hash = SHA256()
    var rest = wanted
    let isWhole = OutputFileSystem.forEachBlock(of: path) { block in
      let used = block.extracting(0..<min(rest, block.count))
      // Safe: the buffer is read within the call, while the span keeps the bytes alive.
      unsafe used.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
      rest -= used.count
    }
    guard isWhole, rest == 0 else { return nil }
    self.path = path
    self.length = wanted
    sha256 = hexadecimal(hash.finalize())
  }

  /// Returns the number of bytes up to the end of the last whole line; `nil` when the file cannot be read.
  private static func lengthOfLines(_ path: String) -> Int? {
    var (length, all) = (0, 0)
    let isWhole = OutputFileSystem.forEachBlock(of: path) { block in
      for place in block.indices.reversed() where block[place] == UInt8(ascii: "\n") {
        length = all + place + 1
        break
      }
      all += block.count
    }
    return isWhole ? length : nil
  }

  /// Goes through the lines until `body` returns `false`; memory holds one of them.
  package func forEachEntry(_ body: (LedgerEntry) -> Bool) throws(LedgerError) {
    guard length > 0 else { return }
    let stream: ByteStream
    do throws(ScanError) {
      stream = try ByteStream(path: path)
    } catch {
      throw LedgerError(line: 1, message: error.message)
    }
    var reader = LedgerReader(stream, length: length)
    while let entry = try reader.next() {
      if !body(entry) { return }
    }
  }

  /// Returns the inputs and tables of the last run, put together from all lines.
  package func state() throws(LedgerError) -> LedgerState {
    var state = LedgerState()
    try forEachEntry { entry in
      state.apply(entry)
      return true
    }
    return state
  }
}
