import Files
import Storage
import Synchronization

/// Reads and writes the entries of a cache, for all threads.
///
/// A damaged or foreign entry, or one of another version, is rebuilt with a note. If the cache cannot be written
/// to, the run goes on with a note.
final class CacheEntries: Sendable {
  let folder: CacheFolder
  let version: String
  private let notes = Locked<[String]>([])
  private let canBeWritten = Atomic(true)

  init(_ folder: CacheFolder, version: String) {
    self.folder = folder
    self.version = version
  }

  /// Returns the notes about entries since the last call.
  ///
  /// - Returns: One line for each note, sorted by bytes.
  func takeNotes() -> [String] {
    let taken = notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
    return taken.sorted { $0.precedes($1) }
  }

  /// Begins to read an entry, if there is one that can be trusted: the reader is then at the start of its content.
  ///
  /// `about` is the entry's subject, for notes; `nil` for no note, where it is not rebuilt now.
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

  /// Begins to read an entry, if there is one; throws the fault of an entry that cannot be trusted.
  func open(
    _ name: String, in folder: String, with reader: inout ExtractReader
  ) throws(CacheEntry.Fault) -> Bool {
    try reader.open(folder + "/" + name) { bytes throws(CacheEntry.Fault) in
      try CacheEntry.content(in: bytes, name: name, version: version)
    }
  }

  /// Ends reading an entry.
  ///
  /// See ``open(_:in:about:with:)``.
  ///
  /// - Returns: Whether it was valid and read to its end.
  func close(_ reader: inout ExtractReader, about: String?) -> Bool {
    if reader.close() { return true }
    if let about { noteFault(.damaged, about: about) }
    return false
  }

  /// Adds a note that an entry is rebuilt.
  func noteFault(_ fault: CacheEntry.Fault, about: String) {
    let note = "\(folder.path): rebuilt the entry of \(about) (\(fault.rawValue))"
    notes.withLock { $0.append(note) }
  }

  /// Whether an entry could not be written.
  var hasFailed: Bool { !canBeWritten.load(ordering: .relaxed) }

  /// Writes an entry; after a failure, no more entries are written.
  func keep(_ content: [UInt8], named name: String, in folder: String) {
    guard canBeWritten.load(ordering: .relaxed) else { return }
    let (header, checksum) = CacheEntry.headerAndChecksum(
      of: content, name: name, version: version)
    do throws(OutputError) {
      try self.folder.write([header, content, checksum], to: folder + "/" + name)
    } catch {
      guard canBeWritten.exchange(false, ordering: .relaxed) else { return }
      notes.withLock { $0.append("\(error.path): not written: \(error.message)") }
    }
  }
}

/// The entries of files are those of the folder of extracts.
extension CacheEntries: EntryStore {
  func open(_ name: String, about: String?, with reader: inout ExtractReader) -> Bool {
    open(name, in: folder.extracts, about: about, with: &reader)
  }

  func noteDamage(about: String) { noteFault(.damaged, about: about) }

  func keep(_ content: [UInt8], named name: String) {
    keep(content, named: name, in: folder.extracts)
  }
}
