import AppStoreReports
package import Files
package import Pipeline
import SubscriptionModel

/// The files of some inputs, as far as a cache has entries of them: for a run in steps.
package final class CachedInput {
  private let cache: ExtractCache
  private let run: CachedRun
  /// The names of all entries, by their first 64 digits.
  private let names: [Substring: [String]]

  /// Opens a cache; creates it if nothing is at the path, or an empty folder.
  ///
  /// Entries of other versions are not used. A run of `report` with the same inputs remembers the hashes of their
  /// files. `secondsAhead` are added to the system's clock, for tests.
  package init(
    path: String, version: String, inputs: [String], secondsAhead: Int64 = 0
  ) throws(OutputError) {
    cache = try ExtractCache(path: path, version: version, secondsAhead: secondsAhead)
    // Without sources, so that no last tally is read.
    run = CachedRun(cache, RunPlan(inputs: inputs, views: [], sources: []))
    names = Dictionary(
      grouping: try CacheFolder.entryNames(in: cache.entries.folder.extracts),
      by: { $0.prefix(64) })
  }

  /// What earlier runs remember of unchanged files.
  package var memo: any RunMemo { run }

  /// Returns the SHA-256 of a file's stored bytes, remembered or computed; `nil` when it cannot be read.
  package func sha256(of file: RecognizedFile) -> String? {
    run.storedBytes(of: file, RunProgress())?.sha256
  }

  /// Returns the start of a file's extract, `nil` if the cache has no entry of these bytes that can be trusted.
  ///
  /// An entry, however the file was read for it, shows that the file can be read to its end. One of a report whose
  /// rows were only counted does not show which report it is. That of a dump of receipts is empty.
  package func extractStart(of file: RecognizedFile, _ sha256: String) -> FileExtract? {
    let known = ExtractKey.hashes(of: file, sha256).flatMap { names[Substring($0)] ?? [] }
    var reader = ExtractReader(Registries())
    let needsRows = [.subscriber, .subscriptionEvent, .sales].contains(file.kind)
    for name in known where !name.hasSuffix(ExtractKey.chargesEnding) {
      if needsRows, name.hasSuffix(ExtractKey.countedEnding) { continue }
      guard cache.entries.open(name, about: nil, with: &reader) else { continue }
      var extract = FileExtract()
      if file.isReceiptDump { return extract }
      extract.codeStart(with: &reader)
      if reader.isValid { return extract }
    }
    return nil
  }

  /// Remembers the hashes that were computed, for the next run with the same inputs.
  package func keepHashes() { run.keepHashes() }

  package var folderPath: String { cache.folderPath }

  fileprivate var entries: CacheEntries { cache.entries }
}

/// The entries that a run with known roles of all files uses instead of the files.
package final class PlannedEntries {
  private let store: RecordedEntries
  private var entries: FileEntries

  /// Prepares to find them.
  package init(_ input: CachedInput, _ context: ReadContext) {
    store = RecordedEntries(input.entries)
    entries = FileEntries(store, context)
  }

  /// Returns the entries of a file, given its place in the run; `nil` if the run must read the file.
  package func entries(
    of file: RecognizedFile, _ index: Int, _ sha256: String
  ) -> [FileEntry]? {
    store.opened = []
    if file.isReceiptDump {
      guard entries.recallDump(file, index, sha256, add: { _, _ in }) != nil else { return nil }
    } else {
      var extract = FileExtract()
      guard entries.recall(file, index, sha256, &extract) != nil else { return nil }
    }
    return store.opened
  }
}

/// An entry outside of a cache.
package struct FileEntry: Sendable {
  package var name: String
  package var content: [UInt8]

  package init(name: String, content: [UInt8]) {
    self.name = name
    self.content = content
  }
}

/// The entries of a cache, of which those are recorded that are read; none is written, and no note made.
private final class RecordedEntries: EntryStore {
  private let cache: CacheEntries
  var opened: [FileEntry] = []

  init(_ cache: CacheEntries) { self.cache = cache }

  func open(_ name: String, about: String?, with reader: inout ExtractReader) -> Bool {
    guard cache.open(name, about: nil, with: &reader) else { return false }
    opened.append(FileEntry(name: name, content: reader.content))
    return true
  }

  func noteDamage(about: String) {}

  func keep(_ content: [UInt8], named name: String) {}
}

/// Entries from elsewhere that a cache gets all together, or not at all.
///
/// They are temporary files of the cache until ``end()``.
package final class EntryDelivery {
  private let folder: CacheFolder
  private let version: String
  /// The temporary file of each entry, by the entry's name.
  private var waiting: [String: String] = [:]

  /// Opens a cache; creates it if nothing is at the path, or an empty folder.
  package init(to path: String, version: String) throws(OutputError) {
    folder = try CacheFolder(path: path)
    self.version = version
  }

  deinit {
    for temporary in waiting.values { OutputFileSystem.removeTree(temporary) }
  }

  /// Returns whether a text can be the name of a file's entry, which is a file name: no path, and nothing hidden.
  package static func isName(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count > 65 && bytes.count <= 255
      && bytes.prefix(64).allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
      && bytes[64] == UInt8(ascii: "-")
      && bytes[65...].allSatisfy {
        0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || $0 == UInt8(ascii: "-")
      }
  }

  package func add(_ entry: FileEntry) throws(OutputError) {
    precondition(Self.isName(entry.name), "an entry is a file of the cache")
    // Two files with the same bytes have one entry.
    guard waiting[entry.name] == nil else { return }
    let (header, checksum) = CacheEntry.headerAndChecksum(
      of: entry.content, name: entry.name, version: version)
    waiting[entry.name] = try folder.writeTemporary([header, entry.content, checksum])
  }

  /// Puts all entries in their places; returns their number.
  package func end() throws(OutputError) -> Int {
    let count = waiting.count
    for (name, temporary) in waiting.sorted(by: { $0.key < $1.key }) {
      waiting[name] = nil
      try folder.move(temporary, to: folder.extracts + "/" + name)
    }
    return count
  }
}
