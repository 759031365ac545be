import AppStoreReports
import Crypto
import Pipeline
import SubscriptionModel

/// The hashes and headers of unchanged files, from the last run: opening and hashing all of them again each
/// night would be a fifth of it.
///
/// As `git` and backup programs do, a file is taken to be the same as long as the system says the same of it.
struct KnownFiles: Sendable {
  /// A file as it was when it was read.
  struct File: Hashable, Sendable {
    var path = ""
    var stamp = FileStamp()
    var sha256 = ""
    /// What tells which report it is; `nil` when it must be opened for that.
    var text: ScoutedText?
  }

  /// Nanoseconds of a clock's slowest step, in which all changes have the same time.
  private static let longestStep: Int64 = 2_000_000_000

  fileprivate var files: [String: File] = [:]
  /// Files that changed after this moment are not remembered: a second change could get the same time, and would
  /// not be seen.
  private let settledBefore: Int64

  /// Creates an empty list.
  ///
  /// - Parameter clock: Tells when the run begins.
  init(clock: WallClock = .system) { settledBefore = clock.now() - Self.longestStep }

  /// Returns what is known of a file that is as it was.
  subscript(file: InputFile) -> File? {
    guard let known = files[file.path], let status = file.status,
      known.stamp == FileStamp(status)
    else { return nil }
    return known
  }

  /// Decides whether to remember a file.
  ///
  /// - Parameters:
  ///   - scouted: The file, with what the system said of it before it was opened.
  ///   - sha256: What was read.
  /// - Returns: What to remember; `nil` if the file has changed meanwhile, or could without anybody noticing.
  func file(_ scouted: ScoutedFile, _ sha256: String) -> File? {
    guard let stamp = scouted.file.status.map(FileStamp.init), stamp.isOlder(than: settledBefore),
      scouted.file.isUnchanged
    else { return nil }
    return File(path: scouted.file.path, stamp: stamp, sha256: sha256, text: scouted.text)
  }

  /// Codes all of it; reading begins with nothing.
  mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    var list = files.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    // Thousands of files have the same few headers.
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
      coder.optional(&file.text, blank: ScoutedText()) { text, coder in
        var number = numbers[text.headerLine] ?? 0
        coder.integer(&number)
        guard lines.indices.contains(number) else { return coder.fail() }
        text.headerLine = lines[number]
        coder.optional(&text.period, blank: ReportPeriod()) { period, coder in
          coder.day(&period.firstDay)
          coder.day(&period.lastDay)
        }
      }
    }
    files = Dictionary(list.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
  }

  fileprivate static func name(_ plan: RunPlan) -> String {
    hexadecimal(SHA256.hash(data: Array(plan.inputs.joined(separator: "\u{0}").utf8))) + "-files"
  }
}

extension CacheEntries {
  /// Returns what the last run of the same inputs has left of its files.
  func knownFiles(_ plan: RunPlan, _ clock: WallClock) -> KnownFiles {
    let about = "known files"
    var reader = ExtractReader(Registries())
    var known = KnownFiles(clock: clock)
    guard open(KnownFiles.name(plan), in: folder.runs, about: about, with: &reader) else {
      return known
    }
    known.code(with: &reader)
    return close(&reader, about: about) ? known : KnownFiles(clock: clock)
  }

  /// Keeps what is known of a run's files, unless the last run has left the same.
  ///
  /// - Parameters:
  ///   - files: The files, by path.
  ///   - known: What the last run has left.
  ///   - plan: The run.
  func keep(_ files: [String: KnownFiles.File], after known: KnownFiles, _ plan: RunPlan) {
    var new = KnownFiles()
    new.files = files
    guard new.files != known.files else { return }
    var writer = ExtractWriter(Registries())
    new.code(with: &writer)
    keep(writer.bytes, named: KnownFiles.name(plan), in: folder.runs)
  }
}
