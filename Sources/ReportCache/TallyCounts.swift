import AppStoreReports
import Metrics
import Pipeline
import SubscriptionModel

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

/// The tally record of the last run with the same inputs and settings, while it is read in the background.
struct LastRecord: Sendable {
  typealias Opened = (record: TallyRecord, reader: ExtractReader)

  /// The registries that its numbers refer to; the run uses them too.
  let registries: Registries
  /// The record, and the reader positioned at the counts; `nil` when there is none.
  let opened: Deferred<Result<Opened?, CacheEntry.Fault>>
}

/// The tally of the last run with the same inputs and settings.
struct LastTally: Sendable {
  var record: TallyRecord
  /// The counts; `nil` if they cannot be read.
  var counts: Deferred<TallyCounts?>
}
