import Pipeline
import Scanning
import Synchronization

/// Reads and writes the entries of a cache, for all threads.
///
/// An entry that is damaged, foreign or of another version is made anew, with a note. A cache that cannot be
/// written to costs a note and nothing else.
final class CacheEntries: Sendable {
  let folder: CacheFolder
  let version: String
  private let notes = Locked<[String]>([])
  private let canBeWritten = Atomic(true)

  init(_ folder: CacheFolder, version: String) {
    self.folder = folder
    self.version = version
  }

  /// Returns what was wrong with entries since it was asked last.
  ///
  /// - Returns: One line each, sorted by bytes.
  func takeNotes() -> [String] {
    let taken = notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
    return taken.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Begins to read an entry.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - folder: The folder of such entries.
  ///   - about: What it is about, for notes; `nil` when it is not made anew.
  ///   - reader: Reads it.
  /// - Returns: Whether there is one to trust.
  func open(
    _ name: String, in folder: String, about: String?, with reader: inout ExtractReader
  ) -> Bool {
    do throws(CacheEntry.Fault) {
      return try open(name, in: folder, with: &reader)
    } catch {
      if let about { noteFault(error, about: about) }
      return false
    }
  }

  /// Begins to read an entry.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - folder: The folder of such entries.
  ///   - reader: Reads it.
  /// - Returns: Whether there is one.
  /// - Throws: Why it is not to be trusted.
  func open(
    _ name: String, in folder: String, with reader: inout ExtractReader
  ) throws(CacheEntry.Fault) -> Bool {
    try reader.open(folder + "/" + name) { bytes throws(CacheEntry.Fault) in
      try CacheEntry.extract(in: bytes, name: name, version: version)
    }
  }

  /// Ends reading an entry.
  ///
  /// - Parameters:
  ///   - reader: What has read it.
  ///   - about: What it is about, for notes; `nil` when it is not made anew.
  /// - Returns: Whether what was read made sense.
  func close(_ reader: inout ExtractReader, about: String?) -> Bool {
    if reader.close() { return true }
    if let about { noteFault(.damaged, about: about) }
    return false
  }

  /// Notes that an entry is made anew.
  func noteFault(_ fault: CacheEntry.Fault, about: String) {
    let note = "\(folder.path): made the entry of \(about) anew: \(fault.rawValue)"
    notes.withLock { $0.append(note) }
  }

  /// Keeps an extract.
  func keep(_ extract: [UInt8], named name: String, in folder: String) {
    guard canBeWritten.load(ordering: .relaxed) else { return }
    let ends = CacheEntry.ends(of: extract, name: name, version: version)
    do throws(OutputError) {
      try self.folder.write([ends.header, extract, ends.checksum], to: folder + "/" + name)
    } catch {
      guard canBeWritten.exchange(false, ordering: .relaxed) else { return }
      notes.withLock { $0.append("\(error.path): not written: \(error.message)") }
    }
  }
}
