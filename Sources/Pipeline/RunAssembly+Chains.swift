import AppStoreReports
package import Counting
package import PriceImpact
import Storage
import SubscriptionModel

/// Folds the charges of SUBSCRIBER reports into chains.
extension RunAssembly {
  /// The chains of SUBSCRIBER reports, kept for the second pass over prices.
  enum SubscriberChains {
    case kept([PricedChains])
    /// The charges of all subscribers, unsorted: the chains do not fit in memory.
    case unsorted(PartitionBins)
    /// The chains of changed subscribers: those with a row in a report added or removed since the last run.
    case changed(any UpdatedTally)

    /// The number of subscribers changed since the last run; `nil` when all were folded.
    var changedSubscribers: Int? {
      if case .changed(let tally) = self { tally.changedSubscribers } else { nil }
    }
  }

  /// Returns the folded chains of all subscribers; `nil` when no report was read to its end.
  mutating func foldAllChains() -> FoldedChains? {
    guard context.plan.sources.contains(.subscribers),
      let completeness = completeness(of: .subscribers)
    else { return nil }
    let hasSpilled = stores.contains(where: \.hasSpilled)
    let arePriced = context.plan.prices != nil
    let keepsCharges = context.plan.keepsCharges
    let bins = PartitionBins(stores, keeps: hasSpilled && arePriced || keepsCharges)
    stores = []
    let isUsable = reports.map(\.isUsed)
    let evidence = InstalmentSearch.evidence(bins, isUsable: isUsable, context, completeness)
    let termsWithPlans = TermsWithPlans(evidence, asOf: completeness.asOf, context)
    let result = PartitionFold.result(
      bins, isUsable: isUsable, context, completeness, termsWithPlans.terms,
      keepsChains: arePriced && !hasSpilled)
    chains = hasSpilled ? .unsorted(bins) : .kept(result.chains)
    if keepsCharges { keepCharges(bins, completeness, termsWithPlans) }
    return FoldedChains(result, completeness, termsWithPlans)
  }

  private mutating func keepCharges(
    _ bins: PartitionBins, _ completeness: Completeness, _ termsWithPlans: TermsWithPlans
  ) {
    keptCharges = KeptCharges(
      bins: bins, reports, completeness: completeness, terms: termsWithPlans.terms, context)
  }

  /// Updates the last run's tally to this run's; `nil` when there is none, or it cannot be updated.
  mutating func updateLastTally() -> FoldedChains? {
    guard let completeness = completeness(of: .subscribers),
      let changed = context.memo?.updatedTally(reports, completeness, stores, context)
    else { return nil }
    chains = .changed(changed)
    if context.plan.keepsCharges {
      let bins = PartitionBins(stores, keeps: true)
      keepCharges(bins, completeness, changed.termsWithPlans)
    }
    return FoldedChains(changed.result, completeness, changed.termsWithPlans)
  }

  /// Reads all charges if some were skipped for the last tally, but that tally cannot be updated.
  ///
  /// The new report of a file replaces the earlier one, in case the file has changed meanwhile. Charges already
  /// read are read again, so that all of them together stay within the memory limit.
  mutating func readSkippedCharges() {
    guard let memo = context.memo, memo.stopSkippingCharges() else { return }
    stores = []
    chains = .kept([])
    let files = reports.indices.filter { reports[$0].kind == .subscriber && reports[$0].isUsed }
    let results = Workers.run(
      count: files.count, jobs: context.plan.jobs, makeState: { [context] in FileReader(context) },
      work: { $0.read(files[$1]) }, finish: { $0.finish() })
    for (index, report) in results.flatMap(\.reports) { reports[index] = report }
    names += results.map(\.names)
    stores = results.map(\.charges)
    recalledTerms += results.flatMap(\.recalledTerms)
  }

  /// Goes through the chains of SUBSCRIBER reports a second time, for prices; `nil` when there are no chains, or all
  /// are needed.
  ///
  /// `needsAll` is set when only the chains of changed subscribers are available, but prices need all.
  func foldPrices(
    of prices: PriceReport, with fold: PriceFold, _ terms: [ChargeTerms], _ needsAll: inout Bool
  ) -> PriceFold.Part? {
    switch chains {
    case .kept(let chains): return fold.part(chains, terms, jobs: context.plan.jobs)
    case .unsorted(let bins):
      return fold.part(
        bins, isUsable: reports.map(\.isUsed), terms, prices.report.completeness,
        jobs: context.plan.jobs)
    case .changed(let tally):
      let part = tally.prices(of: prices, fold, terms)
      if part == nil { needsAll = true }
      return part
    }
  }
}

/// The folded chains of all subscribers.
package struct FoldedChains {
  package var tally: Tally
  /// The days on which SUBSCRIBER reports are present.
  package var completeness: Completeness
  package var subscriberCount: Int
  /// The effect of price increases; `nil` when there are none.
  package var impact: ImpactTally?
  /// The terms of all charges, with the plans that decide which charges are instalments.
  package let termsWithPlans: TermsWithPlans

  init(
    _ result: SubscriberFold.Result, _ completeness: Completeness, _ termsWithPlans: TermsWithPlans
  ) {
    self.termsWithPlans = termsWithPlans
    tally = result.tally
    self.completeness = completeness
    subscriberCount = result.subscriberCount
  }
}
