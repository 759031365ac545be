import Metrics
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

/// The tally of the last run that was asked the same.
struct LastTally: Sendable {
  var record: TallyRecord
  /// What it has counted; `nil` when nobody can tell.
  var counts: Deferred<TallyCounts?>
}
