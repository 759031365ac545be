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
  /// - Parameters:
  ///   - path: The cache's folder.
  ///   - version: The tool's version; entries of other versions are not used.
  ///   - inputs: Files and folders. A run of `report` with the same ones remembers the hashes of their files.
  ///   - secondsAhead: Seconds added to the system's clock, for tests.
  /// - Throws: `OutputError` when the folder cannot be created or trusted: see ``CacheFolder``.
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
  /// An entry, however the file was read for it, shows that the file can be read to its end. One of a report whose rows were
  /// only counted does not show which report it is.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - sha256: The SHA-256 of its stored bytes.
  /// - Returns: The start; an empty one for a dump of receipts.
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

  /// The cache's folder.
  package var folderPath: String { cache.folderPath }

  fileprivate var entries: CacheEntries { cache.entries }
}

/// The entries that a run with known roles of all files uses instead of the files.
package final class PlannedEntries {
  private let store: RecordedEntries
  private var entries: FileEntries

  /// Prepares to find them.
  ///
  /// - Parameters:
  ///   - input: The cache.
  ///   - context: The run.
  package init(_ input: CachedInput, _ context: ReadContext) {
    store = RecordedEntries(input.entries)
    entries = FileEntries(store, context)
  }

  /// Returns the entries of a file; `nil` if the run must read the file.
  ///
  /// - Parameters:
  ///   - file: The file with its role in the run.
  ///   - index: Its place in the order of all files of the run.
  ///   - sha256: The SHA-256 of its stored bytes.
  /// - Returns: The entries.
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
