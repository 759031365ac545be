import Counting
import Pipeline
import Storage
import SubscriptionModel

/// Folds kept charges once more on one thread, and collects the periods and refunds of a row that its cells do not
/// count.
struct LeftOutFold: CollectingFold, ~Copyable {
  private var subscribers: ExplainedSubscribers
  private(set) var lists: [ContributionList]
  private let empty: [ContributionList]
  private let columns: [(counted: Set<Counted>, considered: Considered?)]
  private let row: CountedRow
  private let completeness: Completeness
  private let terms: [ChargeTerms]

  init(
    _ row: CountedRow, _ columns: [Set<Counted>], _ empty: [ContributionList],
    _ charges: KeptCharges
  ) {
    self.columns = columns.map { ($0, Considered($0)) }
    let kinds = self.columns.reduce(into: Set<Counted>()) {
      $0.formUnion($1.counted)
      $0.formUnion($1.considered?.related ?? [])
    }
    subscribers = ExplainedSubscribers(row, kinds, charges)
    lists = empty
    self.empty = empty
    self.row = row
    completeness = charges.completeness
    terms = charges.terms
  }

  /// Returns the lists so far, and goes on with empty ones.
  mutating func takeLists() -> [ContributionList] {
    defer { lists = empty }
    return lists
  }

  mutating func add(_ parts: [ChargeStore.Partition], isUsable: [Bool]) {
    subscribers.load(parts, isUsable: isUsable)
    while let subscriber = subscribers.next() {
      let found = subscribers.found
      for (place, column) in columns.enumerated() {
        guard let considered = column.considered else { continue }
        switch considered {
        case .refunds: addRefunds(to: place, column.counted, found, subscriber)
        case .chains: addChains(to: place, column.counted, found, subscriber)
        case .instalments(let own): addInstalments(to: place, own, found, subscriber)
        default: addPeriods(to: place, considered, column.counted, found, subscriber)
        }
      }
    }
  }

  /// Adds what a column leaves out to its list.
  private mutating func leave(
    _ found: CountedPeriod, _ rule: LeftOutRule?, _ subscriber: UInt64, outOf column: Int
  ) {
    var one = Contribution(found, subscribers.history, subscriber: subscriber)
    one.leftOut = rule
    one.firstEvidence = one.evidence.min() ?? 0
    lists[column].add(one)
  }

  // MARK: Periods

  private mutating func addPeriods(
    to place: Int, _ considered: Considered, _ counted: Set<Counted>, _ found: [CountedPeriod],
    _ subscriber: UInt64
  ) {
    for chain in subscribers.history.chains.indices {
      for index in subscribers.history.chains[chain].periods {
        let period = subscribers.history.periods[index]
        guard isConsidered(period, considered) else { continue }
        let own = found.filter { $0.period == index && $0.refund == nil }
        guard !own.contains(where: { counted.contains($0.counted) }),
          let rule = rule(period, considered, own.map(\.counted)),
          let key = subscribers.fold.keyOfRow(
            terms: period.terms, ofChain: chain, subscribers.history)
        else { continue }
        let evidence: Counted =
          if case .other(let other) = rule { other } else {
            considered.isOfEnds ? .fact(.dueRenewed) : .charge
          }
        leave(
          CountedPeriod(counted: evidence, count: 1, key: key, chain: chain, period: index), rule,
          subscriber, outOf: place)
      }
    }
  }

  private func isConsidered(_ period: Period, _ considered: Considered) -> Bool {
    let months = completeness.monthSystem
    let isPaid = terms[Int(period.terms)].isPaid
    switch considered {
    case .ends: return months.month(of: period.end) == row.month
    case .endsByNextCharge:
      let next = period.fate == .continued ? period.nextStart : nil
      return months.month(of: next ?? period.end) == row.month
    case .charges, .beginnings: return months.month(of: period.start) == row.month
    case .trials: return !isPaid && months.month(of: period.start) == row.month
    case .active(let atEnd):
      let day = atEnd ? months.lastDay(of: row.month) : months.firstDay(of: row.month) - 1
      // All paid periods of the day count, so only a free one is left out.
      let end = period.nextStart.map { min($0, period.end) } ?? period.end
      return !isPaid && period.start <= day && day < end
    case .refunds, .chains, .instalments: return false
    }
  }

  /// Returns why a period does not count; `nil` if it belongs to another row.
  private func rule(
    _ period: Period, _ considered: Considered, _ found: [Counted]
  ) -> LeftOutRule? {
    let own = terms[Int(period.terms)]
    switch considered {
    case .trials: return found.first.map { .other($0) } ?? (own.kind == .trial ? nil : .noTrial)
    case .active, .refunds, .chains, .instalments: return .free
    case .charges: return own.isPaid ? .otherCurrency : .free
    case .beginnings:
      if !own.isPaid { return .free }
      return found.first(where: considered.related.contains).map { .other($0) } ?? .continuing
    case .ends, .endsByNextCharge:
      if !own.isPaid { return .free }
      let ofRenewals = considered == .ends(ofRenewals: true)
      // A renewal counts when its day has come, even if the charge came earlier.
      let isAwaited = period.isUndecided || ofRenewals && period.wasDue
      if isAwaited, period.end > completeness.asOf { return .running }
      return ofRenewals && !period.wasDue ? .notDue : .other(.fact(.dueRenewed))
    }
  }

  // MARK: Instalments

  private mutating func addInstalments(
    to place: Int, _ column: CommitmentColumn, _ found: [CountedPeriod], _ subscriber: UInt64
  ) {
    for item in found where item.counted == .instalment {
      guard let index = item.period else { continue }
      let period = subscribers.history.periods[index]
      let own = InstalmentOfRow(
        begins: completeness.monthSystem.month(of: period.start) == row.month,
        ends: completeness.monthSystem.month(of: period.end) == row.month,
        isOver: period.end <= completeness.asOf, number: period.instalment.position?.number,
        outcome: item.outcome,
        columns: Set(found.compactMap { $0.period == index ? $0.counted.commitment : nil }))
      guard let rule = own.rule(column) else { continue }
      var told = item
      told.counted = rule.toldInstalment
      leave(told, rule, subscriber, outOf: place)
    }
  }

  // MARK: Chains

  private mutating func addChains(
    to place: Int, _ counted: Set<Counted>, _ found: [CountedPeriod], _ subscriber: UInt64
  ) {
    for chain in found {
      switch chain.counted {
      case .notAtRisk:
        leave(chain, chain.notAtRisk.map { .notAtRisk($0) }, subscriber, outOf: place)
      case .kept, .lost:
        // Those at risk are kept or lost.
        guard counted.isDisjoint(with: [.atRisk, chain.counted]) else { continue }
        leave(chain, .other(chain.counted), subscriber, outOf: place)
      default: continue
      }
    }
  }

  // MARK: Refunds

  private mutating func addRefunds(
    to place: Int, _ counted: Set<Counted>, _ found: [CountedPeriod], _ subscriber: UInt64
  ) {
    for refund in found {
      guard refund.refund != nil, !counted.contains(refund.counted) else { continue }
      leave(refund, .other(refund.counted), subscriber, outOf: place)
    }
  }
}
