import Storage
package import SubscriptionModel

/// Counts of facts by cohort and month.
///
/// The counts of one cohort and month are a *cell*. Finding a cell takes two array reads, because a
/// run adds tens of millions of facts. A cell without facts takes four bytes.
package struct FactGrid: Sendable {
  /// The first month that can hold facts.
  package let firstMonth: Month
  /// The number of months that can hold facts; facts of other months are dropped.
  package let monthCount: Int
  /// The first and last month with facts; `nil` if there are no facts.
  package private(set) var usedMonths: ClosedRange<Month>?
  /// Whether facts were dropped because their month is outside the grid.
  package private(set) var hasDroppedFacts = false
  /// The number of each cell with facts, by cohort and then month; -1 for a cell without facts.
  private var cellOf: [Int32] = []
  /// The counts of the cells with facts, one after another, each in the order of `Fact`.
  private var counts: [Int] = []

  /// Creates an empty grid for the first to the last month.
  package init(months: ClosedRange<Month>) {
    firstMonth = months.lowerBound
    monthCount = months.upperBound - months.lowerBound + 1
  }

  package mutating func add(_ count: Int, _ fact: Fact, cohort: Int, month: Month) {
    let offset = month - firstMonth
    guard offset >= 0, offset < monthCount else {
      hasDroppedFacts = true
      return
    }
    let index = cohort * monthCount + offset
    if index >= cellOf.count { cellOf.extend(to: (cohort + 1) * monthCount, with: -1) }
    var cell = Int(cellOf[index])
    if cell < 0 {
      cell = counts.count
      counts.append(contentsOf: repeatElement(0, count: Fact.count))
      cellOf[index] = Int32(cell / Fact.count)
      let used = usedMonths ?? month...month
      usedMonths = min(used.lowerBound, month)...max(used.upperBound, month)
    } else {
      cell *= Fact.count
    }
    counts[cell + fact.rawValue] += count
  }

  /// Returns a count; 0 where nothing was added, and outside the months of the grid.
  package func count(_ fact: Fact, cohort: Int, month: Month) -> Int {
    guard let cell = cell(cohort: cohort, month: month) else { return 0 }
    return counts[cell + fact.rawValue]
  }

  /// Returns the index of a cell's first count; `nil` if it has no facts or lies outside the grid.
  private func cell(cohort: Int, month: Month) -> Int? {
    let offset = month - firstMonth
    let index = cohort * monthCount + offset
    guard offset >= 0, offset < monthCount, index < cellOf.count, cellOf[index] >= 0 else {
      return nil
    }
    return Int(cellOf[index]) * Fact.count
  }

  /// Adds every count of another grid of the same months, or subtracts it; `cohorts` has its cohorts' indices here.
  mutating func merge(_ other: FactGrid, cohorts: [Int], _ sign: MergeSign = .plus) {
    precondition(other.firstMonth == firstMonth && other.monthCount == monthCount, "same months")
    hasDroppedFacts = hasDroppedFacts || other.hasDroppedFacts
    for (cohort, target) in cohorts.enumerated() {
      for offset in 0..<monthCount {
        let month = firstMonth + offset
        guard let cell = other.cell(cohort: cohort, month: month) else { continue }
        for fact in Fact.allCases where other.counts[cell + fact.rawValue] != 0 {
          add(sign.factor * other.counts[cell + fact.rawValue], fact, cohort: target, month: month)
        }
      }
    }
  }

  /// Writes or reads every count other than 0.
  mutating func code<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    var entries: [(cohort: Int, month: Month, fact: Int, count: Int)] = []
    for cohort in 0..<cohorts {
      for month in (0..<monthCount).map({ firstMonth + $0 }) {
        guard let cell = cell(cohort: cohort, month: month) else { continue }
        for fact in 0..<Fact.count where counts[cell + fact] != 0 {
          entries.append((cohort, month, fact, counts[cell + fact]))
        }
      }
    }
    coder.list(&entries, blank: (0, firstMonth, 0, 0)) { entry, coder in
      coder.integer(&entry.cohort)
      coder.month(&entry.month)
      coder.integer(&entry.fact)
      coder.count(&entry.count)
    }
    guard coder.isReading else { return }
    self = FactGrid(months: firstMonth...firstMonth + (monthCount - 1))
    for entry in entries {
      guard (0..<cohorts).contains(entry.cohort), let fact = Fact(rawValue: entry.fact) else {
        return coder.fail()
      }
      add(entry.count, fact, cohort: entry.cohort, month: entry.month)
    }
  }
}

/// Something that happened to a subscription and that tables count.
///
/// Folds derive facts from each source, and every table is a sum of facts. A new source needs a new fold; a new
/// table needs a new sum.
package enum Fact: Int, CaseIterable, Sendable, BitwiseCopyable {
  // Changes of the number of active chains, dated one month later: a chain that becomes active in March is first
  // counted on the last day before April.
  case becameActive, stoppedBeingActive
  /// Active chains on the last day before the month, from a snapshot.
  case snapshotActive

  // Lapses of paid periods, dated by the period's end.
  case lapseRecovered, lapseReactivated, lapseOpenFinal, lapseOpenProvisional
  // Lapses that were not recovered, by reason.
  case churnedVoluntary, churnedBilling, churnedPrice, churnedRefund, churnedRemoved, churnedOther
  case churnedUnknown
  /// Final churn whose renewal was not due, except churn by a refund.
  ///
  /// These are instalments before the last of their term, or of unknown position.
  case churnedInTerm
  /// A paid period that ended at most 2 days before as-of and has no next charge.
  case endedAtEdge

  // Renewals that were due.
  case dueRenewed, dueRecovered, dueLapsed, duePending

  // Flows into and out of the paid chains.
  case started, firstSeen, converted, reactivated, recovered, switchedIn, enteredRetry, switchedOut

  // Trials, by their start.
  case trialConverted, trialNotConverted, trialPending

  // Free periods that begin or cease to cover the days of a chain without a paid one: METRICS.md 11.4.
  case freeTrialBegan, freeTrialEnded, freeOfferBegan, freeOfferEnded
  // Chains of receipts without a period at the end of the month.
  case inGrace, inBillingRetry, isSuspended, isUnresolved

  static func churned(_ reason: LapseReason) -> Fact {
    switch reason {
    case .voluntary: .churnedVoluntary
    case .billing: .churnedBilling
    case .price: .churnedPrice
    case .refund: .churnedRefund
    case .removed: .churnedRemoved
    case .other: .churnedOther
    case .unknown: .churnedUnknown
    }
  }

  static let count = Fact.isUnresolved.rawValue + 1
}
