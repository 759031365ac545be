import Glibc
import Pipeline
import Synchronization

/// The folder of a cache: `CACHEDIR.TAG`, by which it is known, and the entries below it.
///
/// An entry appears whole or not at all: it is written beside the others' folders and renamed. Runs that use a
/// folder at once write entries that say the same, and killing one leaves at most a file that the next run
/// removes. Nobody but the user may look into it.
struct CacheFolder: Sendable {
  let path: String

  /// Tells programs that make backups what the folder is, see bford.info/cachedir.
  private static let tagName = "CACHEDIR.TAG"
  private static let tag = Array(
    """
    Signature: 8a477f597d28d172789f06886806bc55
    # This folder is a cache of subreport; what is in it can be made again.

    """.utf8)
  private static let temporaryPrefix = ".temporary-"
  /// How often this process has written, so that no two threads use one temporary file.
  private static let writes = Atomic(0)

  /// The file by which the folder is known.
  var tagPath: String { path + "/" + Self.tagName }
  /// The folder of the extracts.
  var extracts: String { path + "/extracts" }
  /// The folder of what runs have said.
  var runs: String { path + "/runs" }
  /// The folder of what runs have counted.
  var tallies: String { path + "/tallies" }

  /// Opens a cache that is there.
  ///
  /// - Throws: ``CacheError/notACache`` when there is none.
  init(existing path: String) throws(OutputError) {
    self.path = path
    guard OutputFileSystem.contents(of: tagPath) == Self.tag else {
      throw CacheError.notACache.of(path)
    }
  }

  /// Opens a cache, and makes one where there is nothing or an empty folder.
  ///
  /// - Throws: `OutputError`: ``CacheError``, `notAFolder`, `noParent` or `system`.
  init(path: String) throws(OutputError) {
    self.path = path
    switch FileStatus(of: path)?.kind {
    case nil:
      _ = try OutputPath(path)
      try Self.makeFolder(path)
    case .folder: break
    default: throw .notAFolder(path: path)
    }
    if OutputFileSystem.contents(of: tagPath) != Self.tag {
      do throws(OutputError) {
        try makeCache()
      } catch {
        // Another run may have been faster; then the folder is no longer empty, and has the tag.
        guard OutputFileSystem.contents(of: tagPath) == Self.tag else { throw error }
      }
    }
    try checkTrust()
    for folder in [extracts, runs, tallies] where FileStatus(of: folder) == nil {
      try Self.makeFolder(folder)
    }
    try removeLeftovers()
  }

  /// Makes a cache of an empty folder, which is the user's alone from then on.
  private func makeCache() throws(OutputError) {
    try checkIsEmpty()
    guard FileStatus(of: path)?.owner == geteuid() else { throw CacheError.ofAnotherUser.of(path) }
    try OutputFileSystem.setMode(0o700, of: path)
    // Until now others may have been able to put something there.
    try checkIsEmpty()
    try write([Self.tag], to: tagPath, isSynced: true)
  }

  private func checkIsEmpty() throws(OutputError) {
    let names = try OutputFileSystem.names(in: path)
    guard names.allSatisfy({ $0.hasPrefix(Self.temporaryPrefix) }) else {
      throw CacheError.notACache.of(path)
    }
  }

  /// Writes a file that appears whole or not at all.
  ///
  /// - Parameters:
  ///   - parts: What is in it.
  ///   - target: Its path.
  ///   - isSynced: Whether to wait for the disk: not for entries, whose checksum tells what a power failure has
  ///     left of them.
  /// - Throws: `OutputError.system`, with the path of the cache.
  func write(
    _ parts: [[UInt8]], to target: String, isSynced: Bool = false
  ) throws(OutputError) {
    let number = Self.writes.add(1, ordering: .relaxed).newValue
    let temporary = path + "/\(Self.temporaryPrefix)\(getpid())-\(number)"
    OutputFileSystem.removeTree(temporary)
    do throws(OutputError) {
      try OutputFileSystem.writeNewFile(
        temporary, parts: parts, mode: 0o600, isSynced: isSynced)
      try OutputFileSystem.rename(temporary, to: target)
    } catch {
      OutputFileSystem.removeTree(temporary)
      throw error.naming(path)
    }
  }

  /// Removes all entries and leaves an empty cache; what subreport did not write stays.
  ///
  /// - Returns: How many were removed.
  func clear() throws(OutputError) -> Int {
    try removeLeftovers()
    let names = try extractNames()
    for name in names { OutputFileSystem.removeTree(extracts + "/" + name) }
    for folder in [runs, tallies] {
      for name in try Self.entryNames(in: folder) {
        OutputFileSystem.removeTree(folder + "/" + name)
      }
    }
    return names.count
  }

  /// The names of the extracts, sorted by their bytes.
  func extractNames() throws(OutputError) -> [String] { try Self.entryNames(in: extracts) }

  /// The names of the tallies, sorted by their bytes.
  func tallyNames() throws(OutputError) -> [String] { try Self.entryNames(in: tallies) }

  /// The names in a folder that entries have: they begin with a SHA-256.
  static func entryNames(in folder: String) throws(OutputError) -> [String] {
    guard FileStatus(of: folder) != nil else { return [] }
    return try OutputFileSystem.names(in: folder).filter { name in
      name.utf8.count >= 64
        && name.utf8.prefix(64).allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }
  }

  private static func makeFolder(_ path: String) throws(OutputError) {
    do throws(OutputError) {
      try OutputFileSystem.makeFolder(path, mode: 0o700)
    } catch {
      // Another run may have been faster.
      guard FileStatus(of: path)?.kind == .folder else { throw error }
    }
  }

  /// Removes what killed runs have left.
  private func removeLeftovers() throws(OutputError) {
    for name in try OutputFileSystem.names(in: path) where name.hasPrefix(Self.temporaryPrefix) {
      let numbers = name.dropFirst(Self.temporaryPrefix.count).split(separator: "-")
      guard let process = numbers.first.flatMap({ Int32($0) }) else { continue }
      if kill(process, 0) != 0, errno == ESRCH { OutputFileSystem.removeTree(path + "/" + name) }
    }
  }
}
