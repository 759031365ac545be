import AppStoreReports
import Files
import Pipeline
import Storage
import SubscriptionModel

/// The hashes and headers of files from the last run, valid while the files are unchanged.
///
/// Opening and hashing all files again would take a fifth of a nightly run. As in `git` and backup programs, a
/// file counts as unchanged while its metadata (``FileStamp``) are the same.
struct FileHashes: Sendable {
  /// A file as it was when it was read.
  struct File: Hashable, Sendable {
    var path = ""
    var stamp = FileStamp()
    var sha256 = ""
    /// Its header and period, which identify the report; `nil` when the file must be opened for that.
    var text: RecognizedText?
  }

  /// The coarsest step of file timestamps, in nanoseconds: changes within one step can get the same time.
  private static let longestStep: Int64 = 2_000_000_000

  fileprivate var files: [ExactText: File] = [:]
  /// The latest time of change of a file that is remembered, in nanoseconds since 1970.
  ///
  /// A file that changed later is not: another change could get the same timestamp and go unnoticed.
  private let latestChange: Int64

  /// Creates an empty list; the run's clock may be some seconds ahead of the system's.
  init(ahead seconds: Int64 = 0) {
    latestChange = FileStatus.now + seconds * 1_000_000_000 - Self.longestStep
  }

  /// Returns the hash and header of a file from the last run, if its metadata are unchanged.
  subscript(file: InputFile) -> File? {
    guard let last = files[file.path], let status = file.status,
      last.stamp == FileStamp(status)
    else { return nil }
    return last
  }

  /// Returns the hash and header of a file to remember for the next run.
  ///
  /// Its metadata are from before it was opened. `nil` if it has changed since it was listed, or could change
  /// unnoticed.
  func file(_ recognized: RecognizedFile, _ sha256: String) -> File? {
    guard let stamp = recognized.file.status.map(FileStamp.init), stamp.isOlder(than: latestChange),
      recognized.file.isUnchanged
    else { return nil }
    return File(path: recognized.file.path, stamp: stamp, sha256: sha256, text: recognized.text)
  }

  /// Encodes all files, or decodes them into an empty list.
  mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    var list = files.values.sorted { $0.path.precedes($1.path) }
    // Thousands of files share a few headers, so each is written once.
    var numbers: [[UInt8]: Int] = [:]
    var lines: [[UInt8]] = []
    for text in list.compactMap(\.text) where numbers[text.headerLine] == nil {
      numbers[text.headerLine] = lines.count
      lines.append(text.headerLine)
    }
    coder.list(&lines, blank: []) { $1.run(&$0) }
    coder.list(&list, blank: File()) { file, coder in
      coder.text(&file.path)
      coder.number(&file.stamp.device)
      coder.number(&file.stamp.inode)
      coder.integer(&file.stamp.size)
      coder.integer(&file.stamp.modified)
      coder.integer(&file.stamp.changed)
      coder.text(&file.sha256)
      coder.optional(&file.text, blank: RecognizedText()) { text, coder in
        var number = numbers[text.headerLine] ?? 0
        coder.integer(&number)
        guard lines.indices.contains(number) else { return coder.fail() }
        text.headerLine = lines[number]
        coder.optional(&text.period, blank: ReportPeriod()) { $0.code(with: &$1) }
      }
    }
    files = Dictionary(list.map { (ExactText($0.path), $0) }, uniquingKeysWith: { $1 })
  }

  fileprivate static func name(_ plan: RunPlan) -> String {
    sha256(of: Array(plan.inputs.joined(separator: "\u{0}").utf8)) + "-files"
  }
}

/// The metadata of a file that change whenever its bytes do.
///
/// Times are coarse, so files that changed within two seconds before a run are not remembered. A
/// program that writes through mapped memory can escape this on some file systems.
struct FileStamp: Hashable {
  var device: UInt64 = 0
  var inode: UInt64 = 0
  var size = 0
  /// Modification time, in nanoseconds since 1970.
  var modified: Int64 = 0
  /// Inode change time, in nanoseconds since 1970; programs cannot set it.
  var changed: Int64 = 0

  init() {}

  init(_ status: FileStatus) {
    device = status.device
    inode = status.inode
    size = status.size
    modified = status.modified
    changed = status.changed
  }

  /// Returns whether both times are before a moment, in nanoseconds since 1970.
  func isOlder(than moment: Int64) -> Bool { max(modified, changed) < moment }
}

extension CacheEntries {
  /// Returns the files remembered by the last run with the same inputs.
  func fileHashes(_ plan: RunPlan, ahead seconds: Int64) -> FileHashes {
    let about = "file hashes"
    var reader = ExtractReader(Registries())
    var last = FileHashes(ahead: seconds)
    guard open(FileHashes.name(plan), in: folder.runs, about: about, with: &reader) else {
      return last
    }
    last.code(with: &reader)
    return close(&reader, about: about) ? last : FileHashes(ahead: seconds)
  }

  /// Writes the hashes and headers of a run's files, by path, unless the last run wrote the same.
  func keep(_ files: [ExactText: FileHashes.File], after last: FileHashes, _ plan: RunPlan) {
    var new = FileHashes()
    new.files = files
    guard new.files != last.files else { return }
    var writer = ExtractWriter(Registries())
    new.code(with: &writer)
    keep(writer.bytes, named: FileHashes.name(plan), in: folder.runs)
  }
}
