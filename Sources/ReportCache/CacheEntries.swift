import AppStoreReports
import Counting
import Files
import Pipeline
import PriceImpact
import Storage
import SubscriptionModel
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

  /// Returns the notes about entries since the last call, a line for each, sorted by bytes.
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

  /// Ends reading an entry, as ``open(_:in:about:with:)`` began it; returns whether it was valid and read to its end.
  func close(_ reader: inout ExtractReader, about: String?) -> Bool {
    if reader.close() { return true }
    if let about { noteFault(.damaged, about: about) }
    return false
  }

  func noteFault(_ fault: CacheEntry.Fault, about: String) {
    let note = "\(folder.path): rebuilt the entry of \(about) (\(fault.rawValue))"
    notes.withLock { $0.append(note) }
  }

  /// Whether an entry could not be written.
  var hasFailed: Bool { !canBeWritten.load(ordering: .relaxed) }

  /// Writes an entry; after a failure, no more entries are written.
  func keep(_ content: [UInt8], named name: String, in folder: String) {
    guard canBeWritten.load(ordering: .relaxed) else { return }
    let (header, checksum) = CacheEntry.headerAndChecksum(of: content, name: name, version: version)
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

/// Reads and writes the tally of the last run with the same inputs and settings.
extension CacheEntries {
  /// The tally's name in notes.
  static let aboutTally = "the last tally"

  /// Begins to read the inputs of the last run's tally on another thread, while this run lists its files.
  ///
  /// `nil` if the run uses no SUBSCRIBER reports.
  func lastTallyInputs(_ plan: RunPlan) -> LastTallyInputs? {
    guard plan.sources.contains(.subscribers) else { return nil }
    let registries = Registries()
    let opened = Deferred(jobs: plan.jobs) { [self] in
      Result { () throws(CacheEntry.Fault) -> LastTallyInputs.Opened? in
        var reader = ExtractReader(registries)
        var inputs = TallyInputs()
        guard try open(TallyInputs.name(plan), in: folder.tallies, with: &reader) else {
          return nil
        }
        inputs.code(with: &reader)
        guard reader.isValid else { throw .damaged }
        return (inputs, reader)
      }
    }
    return LastTallyInputs(registries: registries, opened: opened)
  }

  /// Waits for the inputs of the last tally; `nil` when there are none or they cannot be trusted.
  func opened(_ last: LastTallyInputs) -> LastTallyInputs.Opened? {
    switch last.opened.value() {
    case .success(let opened): return opened
    case .failure(let fault):
      noteFault(fault, about: Self.aboutTally)
      return nil
    }
  }

  /// Returns the last run's tally, and begins to read its counts on another thread.
  ///
  /// They are read while the run reads its files, even if in the end all charges must be folded.
  func lastTally(_ context: ReadContext, _ opened: LastTallyInputs.Opened) -> LastTally {
    let (inputs, reader) = opened
    let empty = context.emptyTally(.subscribers)
    let counts = Deferred(jobs: context.plan.jobs) { [self] () -> TallyCounts? in
      var reader = reader
      var counts = TallyCounts(tally: empty)
      counts.code(asOf: inputs.asOf, with: &reader)
      return close(&reader, about: Self.aboutTally) ? counts : nil
    }
    return LastTally(inputs: inputs, counts: counts)
  }

  /// Writes a run's tally.
  func keep(
    _ inputs: TallyInputs, _ counts: TallyCounts, named name: String, _ registries: Registries
  ) {
    var (inputs, counts) = (inputs, counts)
    var writer = ExtractWriter(registries)
    inputs.code(with: &writer)
    counts.code(asOf: inputs.asOf, with: &writer)
    keep(writer.bytes, named: name, in: folder.tallies)
  }

  /// Removes the last run's tally, so that the next run counts everything again.
  func removeTally(_ plan: RunPlan) {
    OutputFileSystem.removeTree(folder.tallies + "/" + TallyInputs.name(plan))
  }
}

/// The counts of SUBSCRIBER reports that a run keeps for the next one.
struct TallyCounts: Sendable {
  var tally: Tally
  /// The effects of price increases; `nil` when there is none.
  var impact: ImpactTally?

  /// Encodes all counts, or decodes them into an empty tally.
  mutating func code<Coder: ExtractCoder>(asOf: Day, with coder: inout Coder) {
    tally.code(with: &coder)
    coder.optional(&impact, blank: ImpactTally(readOn: asOf)) { $0.code(with: &$1) }
  }
}

/// The inputs of the last tally with the same files and settings, while they are read in the background.
struct LastTallyInputs: Sendable {
  typealias Opened = (inputs: TallyInputs, reader: ExtractReader)

  /// The registries that the inputs' symbols and terms refer to; the run uses them too.
  let registries: Registries
  /// The inputs, and the reader at the counts that follow; `nil` if there is no tally.
  let opened: Deferred<Result<Opened?, CacheEntry.Fault>>
}

/// The tally of the last run with the same inputs and settings.
struct LastTally: Sendable {
  var inputs: TallyInputs
  /// The counts; `nil` if they cannot be read.
  var counts: Deferred<TallyCounts?>
}
