import AppStoreReports
package import Files
package import Pipeline
package import ReportCache
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

  /// Reads a file, and creates its frame, of a damaged zip's member with its packed bytes; `nil` if it cannot be
  /// read.
  package static func frame(reading file: InputFile) -> Frame? {
    if let bytes = StoredContent.all(of: file.path) { return frame(file, bytes) }
    guard let member = ZipMember(path: file.path), let bytes = member.packedBytes else {
      return nil
    }
    return frame(file.at(member.placeInCopy), bytes)
  }

  /// Creates the frame of a file, as `InputListing` names it.
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
      file = InputFile(path: "", shownPath: shown, relativePath: path, isNamed: false, status: nil)
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

/// The entries of one file, as a cache stores them.
///
/// A frame with them takes the place of the file, or fills a cache.
package struct EntriesFrame {
  var file = InputFile.blank
  /// The SHA-256 of its stored bytes.
  var sha256 = ""
  package var entries: [FileEntry] = []

  init(_ file: InputFile, _ sha256: String, _ entries: [FileEntry]) {
    self.file = file
    self.sha256 = sha256
    self.entries = entries
  }

  /// Reads a frame; refuses a name that no entry has.
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

  /// `step cache`: stores entries in a cache, all of them or none; returns their number.
  package static func store(
    in path: String, version: String, _ frames: inout FrameSource
  ) throws -> Int {
    let delivery = try EntryDelivery(to: path, version: version)
    while let frame = try frames.next() {
      guard frame.label.kind == .entries else {
        throw StepError.misplaced(frame, "; cache expects only frames \"entries\"")
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

/// `step files --cache`: in place of files, what a cache has of them.
package enum CachedFileFrames {
  /// Writes frames for `scout`: what a file is, if the cache has an entry of its bytes; else the file (`nil`).
  ///
  /// Files whose texts are compared with each other are written whole.
  package static func found(
    _ files: [InputFile], _ input: CachedInput, write: (InputFile, Frame?) throws -> Void
  ) throws {
    var recognizer = FileRecognizer(input.memo)
    let recognized = files.map { recognizer.recognize($0) }
    // Computed for each file, so that the next run remembers it.
    let hashes = recognized.map { input.sha256(of: $0) }
    var starts: [Int: FileExtract] = [:]
    for (index, file) in recognized.enumerated() {
      starts[index] = hashes[index].flatMap { input.extractStart(of: file, $0) }
    }
    let compared = ReportResolution.compared(recognized.map(Scout.withPossibleDump))
      .union(SameBytes.compared(recognized, known: starts.mapValues(\.eventDays)))
    let among = Scout.Finding.hash(ofPaths: files.map(\.relativePath))
    for (index, file) in recognized.enumerated() {
      var frame: Frame?
      if let sha256 = hashes[index], !compared.contains(index), let extract = starts[index],
        let finding = Scout.Finding(readBefore: file, sha256, extract, among: among)
      {
        frame = finding.frame
      }
      try write(files[index], frame)
    }
    input.keepHashes()
  }

  /// Writes frames for `extract`: the entries that the run uses in place of a file, else the file (`nil`).
  ///
  /// `makePlan` returns the run with the options of the plan, which is the only frame.
  package static func planned(
    _ files: [InputFile], _ input: CachedInput, _ makePlan: ([UInt8]) throws -> RunPlan,
    _ frames: inout FrameSource, write: (InputFile, Frame?) throws -> Void
  ) throws {
    let registries = Registries()
    let plan = try StepPlan(try frames.next(.plan, for: "files --planned"), registries)
    let context = ReadContext(ofStep: try makePlan(plan.settings), plan.survey, registries, nil)
    let stored = PlannedEntries(input, context)
    let indices = plan.indices
    for file in files {
      var frame: Frame?
      let listed = RecognizedFile(file: file, name: ReportName(""), kind: .unknown, vendor: "")
      if let index = indices[file.relativePath], let sha256 = input.sha256(of: listed),
        FileFrame.hash(of: sha256) == plan.hashes[index],
        let entries = stored.entries(of: plan.survey.files[index], index, sha256)
      {
        frame = EntriesFrame(file, sha256, entries).frame
      }
      try write(file, frame)
    }
  }
}
