import AppStoreReports
import Counting
import Pipeline
import SubscriptionModel
import Tables
import Threads

/// Folds the customers of receipts once more on one thread, and collects the periods and refunds of a row that its cells
/// do not count.
struct ReceiptLeftOutFold: ~Copyable {
  /// A period that a column leaves out.
  private struct LeftOut {
    let column: Int
    let found: CountedReceipt
    let rule: LeftOutRule
  }

  private(set) var history: ReceiptHistory
  private var fold: ExplainingReceiptFold
  private(set) var lists: [ReceiptContributionList]
  private let empty: [ReceiptContributionList]
  private let columns: [(counted: Set<Counted>, considered: Considered?)]
  private let row: CountedRow
  private let months: MonthSystem
  private let namesCustomers: Bool

  init(
    _ row: CountedRow, _ columns: [Set<Counted>], _ empty: [ReceiptContributionList],
    _ receipts: KeptReceipts, namesCustomers: Bool
  ) {
    self.columns = columns.map { ($0, Considered($0)) }
    let kinds = self.columns.reduce(into: Set<Counted>()) {
      $0.formUnion($1.counted)
      $0.formUnion($1.considered?.related ?? [])
    }
    history = ReceiptHistory(receipts.customers)
    fold = ExplainingReceiptFold(row, kinds, receipts)
    lists = empty
    self.empty = empty
    self.row = row
    months = receipts.completeness.monthSystem
    self.namesCustomers = namesCustomers
  }

  /// Returns what the cells of a row leave out.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - columns: What each of its columns counts.
  ///   - empty: An empty list for each column, with the order and the number of contributions to print.
  ///   - receipts: The receipts of the run.
  ///   - namesCustomers: Whether subscriptions are named by their customers.
  ///   - jobs: The number of threads.
  /// - Returns: A list for each column.
  static func lists(
    _ row: CountedRow, _ columns: [Set<Counted>], _ empty: [ReceiptContributionList],
    _ receipts: KeptReceipts, namesCustomers: Bool, jobs: Int
  ) -> [ReceiptContributionList] {
    let count = ReceiptContributionFold.partitionCount
    let parts = Workers.run(
      count: count, jobs: jobs,
      makeState: {
        ReceiptLeftOutFold(row, columns, empty, receipts, namesCustomers: namesCustomers)
      },
      work: { fold, part in
        for customer in receipts.customers.partition(part, of: count) { fold.add(customer) }
      },
      finish: { $0.lists })
    var merged = empty
    for part in parts { for (place, list) in part.enumerated() { merged[place].merge(list) } }
    return merged
  }

  /// Returns the lists so far, and goes on with empty ones.
  mutating func takeLists() -> [ReceiptContributionList] {
    defer { lists = empty }
    return lists
  }

  /// Adds what the cells leave out of one customer.
  mutating func add(_ customer: Int) {
    history.build(customer)
    var found: [CountedReceipt] = []
    fold.add(history) { found.append($0) }
    var periods: [CountedReceipt] = []
    fold.forEachPeriodOfRow(history) { periods.append($0) }
    var leftOut: [LeftOut] = []
    for (place, column) in columns.enumerated() {
      switch column.considered {
      case nil: continue
      case .chains: addChains(place, column.counted, found, &leftOut)
      case .instalments(let own): addInstalments(place, own, found, &leftOut)
      case let considered?:
        for period in periods {
          add(period, place, considered, column.counted, found, &leftOut)
        }
      }
    }
    guard !leftOut.isEmpty else { return }
    let places = history.placesOfPeriods()
    let name = namesCustomers ? history.name() : nil
    for one in leftOut {
      var contribution = ReceiptContribution(one.found, history, places)
      (contribution.customer, contribution.number) = (name, customer)
      contribution.leftOut = one.rule
      lists[one.column].add(contribution)
    }
  }

  // MARK: Periods

  private func add(
    _ item: CountedReceipt, _ column: Int, _ considered: Considered, _ counted: Set<Counted>,
    _ found: [CountedReceipt], _ leftOut: inout [LeftOut]
  ) {
    let own = found.filter { $0.chain == item.chain && $0.period == item.period }
    guard isConsidered(item, considered), !own.contains(where: { counted.contains($0.counted) }),
      let rule = rule(item, considered, own.map(\.counted), counted, found)
    else { return }
    // The fact of another column has more words: the period before it, or its amount.
    var told = own.first { .other($0.counted) == rule } ?? item
    if case .other(let other) = rule {
      told.counted = other
    } else if considered.isOfEnds {
      told.counted = .fact(history.periods[item.period].isLapse ? .lapseOpenFinal : .dueRenewed)
    } else if considered == .refunds {
      told.counted = .refund(isFull: true)
    }
    leftOut.append(LeftOut(column: column, found: told, rule: rule))
  }

  private func end(_ period: ReceiptPeriod) -> Instant { period.end ?? period.start }

  /// Returns the month of the change for a period that another charge continues.
  private func nextStart(_ item: CountedReceipt) -> Instant? {
    let period = history.periods[item.period]
    guard period.fate == .renewed || period.fate == .upgraded else { return nil }
    let next = history.chains[item.chain].next(
      after: item.period, history.periods, toleranceSeconds: history.toleranceSeconds)
    // An older period that goes on is no new charge.
    return next.map { history.periods[$0].start }.flatMap { $0 < period.start ? nil : $0 }
  }

  private func month(_ instant: Instant) -> Month { months.month(of: instant.day) }

  private func isConsidered(_ item: CountedReceipt, _ considered: Considered) -> Bool {
    let period = history.periods[item.period]
    switch considered {
    case .ends: return month(end(period)) == row.month
    case .endsByNextCharge: return month(nextStart(item) ?? end(period)) == row.month
    case .charges, .beginnings: return month(period.start) == row.month
    case .trials: return !period.event.isPaid && month(period.start) == row.month
    case .active(let atEnd):
      let after = atEnd ? row.month + 1 : row.month
      return month(period.start) < after && month(end(period)) >= after
    case .refunds:
      guard let cancellation = period.event.cancellation else { return false }
      return month(row.isDatedBySale ? period.start : cancellation) == row.month
    case .chains, .instalments: return false
    }
  }

  /// Returns why a period does not count; `nil` if its subscription counts with another period.
  private func rule(
    _ item: CountedReceipt, _ considered: Considered, _ own: [Counted], _ counted: Set<Counted>,
    _ found: [CountedReceipt]
  ) -> LeftOutRule? {
    let (period, chain) = (history.periods[item.period], history.chains[item.chain])
    guard chain.isInRates else { return .shared }
    let isPaid = period.event.isPaid
    switch considered {
    case .trials:
      return own.first { considered.related.contains($0) }.map { .other($0) } ?? .noTrial
    case .active:
      if isPaid { return .otherPeriod }
      // A subscription that another period of the day makes active is not left out.
      let counts = found.contains { $0.chain == item.chain && counted.contains($0.counted) }
      return counts ? nil : .free
    case .refunds:
      if let other = own.first(where: considered.related.contains) { return .other(other) }
      if period.refund == .revoked { return .revoked }
      if period.refund == nil { return period.isUpgraded ? .upgrade : nil }
      return isPaid ? .otherCurrency : .free
    case .chains, .instalments: return nil
    case .charges: return isPaid ? .otherCurrency : .free
    case .beginnings:
      if !isPaid { return .free }
      return own.first(where: considered.related.contains).map { .other($0) } ?? .continuing
    case .ends, .endsByNextCharge:
      if !isPaid { return .free }
      let ofRenewals = considered == .ends(ofRenewals: true)
      // A renewal counts when its time has come, even if the charge came earlier.
      let isAwaited = period.fate == .current || ofRenewals && period.wasDue
      if isAwaited, end(period) > chain.asOf { return .running }
      if ofRenewals, !period.wasDue { return .notDue }
      return .other(.fact(period.isLapse ? .lapseOpenFinal : .dueRenewed))
    }
  }

  // MARK: Instalments

  private func addInstalments(
    _ place: Int, _ column: CommitmentColumn, _ found: [CountedReceipt],
    _ leftOut: inout [LeftOut]
  ) {
    for item in found where item.counted == .instalment {
      let period = history.periods[item.period]
      let columns = found.compactMap { other in
        other.period == item.period ? other.counted.commitment : nil
      }
      let own = InstalmentOfRow(
        begins: month(period.start) == row.month, ends: month(end(period)) == row.month,
        isOver: end(period) <= history.chains[item.chain].asOf,
        number: period.position?.number, outcome: item.outcome, columns: Set(columns))
      guard let rule = own.rule(column) else { continue }
      var told = item
      told.counted = rule.toldInstalment
      leftOut.append(LeftOut(column: place, found: told, rule: rule))
    }
  }

  // MARK: Chains

  private func addChains(
    _ column: Int, _ counted: Set<Counted>, _ found: [CountedReceipt],
    _ leftOut: inout [LeftOut]
  ) {
    for item in found {
      switch item.counted {
      case .notAtRisk:
        let rule = item.notAtRisk.map { LeftOutRule.notAtRisk($0) } ?? .shared
        leftOut.append(LeftOut(column: column, found: item, rule: rule))
      case .kept, .lost:
        // Those at risk are kept or lost.
        guard counted.isDisjoint(with: [.atRisk, item.counted]) else { continue }
        leftOut.append(LeftOut(column: column, found: item, rule: .other(item.counted)))
      default: continue
      }
    }
  }
}
