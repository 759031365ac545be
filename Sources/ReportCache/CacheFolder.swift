package import Files
import Scanning
import Synchronization
package import Tables

/// The folder of a cache: the file `CACHEDIR.TAG`, which identifies it, and folders of entries.
///
/// An entry appears whole or not at all: it is written to a temporary file in the cache and renamed. Two runs may
/// write the same entry at once: each version is whole, and the later one stays. A killed run leaves only temporary
/// files, which the next run removes.
/// Folders and files are created with access for the user only.
struct CacheFolder: Sendable {
  let path: String

  /// Marks the folder as a cache for backup programs, see bford.info/cachedir.
  private static let tagName = "CACHEDIR.TAG"
  private static let tag = Array(
    """
    Signature: 8a477f597d28d172789f06886806bc55
    # This folder is a cache of subreport; what is in it can be made again.

    """.utf8)
  private static let temporaryPrefix = ".temporary-"
  /// The number of writes by this process, so that no two threads use the same temporary file.
  private static let writes = Atomic(0)

  /// The file that identifies a cache.
  var tagPath: String { path + "/" + Self.tagName }
  var extracts: String { path + "/extracts" }
  /// The folder of run summaries and file hashes.
  var runs: String { path + "/runs" }
  var tallies: String { path + "/tallies" }

  init(existing path: String) throws(OutputError) {
    self.path = path
    guard OutputFileSystem.contents(of: tagPath) == Self.tag else {
      throw CacheError.notACache.of(path)
    }
  }

  /// Opens a cache; creates it if nothing is at the path, or an empty folder.
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
        // Another run may have created it first: then the folder has the tag.
        guard OutputFileSystem.contents(of: tagPath) == Self.tag else { throw error }
      }
    }
    try checkTrust()
    for folder in [extracts, runs, tallies] where FileStatus(of: folder) == nil {
      try Self.makeFolder(folder)
    }
    try removeLeftovers()
  }

  /// Turns an empty folder into a cache that only the user can access.
  private func makeCache() throws(OutputError) {
    // The cache of another user, whose files this one cannot read.
    if let owner = FileStatus(of: tagPath)?.owner, owner != SystemProcess.user {
      throw CacheError.ofUser(owner).of(path)
    }
    try checkIsEmpty()
    let owner = FileStatus(of: path)?.owner
    guard owner == SystemProcess.user else { throw CacheError.ofUser(owner).of(path) }
    try OutputFileSystem.setMode(0o700, of: path)
    // Check again: others may have added a file before the mode changed.
    try checkIsEmpty()
    try write([Self.tag], to: tagPath, isSynced: true)
  }

  private func checkIsEmpty() throws(OutputError) {
    let names = try OutputFileSystem.names(in: path)
    guard names.allSatisfy({ $0.hasPrefix(Self.temporaryPrefix) }) else {
      throw CacheError.notACache.of(path)
    }
  }

  /// Writes a file that appears whole or not at all; an error names the cache.
  ///
  /// Entries are not synced: their checksum shows damage from a power failure.
  func write(
    _ parts: [[UInt8]], to target: String, isSynced: Bool = false
  ) throws(OutputError) {
    try move(try writeTemporary(parts, isSynced: isSynced), to: target)
  }

  /// Writes a temporary file, and returns its path; an error names the cache.
  func writeTemporary(
    _ parts: [[UInt8]], isSynced: Bool = false
  ) throws(OutputError) -> String {
    let number = Self.writes.add(1, ordering: .relaxed).newValue
    let temporary = path + "/\(Self.temporaryPrefix)\(SystemProcess.id)-\(number)"
    OutputFileSystem.removeTree(temporary)
    do throws(OutputError) {
      try OutputFileSystem.writeNewFile(temporary, parts: parts, mode: 0o600, isSynced: isSynced)
    } catch {
      OutputFileSystem.removeTree(temporary)
      throw error.naming(path)
    }
    return temporary
  }

  /// Gives a temporary file its place; removes it if that fails, with an error that names the cache.
  func move(_ temporary: String, to target: String) throws(OutputError) {
    do throws(OutputError) {
      try OutputFileSystem.move(temporary, to: target)
    } catch {
      OutputFileSystem.removeTree(temporary)
      throw error.naming(path)
    }
  }

  /// Removes all entries and leaves an empty cache; files that subreport did not write stay.
  ///
  /// Returns the number of entries removed from the folder of extracts, with those of charges.
  func clear() throws(OutputError) -> Int {
    try removeLeftovers()
    let names = try Self.entryNames(in: extracts)
    for name in names { OutputFileSystem.removeTree(extracts + "/" + name) }
    for folder in [runs, tallies] {
      for name in try Self.entryNames(in: folder) {
        OutputFileSystem.removeTree(folder + "/" + name)
      }
    }
    return names.count
  }

  /// The names of the entries in a folder, sorted by their bytes: names that begin with 64 hexadecimal digits.
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
      // Another run may have created it first.
      guard FileStatus(of: path)?.kind == .folder else { throw error }
    }
  }

  /// Removes temporary files of killed runs.
  private func removeLeftovers() throws(OutputError) {
    for name in try OutputFileSystem.names(in: path) where name.hasPrefix(Self.temporaryPrefix) {
      let numbers = name.dropFirst(Self.temporaryPrefix.count).split(separator: "-")
      guard let process = numbers.first.flatMap({ Int32($0) }) else { continue }
      if !SystemProcess.exists(process) { OutputFileSystem.removeTree(path + "/" + name) }
    }
  }
}

/// Checks that a cache belongs to the user, and that no one else may write to it.
///
/// Numbers come from entries alone, without the reports, and an entry's checksum detects damage, not
/// forgery. So a cache must belong to the user, and other users must not be able to write to it.
extension CacheFolder {
  /// Refuses a cache that others could have written to; the error names the path at fault.
  func checkTrust() throws(OutputError) {
    for path in [path, tagPath] { try Self.checkTrust(path) }
    for folder in [extracts, runs, tallies] where FileStatus(of: folder) != nil {
      try Self.checkTrust(folder)
      for name in try Self.entryNames(in: folder) { try Self.checkTrust(folder + "/" + name) }
    }
  }

  /// Refuses a file or folder that others could have written to; one that no longer exists passes.
  static func checkTrust(_ path: String) throws(OutputError) {
    guard let status = FileStatus(of: path) else { return }
    guard status.owner == SystemProcess.user else { throw CacheError.ofUser(status.owner).of(path) }
    // Not writable by the group, nor by others.
    guard status.mode & 0o022 == 0 else { throw CacheError.openToOthers.of(path) }
  }
}

/// The reason why a folder cannot be used as a cache.
package enum CacheError: Equatable {
  case notACache
  /// The cache or something in it belongs to another user, of this number.
  case ofUser(UInt32?)
  /// Other users can write to the cache or to something in it.
  case openToOthers

  /// Returns the error of a folder, or of something in it.
  package func of(_ path: String) -> OutputError {
    let reason: ExitReason = self == .notACache ? .unusableInput : .usage
    return .unusableFolder(path: path, .init(code: code, message: message, reason: reason))
  }

  private var code: String {
    switch self {
    case .notACache: "not-a-cache"
    case .ofUser: "cache-of-another-user"
    case .openToOthers: "cache-open-to-others"
    }
  }

  private var message: String {
    switch self {
    case .notACache:
      "this is no cache, or its file CACHEDIR.TAG is damaged; name one that subreport made, or a new or empty folder"
    case .ofUser(let user): Self.message(ofUser: user)
    case .openToOthers:
      "other users can write to this and change your numbers; remove the cache, or name another folder"
    }
  }

  /// Returns the message about a cache of another user: it names the user, and how to run the program as that user.
  private static func message(ofUser user: UInt32?) -> String {
    guard let user else {
      return
        "this belongs to another user, who could change your numbers; name a folder of your own"
    }
    let name = userName(of: user)
    let whose = "this belongs to user \(name ?? String(user)), who could change your numbers"
    // No one should run the program as root for the sake of a cache.
    guard let name, user != 0 else { return "\(whose); name a folder of your own" }
    let words = "-u \(name) -- subreport …"
    let call = SystemProcess.user == 0 ? "runuser \(words)" : "sudo \(words)"
    return "\(whose); run as that user (\(call)), or name a folder of your own"
  }
}

/// The actions of `subreport cache`.
package enum CacheContents {
  /// Lists the entries of a cache by kind; entries of other versions than `version` are unusable.
  ///
  /// There is a row for each way to read files, and one for tallies: the number of entries, their bytes, and how many
  /// would be rebuilt.
  package static func table(of path: String, version: String) throws(OutputError) -> ReportTable {
    let folder = try CacheFolder(existing: path)
    try folder.checkTrust()
    var kinds: [String: (entries: Int, bytes: Int, unusable: Int)] = [:]
    for folder in [folder.extracts, folder.tallies] {
      for name in try CacheFolder.entryNames(in: folder) {
        let bytes = OutputFileSystem.contents(of: folder + "/" + name) ?? []
        let isUsable =
          (try? CacheEntry.content(in: bytes, name: name, version: version)) != nil
        let reading = reading(ofEntry: name)
        kinds[reading, default: (0, 0, 0)].entries += 1
        kinds[reading, default: (0, 0, 0)].bytes += bytes.count
        kinds[reading, default: (0, 0, 0)].unusable += isUsable ? 0 : 1
      }
    }
    let rows = kinds.sorted { $0.key < $1.key }.map { name, kind -> [ReportTable.Cell] in
      [.text(name), .count(kind.entries), .count(kind.bytes), .count(kind.unusable)]
    }
    return ReportTable(
      name: "cache", dimensions: [],
      columns: [
        .init("read_as", .text), .init("entries", .count), .init("bytes", .count),
        .init("unusable", .count),
      ], rows: rows)
  }

  /// Returns how a file was read, from the name of its entry without hashes.
  ///
  /// Hashes of the file's bytes, of its name and of the user's lists are left out: nearly every finance file has
  /// its own.
  private static func reading(ofEntry name: String) -> String {
    let words = name.split(separator: "-").filter { $0.utf8.count < 32 }
    return words.joined(separator: "-")
  }

  /// Removes all entries and leaves an empty cache; files that subreport did not write stay.
  ///
  /// Returns the number of entries removed from the folder of extracts, with those of charges.
  package static func clear(_ path: String) throws(OutputError) -> Int {
    try CacheFolder(existing: path).clear()
  }
}
