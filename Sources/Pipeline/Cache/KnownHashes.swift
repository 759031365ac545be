import AppStoreReports
import Crypto
import SubscriptionModel

/// The SHA-256 of files that have not changed since they were hashed: hashing all again each night would be a
/// tenth of it.
///
/// As `git` and backup programs do, a file is taken to be the same as long as the system says the same of it.
struct KnownHashes: Sendable {
  /// A file as it was when it was hashed.
  struct File: Hashable, Sendable {
    var path = ""
    var stamp = FileStamp()
    var sha256 = ""
  }

  fileprivate(set) var files: [String: File] = [:]
  /// When the run began: files that changed shortly before are not remembered.
  private let start = FileStatus.now

  /// Returns a file's SHA-256 if it is known.
  func sha256(of path: String, _ stamp: FileStamp?) -> String? {
    guard let file = files[path], file.stamp == stamp else { return nil }
    return file.sha256
  }

  /// Decides whether to remember a file.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - stamp: What the system said of it before it was read.
  ///   - sha256: What was read.
  /// - Returns: What to remember; `nil` if the file could change without anybody noticing.
  func file(_ path: String, _ stamp: FileStamp?, _ sha256: String) -> File? {
    guard let stamp, stamp.showsChanges(after: start) else { return nil }
    return File(path: path, stamp: stamp, sha256: sha256)
  }

  /// Codes all of it; reading begins with nothing.
  mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    var list = files.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    coder.list(&list, blank: File()) { file, coder in
      coder.text(&file.path)
      coder.number(&file.stamp.device)
      coder.number(&file.stamp.inode)
      coder.integer(&file.stamp.size)
      coder.integer(&file.stamp.modified)
      coder.integer(&file.stamp.changed)
      coder.text(&file.sha256)
    }
    files = Dictionary(list.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
  }

  fileprivate static func name(_ plan: RunPlan) -> String {
    hexadecimal(SHA256.hash(data: Array(plan.inputs.joined(separator: "\u{0}").utf8))) + "-files"
  }
}

extension ExtractCache {
  /// Returns the hashes that the last run of the same inputs has left.
  func knownHashes(_ plan: RunPlan) -> KnownHashes {
    let about = "the files' hashes"
    var reader = ExtractReader(Registries())
    var known = KnownHashes()
    guard open(KnownHashes.name(plan), in: folder.runs, about: about, with: &reader) else {
      return known
    }
    known.code(with: &reader)
    return close(&reader, about: about) ? known : KnownHashes()
  }

  /// Keeps the hashes of a run's files, unless the last run has left the same.
  func keep(_ files: [KnownHashes.File], after known: KnownHashes, _ plan: RunPlan) {
    var new = KnownHashes()
    new.files = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    guard new.files != known.files else { return }
    var writer = ExtractWriter(Registries())
    new.code(with: &writer)
    keep(writer.bytes, named: KnownHashes.name(plan), in: folder.runs)
  }
}
