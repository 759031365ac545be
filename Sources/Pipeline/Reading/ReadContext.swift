package import AppStoreReports
package import Counting
import Files
package import SubscriptionModel
import Tables

/// The constant values that all reading threads share.
package struct ReadContext: Sendable {
  package let plan: RunPlan
  package let survey: Survey
  package let registries: Registries
  package let progress: RunProgress
  let filter: Filter
  /// The number of charges each thread may hold in memory; `nil` for no limit.
  let memory: ChargeStore.Limit?
  /// The indices of files that a second thread reads ahead.
  let filesReadAhead: Set<Int>
  /// The store for receipts until all are read.
  package let receipts: SharedReceiptStore
  /// The results kept from earlier runs and for later ones; `nil` for none.
  let memo: (any RunMemo)?
  /// Whether the tally of SUBSCRIBER reports is kept for later days.
  package let keepsTally: Bool

  /// Returns the last day on which the tally of SUBSCRIBER reports may be settled.
  ///
  /// That is as-of, or any later day if the tally is kept.
  package func lastDay(_ completeness: Completeness) -> Day {
    keepsTally ? .last : completeness.asOf
  }

  package func emptyTally(_ source: Source, months: ClosedRange<Month>? = nil) -> Tally {
    var tally = Tally(
      source: source, views: plan.views, retentionViews: plan.retentionViews, filter: filter,
      months: months ?? survey.months, monthSystem: plan.monthSystem,
      hasMoney: plan.countsMoney, hasOthers: plan.countsOthers)
    if plan.prices != nil, source.hasStandardPrices { tally.prices = PriceTally(filter: filter) }
    return tally
  }

  /// Returns an empty tally of SUBSCRIBER chains with all terms of charges registered.
  ///
  /// To register them in each fold would take as long as folding hundreds of subscribers.
  package func emptyTally(_ terms: [ChargeTerms]) -> Tally {
    var tally = emptyTally(.subscribers)
    tally.prices?.learn(terms)
    return tally
  }
}

extension ReadContext {
  /// Creates the context of one step of a run that is divided among processes.
  ///
  /// `memo` has the results of earlier steps, and the place for those of this one; `nil` for neither.
  package init(
    ofStep plan: RunPlan, _ survey: Survey, _ registries: Registries, _ memo: (any RunMemo)?
  ) {
    var plan = plan
    plan.collectsValues = !plan.filters.isEmpty
    self.init(
      plan: plan, survey: survey, registries: registries, progress: RunProgress(),
      filter: Filter(plan.filters, registries),
      memory: plan.memory.map { ChargeStore.Limit($0, jobs: plan.jobs) }, filesReadAhead: [],
      receipts: SharedReceiptStore(jobs: plan.jobs, feeds: survey.files.map(\.feed)), memo: memo,
      keepsTally: false)
  }

  /// The context for reading files once more: without the cache, without a progress bar, and with a store for receipts
  /// that is thrown away.
  var forReadingAgain: ReadContext {
    ReadContext(
      plan: plan, survey: survey, registries: registries, progress: RunProgress(), filter: filter,
      memory: nil, filesReadAhead: filesReadAhead, receipts: SharedReceiptStore(jobs: 1), memo: nil,
      keepsTally: false)
  }

  /// An empty store for charges, within the run's limit of memory.
  package var emptyStore: ChargeStore { ChargeStore(memory) }

  init(_ plan: RunPlan, _ survey: Survey, _ memo: (any RunMemo)?, _ progress: RunProgress) {
    // A run whose as-of cuts off rows neither uses nor keeps a tally: the next run needs all rows.
    let keepsTally =
      memo != nil && plan.sources.contains(.subscribers) && survey.cutoff[.subscribers] == nil
    let registries = memo?.registries(keepsTally: keepsTally) ?? Registries()
    self.init(
      plan: plan, survey: survey, registries: registries, progress: progress,
      filter: Filter(plan.filters, registries),
      memory: plan.memory.map { ChargeStore.Limit($0, jobs: plan.jobs) },
      filesReadAhead: LargeFiles.readAhead(
        survey.files.map { $0.isToBeUsed ? $0.file.byteCount : 0 }, jobs: plan.jobs),
      receipts: SharedReceiptStore(jobs: plan.jobs, feeds: survey.files.map(\.feed)), memo: memo,
      keepsTally: keepsTally)
  }
}

/// The results of one thread, to be merged with those of the others.
struct ReadResult: Sendable {
  var charges: ChargeStore
  var events: Tally
  var sales: Tally
  /// The money in daily SALES reports, read when there are finance files to reconcile.
  var finance = FinanceData()
  var financeFiles: [FinanceFile] = []
  var names = NameTrackers()
  var notifications: [NotificationPlace] = []
  /// The responses ignored because they are after as-of.
  var laterReceipts = LaterReceipts()
  var snapshots = Snapshots()
  var linesOfDumpRows: [DumpRow: Int] = [:]
  var reports: [(index: Int, report: FileReport)] = []
  /// The terms of recalled charges, by file; collected for filters.
  ///
  /// For recalled charges, ``names`` has only the names of products and apps.
  var recalledTerms: [(index: Int, terms: [UInt32])] = []
}

/// Chooses the files read on two threads: one reads and inflates, the other takes the rows.
///
/// Small files end soon, so for a moment one thread more than the number of jobs may run. Passing
/// text back and forth between two threads cost up to a third of the time on two cores.
package enum LargeFiles {
  /// The minimum size: some 40 ms of work, compared to which starting a thread costs nothing.
  package static let leastByteCount = 1 << 20

  /// Returns the files, given by their stored sizes, that get a second thread, by their indices.
  ///
  /// These are the largest files, one for each thread in excess of the number of large files. The threads of small
  /// files run beside them.
  package static func readAhead(_ byteCounts: [Int], jobs: Int) -> Set<Int> {
    let large = byteCounts.indices.filter { byteCounts[$0] >= leastByteCount }
    let largestFirst = large.sorted { byteCounts[$0] > byteCounts[$1] }
    return Set(largestFirst.prefix(max(0, jobs - large.count)))
  }
}
