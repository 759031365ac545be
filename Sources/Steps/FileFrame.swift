import AppStoreReports
package import Files
import Pipeline
import ReportCache
import Scanning
import Storage

/// A file of the input, whole, as a frame.
///
/// An engine that has read a file writes it in a plain form, without a checksum: the line `subreport file`, a line with
/// its path below the input, a line with its path in messages, and its bytes.
package struct FileFrame {
  /// The names of the file; its bytes are in ``bytes``.
  let file: InputFile
  let bytes: [UInt8]

  /// Reads a file, and creates its frame; of a damaged zip's member with its packed bytes.
  ///
  /// - Parameter file: The file.
  /// - Returns: The frame; `nil` if the file cannot be read.
  package static func frame(reading file: InputFile) -> Frame? {
    if let bytes = StoredContent.all(of: file.path) { return frame(file, bytes) }
    guard let member = ZipMember(path: file.path), let bytes = member.packedBytes else {
      return nil
    }
    return frame(file.at(member.placeInCopy), bytes)
  }

  /// Creates the frame of a file.
  ///
  /// - Parameters:
  ///   - file: The file, as `InputListing` names it.
  ///   - bytes: Its bytes.
  /// - Returns: The frame.
  package static func frame(_ file: InputFile, _ bytes: [UInt8]) -> Frame {
    var writer = ExtractWriter(Registries())
    writer.begin()
    var (file, bytes) = (file, bytes)
    InputFile.code(&file, with: &writer)
    writer.run(&bytes)
    return Frame(Frame.Label(.file), writer.bytes)
  }

  /// The first line of the plain form.
  static let plainStart = Array("subreport file\n".utf8)

  init(_ frame: Frame) throws(StepError) {
    guard !frame.bytes.starts(with: Self.plainStart) else {
      let lines = frame.bytes.split(
        separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
      guard lines.count == 4, !lines[1].isEmpty else {
        throw StepError(.damaged, "found a file without a path")
      }
      let (path, shown) = (
        String(decoding: lines[1], as: UTF8.self), String(decoding: lines[2], as: UTF8.self)
      )
      file = InputFile(
        path: "", shownPath: shown, relativePath: path, isNamed: false, status: nil)
      bytes = Array(lines[3])
      return
    }
    var reader = ExtractReader(Registries())
    reader.open(frame.bytes, frame.content)
    var (file, bytes) = (InputFile.blank, [UInt8]())
    InputFile.code(&file, with: &reader)
    reader.run(&bytes)
    guard reader.close() else { throw StepError.unreadable(frame) }
    (self.file, self.bytes) = (file, bytes)
  }

  /// A hash of the bytes, which shows that two steps have read the same.
  var hash: UInt64 { Self.hash(of: sha256(of: bytes)) }

  /// Returns the hash of a file's bytes, given their SHA-256: its first eight bytes.
  static func hash(of sha256: String) -> UInt64 { UInt64(sha256.prefix(16), radix: 16) ?? 0 }
}
