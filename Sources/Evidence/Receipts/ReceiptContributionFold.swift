import AppStoreReports
import Counting
import Pipeline
import SubscriptionModel
import Tables
import Threads

/// Folds the customers of receipts once more on one thread, and collects the contributions to the cells of a row.
struct ReceiptContributionFold: ~Copyable {
  static let partitionCount = 256

  private var history: ReceiptHistory
  private var fold: ExplainingReceiptFold
  private(set) var lists: [ReceiptContributionList]
  private let columns: [Set<Counted>]
  private let namesCustomers: Bool
  private let rule: LeftOutRule?

  private init(
    _ row: CountedRow, _ columns: [Set<Counted>], _ empty: [ReceiptContributionList],
    _ receipts: KeptReceipts, namesCustomers: Bool, leftOutBy rule: LeftOutRule?
  ) {
    self.rule = rule
    history = ReceiptHistory(receipts.customers)
    fold = ExplainingReceiptFold(row, columns.reduce(into: []) { $0.formUnion($1) }, receipts)
    lists = empty
    self.columns = columns
    self.namesCustomers = namesCustomers
  }

  /// Returns the contributions to the cells of a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - columns: What each of its columns counts.
  ///   - empty: An empty list for each column, with the order and the number of contributions to print.
  ///   - receipts: The receipts of the run.
  ///   - namesCustomers: Whether subscriptions are named by their customers.
  ///   - rule: The rule by which another run leaves all of them out; `nil` if they count.
  ///   - jobs: The number of threads.
  /// - Returns: A list for each column.
  static func lists(
    _ row: CountedRow, _ columns: [Set<Counted>], _ empty: [ReceiptContributionList],
    _ receipts: KeptReceipts, namesCustomers: Bool, leftOutBy rule: LeftOutRule? = nil, jobs: Int
  ) -> [ReceiptContributionList] {
    let parts = Workers.run(
      count: partitionCount, jobs: jobs,
      makeState: {
        ReceiptContributionFold(
          row, columns, empty, receipts, namesCustomers: namesCustomers, leftOutBy: rule)
      },
      work: { $0.add(receipts.customers.partition($1, of: partitionCount)) },
      finish: { $0.lists })
    var merged = empty
    for part in parts { for (place, list) in part.enumerated() { merged[place].merge(list) } }
    return merged
  }

  private mutating func add(_ customers: Range<Int>) {
    for customer in customers {
      history.build(customer)
      var found: [CountedReceipt] = []
      fold.add(history) { found.append($0) }
      guard !found.isEmpty else { continue }
      let places = history.placesOfPeriods()
      let name = namesCustomers ? history.name() : nil
      for one in found {
        var contribution = ReceiptContribution(one, history, places)
        contribution.customer = name
        contribution.leftOut = rule
        for (place, counted) in columns.enumerated() where counted.contains(one.counted) {
          lists[place].add(contribution)
        }
      }
    }
  }
}

extension ReceiptContribution {
  /// Creates the contribution of a period that the fold has found.
  init(
    _ found: CountedReceipt, _ history: borrowing ReceiptHistory, _ places: [PeriodPlaces]
  ) {
    let (periods, chain) = (history.periods, history.chains[found.chain])
    self.found = found
    period = ExplainedPeriod(periods[found.period])
    asOf = chain.asOf
    own = places[found.period].charge
    first = places[chain.periods.lowerBound].charge.first ?? own[0]
    let next =
      found.replacement
      ?? chain.next(
        after: found.period, periods, toleranceSeconds: history.toleranceSeconds)
    before = found.before.map { ExplainedPeriod(periods[$0]) }
    self.next = next.map { ExplainedPeriod(periods[$0]) }
    var rows = EvidencePlaces(
      own: own, cancellation: places[found.period].cancellation,
      before: found.before.map { places[$0].charge } ?? [],
      next: next.map { places[$0].charge } ?? [],
      isNextLate: next.map { periods[$0].start > period.end } ?? false,
      reason: history.placeOfReason(ofPeriod: found.period, in: chain))
    rows.priced = found.priced.map { places[$0].charge } ?? []
    rows.outcome = found.outcome
    evidence = rows.evidence(of: found.counted, period)
  }
}

extension ReceiptChain {
  /// Returns the period that followed another one, as the fold has decided it; `nil` where nothing did.
  ///
  /// A period may be continued by one that began before it and lasts longer.
  func next(
    after index: Int, _ all: [ReceiptPeriod], toleranceSeconds: Int
  ) -> Int? {
    let period = all[index]
    let later = (index + 1)..<periods.upperBound
    // The outcome of a trial is that of the next charge, whatever its gap.
    guard period.event.isPaid, let end = period.end else { return later.first }
    switch period.fate {
    case .recovered, .reactivated:
      return later.first { all[$0].start - end == period.gapAfter }
    case .renewed, .upgraded:
      let soon = later.first { all[$0].start - end <= toleranceSeconds }
      // What replaced a period of no length may have begun before it.
      if period.isUpgraded, !period.hasNoLength {
        return soon.flatMap { abs(all[$0].start - end) <= toleranceSeconds ? $0 : nil }
      }
      return soon ?? periods.last { $0 != index && (all[$0].end ?? end) > end }
    case .none, .current, .openFinal, .openProvisional: return nil
    }
  }
}
