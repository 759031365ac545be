import AppStoreReports
package import Metrics
import SubscriptionModel

/// From the charges of SUBSCRIBER reports to what their chains say.
extension RunAssembly {
  /// The chains of SUBSCRIBER reports for a second pass.
  enum SubscriberChains {
    /// The chains of all subscribers.
    case kept([PricedChains])
    /// The charges of all subscribers: their chains have no room in memory.
    case unsorted(PartitionBins)
    /// The chains of changed subscribers: those with a row in a report that came or went since the last run.
    case changed(any ChangedTally)

    /// How many subscribers have changed since the last run; `nil` when all were folded.
    var changedSubscribers: Int? {
      if case .changed(let tally) = self { tally.changedSubscribers } else { nil }
    }
  }

  /// Returns what the chains of all subscribers say; `nil` when no report was read to its end.
  mutating func foldAllChains() -> FoldedChains? {
    guard context.plan.sources.contains(.subscribers),
      let completeness = completeness(of: .subscribers)
    else { return nil }
    let hasSpilled = stores.contains(where: \.hasSpilled)
    let arePriced = context.plan.prices != nil
    let bins = PartitionBins(stores, keeps: hasSpilled && arePriced)
    stores = []
    let isUsable = reports.map(\.isUsed)
    let signs = InstalmentSearch.signs(bins, isUsable: isUsable, context, completeness)
    let planned = PlannedTerms(signs, asOf: completeness.asOf, context)
    let result = PartitionFold.result(
      bins, isUsable: isUsable, context, completeness, planned.terms,
      keepsChains: arePriced && !hasSpilled)
    chains = hasSpilled ? .unsorted(bins) : .kept(result.chains)
    return FoldedChains(result, completeness, planned)
  }

  /// Changes the last tally into this run's; `nil` when there is none, or it cannot be done.
  mutating func changeLastTally() -> FoldedChains? {
    guard let completeness = completeness(of: .subscribers),
      let changed = context.memo?.changedTally(reports, completeness, stores, context)
    else { return nil }
    chains = .changed(changed)
    return FoldedChains(changed.result, completeness, changed.planned)
  }

  /// Reads all charges when some were left out because the last tally has them: it cannot be changed into this run's.
  ///
  /// What a file says now replaces what it said before, in case it has changed. Charges that were read are read again,
  /// so that all of them together keep to the limit of memory.
  mutating func readChargesLeftOut() {
    guard let memo = context.memo, memo.stopLeavingOut() else { return }
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

  /// Goes through the chains of SUBSCRIBER reports once more, for prices.
  ///
  /// - Parameters:
  ///   - report: The source with its changes of prices.
  ///   - fold: What to add them to.
  ///   - terms: The terms of charges, with their plans.
  ///   - needsAll: Is set when only the chains of changed subscribers are there, and prices need all.
  /// - Returns: What the chains say; `nil` when there are none, or all are needed.
  func foldPrices(
    of report: SourceReport, with fold: PriceFold, _ terms: [ChargeTerms], _ needsAll: inout Bool
  ) -> PriceFold.Part? {
    switch chains {
    case .kept(let chains): return fold.part(chains, terms, jobs: context.plan.jobs)
    case .unsorted(let bins):
      let isUsable = reports.map(\.isUsed)
      return .merged(
        Workers.run(
          count: ChargeStore.partitionCount, jobs: context.plan.jobs,
          makeState: { PartitionPriceFold(fold, terms: terms, report.completeness) },
          work: { $0.add(bins.take($1), isUsable: isUsable) }, finish: { $0.result() }))
    case .changed(let tally):
      let part = tally.prices(of: report, fold, terms)
      if part == nil { needsAll = true }
      return part
    }
  }
}

/// What the chains of all subscribers say.
package struct FoldedChains {
  package var tally: Tally
  /// Which days of SUBSCRIBER reports are there.
  package var completeness: Completeness
  /// How many subscribers there are.
  package var subscriberCount: Int
  /// What increases of prices did; `nil` when there is none.
  package var impact: ImpactTally?
  /// Which charges were taken for instalments.
  package let planned: PlannedTerms

  init(_ result: SubscriberFold.Result, _ completeness: Completeness, _ planned: PlannedTerms) {
    self.planned = planned
    tally = result.tally
    self.completeness = completeness
    subscriberCount = result.subscriberCount
  }
}
