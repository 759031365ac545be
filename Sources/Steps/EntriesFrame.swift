import Files
package import ReportCache
import Storage

/// The entries of one file, as a cache stores them.
///
/// A frame with them takes the place of the file, or fills a cache.
package struct EntriesFrame {
  /// The names of the file.
  var file = InputFile.blank
  /// The SHA-256 of its stored bytes.
  var sha256 = ""
  package var entries: [FileEntry] = []

  init(_ file: InputFile, _ sha256: String, _ entries: [FileEntry]) {
    self.file = file
    self.sha256 = sha256
    self.entries = entries
  }

  /// Reads a frame.
  ///
  /// - Throws: ``StepError`` for a content that cannot be read, or with a name that no entry has.
  package init(_ frame: Frame) throws(StepError) {
    try frame.read { code(with: &$0) }
    guard entries.allSatisfy({ EntryDelivery.isName($0.name) }) else {
      throw StepError.unreadable(frame)
    }
  }

  var frame: Frame {
    var copy = self
    return Frame(Frame.Label(.entries)) { copy.code(with: &$0) }
  }

  private mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    InputFile.code(&file, with: &coder)
    coder.text(&sha256)
    coder.list(&entries, blank: FileEntry(name: "", content: [])) { entry, coder in
      coder.text(&entry.name)
      coder.run(&entry.content)
    }
  }

  // MARK: To a cache

  /// `step cache`: stores entries in a cache, all of them or none.
  ///
  /// - Parameters:
  ///   - path: The cache's folder.
  ///   - version: The version of the program.
  ///   - frames: Frames with entries.
  /// - Returns: The number of entries.
  /// - Throws: ``StepError``, and `OutputError` when the folder cannot be created, trusted or written.
  package static func store(
    in path: String, version: String, _ frames: inout FrameSource
  ) throws -> Int {
    let delivery = try EntryDelivery(to: path, version: version)
    while let frame = try frames.next() {
      guard frame.label.kind == .entries else {
        throw StepError(
          .misplaced,
          "found the frame \"\(frame.label.text)\"; cache expects only frames \"entries\"")
      }
      for entry in try EntriesFrame(frame).entries { try delivery.add(entry) }
    }
    return try delivery.end()
  }
}

/// The entries of the current file of a task.
final class FrameEntries: EntryStore {
  /// The entries from which the file is recalled, with the SHA-256 of its stored bytes; `nil` for a file that is read.
  var given: EntriesFrame?
  /// The entries of a file that was read.
  private(set) var kept: [FileEntry] = []

  func open(_ name: String, about: String?, with reader: inout ExtractReader) -> Bool {
    guard let entry = given?.entries.first(where: { $0.name == name }) else { return false }
    reader.open(entry.content, entry.content.indices)
    return true
  }

  func noteDamage(about: String) {}

  func keep(_ content: [UInt8], named name: String) {
    kept.append(FileEntry(name: name, content: content))
  }

  /// Returns the entries of the file that was read, and has none for the next.
  func taken() -> [FileEntry] {
    defer { kept = [] }
    return kept
  }
}
