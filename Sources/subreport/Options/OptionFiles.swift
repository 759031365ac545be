import Files
import Pipeline
import Storage

/// The small files that options name, such as exchange rates.
///
/// Each is read once, so that its hash is that of the bytes that were used.
final class OptionFiles {
  private var contents: [ExactText: [UInt8]] = [:]

  /// Creates the files of a command line.
  init() {}

  /// Creates files whose bytes were read elsewhere.
  init(_ files: [(path: String, bytes: [UInt8])]) {
    contents = Dictionary(files.map { (ExactText($0.path), $0.bytes) }) { $1 }
  }

  /// Returns the bytes of a file; `nil` when it cannot be read.
  func bytes(_ path: String) -> [UInt8]? {
    if let bytes = contents[path] { return bytes }
    let bytes = OutputFileSystem.contents(ofOption: path)
    contents[path] = bytes
    return bytes
  }

  /// Returns the bytes of a file.
  ///
  /// - Throws: `InputFailure` when it cannot be read; it says what contents were expected.
  func bytes(_ path: String, expecting contents: String) throws(InputFailure) -> [UInt8] {
    if let bytes = bytes(path) { return bytes }
    throw InputFailure(
      "\(path): error: found no readable file (\(OutputFileSystem.whyUnreadable(path))), expected \(contents) [cannot-open]"
    )
  }

  /// Reads a CSV file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - columns: The columns that it should have, for a message.
  ///   - read: Reads the text of the file with this path.
  /// - Returns: What the file says.
  /// - Throws: `InputFailure` for a file that cannot be used.
  func table<Value>(
    _ path: String, columns: String, _ read: (String, String) throws(TableError) -> Value
  ) throws(InputFailure) -> Value {
    let bytes = try bytes(path, expecting: "CSV \(columns)")
    do throws(TableError) {
      return try read(String(decoding: bytes, as: UTF8.self), path)
    } catch {
      throw InputFailure(error.message)
    }
  }
}
