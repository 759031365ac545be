import Counting
import Storage
import SubscriptionModel
import Tables

/// The numbers of the explained row so far, in a fold of events or of sales.
///
/// It has no rules of its own: a row of a report adds the difference of these numbers before and after it.
struct RowCounts {
  private let row: CountedRow
  /// What the columns count, each once.
  private let counted: [Counted]
  /// The number of the fold's cohorts that were compared with the row, and the indices of those that are the row's.
  ///
  /// Several cohorts are the row's if the table prints the same text for them.
  private var comparedCohorts = 0
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

  /// The number and the money that a row of a report adds for one kind of thing that columns count.
  struct Addition {
    var counted: Counted
    var count: Int
    var price: Int128 = 0
    var proceeds: Int128 = 0

    /// Returns the number that the addition makes in a cell.
    func value(_ measure: Measure) -> Int128 {
      switch measure {
      case .count: Int128(count)
      case .price: price
      case .proceeds: proceeds
      // Reports of events and sales have neither gaps nor subscriptions with a value.
      case .rank, .value: 0
      }
    }
  }

  // MARK: Events

  /// Returns the increase of the numbers since the last call.
  mutating func additions(_ fold: borrowing EventFold) -> [Addition] {
    findCohorts(fold.cohorts)
    var additions: [Addition] = []
    for (place, counted) in counted.enumerated() {
      var count = 0
      if case .other(let fact) = counted {
        count = fold.count(fact, month: row.month)
      } else {
        for cohort in asked { count += self.count(counted, cohort, fold) }
      }
      if count != facts[place] {
        additions.append(Addition(counted: counted, count: count - facts[place]))
        facts[place] = count
      }
    }
    return additions
  }

  private func count(_ counted: Counted, _ cohort: Int, _ fold: borrowing EventFold) -> Int {
    if let (fact, month) = fact(of: counted) {
      return fold.count(fact, cohort: cohort, month: month)
    }
    guard let k = row.k else { return 0 }
    let outcomes = fold.survival(cohort: cohort, k: k)
    // An event is at risk only at its own k.
    return switch counted {
    case .atRisk: outcomes.kept + outcomes.lost
    case .kept: outcomes.kept
    case .lost: outcomes.lost
    default: 0
    }
  }

  /// Returns the fact and its month; the active subscriptions of a snapshot count for the month after its day.
  private func fact(of counted: Counted) -> (Fact, Month)? {
    switch counted {
    case .fact(let fact): (fact, row.month)
    case .activeBefore: (.snapshotActive, row.month)
    case .activeAtEnd: (.snapshotActive, row.month + 1)
    case .charge, .refund, .atRisk, .kept, .lost, .notAtRisk, .commitment, .recurring, .lifetime,
      .status, .other, .changedProduct,
      .instalment:
      nil
    }
  }

  // MARK: Sales

  /// Returns the increase of the numbers since the last call.
  mutating func additions(_ fold: borrowing SalesFold) -> [Addition] {
    guard let currency = row.currency else { return [] }
    findCohorts(fold.cohorts)
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

  /// Returns whether a cohort of the fold is the row's, whatever was added to it.
  mutating func isOfRow(_ cohort: Int?, _ cohorts: [[DimensionValue]]) -> Bool {
    findCohorts(cohorts)
    return cohort.map(asked.contains) == true
  }

  private mutating func findCohorts(_ cohorts: [[DimensionValue]]) {
    while comparedCohorts < cohorts.count {
      if row.isOfCohort(cohorts[comparedCohorts]) {
        asked.append(comparedCohorts)
        money.append(.zero)
      }
      comparedCohorts += 1
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
