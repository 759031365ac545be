import Counting
import Storage
import SubscriptionModel
import Tables

/// What the asked row of a table counts so far, as a fold of events or of sales has it.
///
/// It decides nothing: the difference before and after a row of a report is what the row adds.
struct RowCounts {
  private let row: CountedRow
  /// What the columns count, each once.
  private let counted: [Counted]
  /// The number of the fold's cohorts that are known, and those of them that are the row's: at most one, or several of the same text.
  private var knownCohorts = 0
  private var asked: [Int] = []
  /// The numbers so far, in the order of ``counted``.
  private var facts: [Int]
  /// The money so far of each cohort of ``asked``.
  private var money: [MoneyCell] = []

  init(_ row: CountedRow, _ counted: Set<Counted>) {
    self.row = row
    self.counted = Array(counted)
    facts = Array(repeating: 0, count: counted.count)
  }

  /// What a row of a report adds to one of the things that columns count.
  struct Addition {
    var counted: Counted
    var count: Int
    var price: Int128 = 0
    var proceeds: Int128 = 0

    /// Returns what it adds to a cell.
    func value(_ measure: Measure) -> Int128 {
      switch measure {
      case .count: Int128(count)
      case .price: price
      case .proceeds: proceeds
      // Reports of events and sales have no gaps.
      case .rank: 0
      }
    }
  }

  // MARK: Events

  /// Returns what the fold counts more than the last time.
  mutating func additions(_ fold: borrowing EventFold) -> [Addition] {
    learn(fold.cohorts)
    var additions: [Addition] = []
    for (place, counted) in counted.enumerated() {
      guard let (fact, month) = fact(of: counted) else { continue }
      var count = 0
      for cohort in asked {
        count += fold.count(fact, cohort: cohort, month: month)
      }
      if count != facts[place] {
        additions.append(Addition(counted: counted, count: count - facts[place]))
        facts[place] = count
      }
    }
    return additions
  }

  /// Returns the fact and its month; the active subscriptions of a snapshot count for the month after its day.
  private func fact(of counted: Counted) -> (Fact, Month)? {
    switch counted {
    case .fact(let fact): (fact, row.month)
    case .activeBefore: (.snapshotActive, row.month)
    case .activeAtEnd: (.snapshotActive, row.month + 1)
    case .charge, .refund, .atRisk, .kept, .lost: nil
    }
  }

  // MARK: Sales

  /// Returns what the fold counts more than the last time.
  mutating func additions(_ fold: borrowing SalesFold) -> [Addition] {
    guard let currency = row.currency else { return [] }
    learn(fold.cohorts)
    var additions: [Addition] = []
    for (place, cohort) in asked.enumerated() {
      let now = fold.money(cohort: cohort, currency: currency, month: row.month)
      additions += Self.additions(now, money[place])
      money[place] = now
    }
    return additions
  }

  private static func additions(_ money: MoneyCell, _ before: MoneyCell) -> [Addition] {
    var additions: [Addition] = []
    let charges = money.charges.count - before.charges.count
    if charges != 0 {
      additions.append(
        Addition(counted: .charge, count: charges, more: money.charges.sum, before.charges.sum))
    }
    let (refunds, refundsBefore) = (money.byRefund, before.byRefund)
    let (full, partial) = (
      refunds.full - refundsBefore.full, refunds.partial - refundsBefore.partial
    )
    if full != 0 || partial != 0 {
      additions.append(
        Addition(
          counted: .refund(isFull: full != 0), count: full + partial, more: refunds.sum,
          refundsBefore.sum))
    }
    return additions
  }

  // MARK: Cohorts

  private mutating func learn(_ cohorts: [[DimensionValue]]) {
    while knownCohorts < cohorts.count {
      if row.isOfCohort(cohorts[knownCohorts]) {
        asked.append(knownCohorts)
        money.append(.zero)
      }
      knownCohorts += 1
    }
  }
}

extension RowCounts.Addition {
  /// Creates the difference of two sums of money.
  fileprivate init(counted: Counted, count: Int, more: PricedSum, _ before: PricedSum) {
    self.init(
      counted: counted, count: count, price: more.price - before.price,
      proceeds: more.proceeds - before.proceeds)
  }
}
