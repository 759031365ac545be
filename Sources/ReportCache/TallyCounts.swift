import AppStoreReports
import Metrics
import Pipeline
import SubscriptionModel

/// What a run has counted from SUBSCRIBER reports.
struct TallyCounts: Sendable {
  var tally: Tally
  /// What increases of prices did; `nil` when there is none.
  var impact: ImpactTally?

  /// Codes all of it; reading begins with an empty tally.
  mutating func code<Coder: ExtractCoder>(asOf: Day, with coder: inout Coder) {
    tally.code(with: &coder)
    coder.optional(&impact, blank: ImpactTally(readOn: asOf)) { $0.code(with: &$1) }
  }
}

/// From what the last run counted that was asked the same, while it is read.
struct LastRecord: Sendable {
  typealias Opened = (record: TallyRecord, reader: ExtractReader)

  /// What its numbers are of; the run's own.
  let registries: Registries
  /// The record, and the reader that goes on with the counts; `nil` when there is none.
  let opened: Deferred<Result<Opened?, CacheEntry.Fault>>
}

/// The tally of the last run that was asked the same.
struct LastTally: Sendable {
  var record: TallyRecord
  /// What it has counted; `nil` when nobody can tell.
  var counts: Deferred<TallyCounts?>
}
