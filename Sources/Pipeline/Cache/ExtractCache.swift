import Synchronization

/// Keeps what each input file says between runs, so that a run reads only files that are new.
///
/// An entry that is damaged, foreign or of another version is made anew, with a note. A cache that cannot be
/// written to costs a note and nothing else.
public final class ExtractCache: Sendable {
  private struct State {
    var notes: [String] = []
    var cannotBeWritten = false
  }

  let folder: CacheFolder
  let version: String
  private let state = Mutex(State())

  /// Opens a cache, and makes one where there is nothing or an empty folder.
  ///
  /// - Parameters:
  ///   - path: The cache's folder.
  ///   - version: The tool's version: entries of others are not used.
  /// - Throws: ``OutputError/notACache(path:)``, ``OutputError/notAFolder(path:)``,
  ///   ``OutputError/noParent(path:)`` or ``OutputError/system(operation:path:number:)``.
  public init(path: String, version: String) throws(OutputError) {
    folder = try CacheFolder(path: path)
    self.version = version
  }

  /// What happened to entries, in the order of its bytes: one line for each that was made anew.
  public var notes: [String] {
    state.withLock { $0.notes }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Looks for an entry.
  ///
  /// - Parameters:
  ///   - key: What it is the extract of.
  ///   - file: The file's path, for notes.
  /// - Returns: The entry's bytes and where the extract is in them; `nil` when there is none to trust.
  func entry(of key: ExtractKey, file: String) -> (bytes: [UInt8], extract: Range<Int>)? {
    guard let bytes = OutputFileSystem.contents(of: path(of: key)) else { return nil }
    do throws(CacheEntry.Fault) {
      return (bytes, try CacheEntry.extract(in: bytes, name: key.name, version: version))
    } catch {
      noteFault(error, file: file)
      return nil
    }
  }

  /// Notes that an entry is made anew.
  func noteFault(_ fault: CacheEntry.Fault, file: String) {
    let note = "\(folder.path): made the entry of \(file) anew: \(fault.rawValue)"
    state.withLock { $0.notes.append(note) }
  }

  /// Keeps an extract.
  func keep(_ extract: [UInt8], of key: ExtractKey) {
    guard !state.withLock(\.cannotBeWritten) else { return }
    let bytes = CacheEntry.bytes(of: extract, name: key.name, version: version)
    do throws(OutputError) {
      try folder.write(bytes, to: path(of: key))
    } catch {
      state.withLock { state in
        if !state.cannotBeWritten {
          state.notes.append("\(error.path): not written: \(error.message)")
        }
        state.cannotBeWritten = true
      }
    }
  }

  private func path(of key: ExtractKey) -> String { folder.extracts + "/" + key.name }
}
