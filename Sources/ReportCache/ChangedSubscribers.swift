import AppStoreReports
import Metrics
import Pipeline
import SubscriptionModel

/// The last tally, minus the changed subscribers' old counts, plus their new counts.
struct ChangedSubscribers: ChangedTally {
  let result: SubscriberFold.Result
  private let change: TallyChange
  private let parts: TallyChange.Parts

  init(_ change: TallyChange, _ parts: TallyChange.Parts) {
    self.change = change
    self.parts = parts
    result = change.result(parts)
  }

  var changedSubscribers: Int { parts.subscriberCount }

  var planned: PlannedTerms { parts.planned }

  func prices(
    of report: SourceReport, _ fold: PriceFold, _ terms: [ChargeTerms]
  ) -> PriceFold.Part? {
    change.part(of: report, fold, parts, terms)
  }
}
