import AppStoreReports
import Counting
import Files
import Pipeline
import PriceImpact
import Storage
import SubscriptionModel

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
