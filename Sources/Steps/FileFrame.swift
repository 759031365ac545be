package import Files
import Pipeline
import ReportCache
import AppStoreReports
import Scanning
import Storage

/// A file of the input, whole, as a frame.
package struct FileFrame {
  /// The names of the file; its bytes are in ``bytes``.
  let file: InputFile
  let bytes: [UInt8]

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

  init(_ frame: Frame) throws(StepError) {
    var reader = ExtractReader(Registries())
    reader.open(frame.bytes, frame.content)
    var (file, bytes) = (InputFile.blank, [UInt8]())
    InputFile.code(&file, with: &reader)
    reader.run(&bytes)
    guard reader.close() else { throw StepError.unreadable(frame) }
    (self.file, self.bytes) = (file, bytes)
  }

  /// A hash of the bytes, which shows that two steps have read the same.
  var hash: UInt64 {
    var hasher = ByteHasher()
    hasher.add(bytes.span, bytes.indices)
    return hasher.finished()
  }
}
