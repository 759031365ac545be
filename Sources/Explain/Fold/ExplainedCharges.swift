import Counting
import Pipeline
import Storage
import SubscriptionModel

extension KeptCharges: ExplainedSource {
  var partCount: Int { ChargeStore.partitionCount }

  func customers(
    _ row: CountedRow, _ counted: Set<Counted>, named: Bool
  ) -> ExplainedSubscribers {
    ExplainedSubscribers(row, counted, self)
  }

  static var hasGapsInHundredths: Bool { false }

  func lines(
    of shown: some Sequence<Contribution>, _ naming: CustomerTable.Naming?, jobs: Int
  ) throws -> LinesOfRows {
    var last = LastRows()
    for contribution in shown {
      for row in contribution.evidence { last.insert(row) }
      if naming == nil { last.insert(contribution.rows.first) }
    }
    return try lines(upTo: last)
  }

  func name(
    of contribution: Contribution, _ lines: LinesOfRows,
    _ naming: CustomerTable.Naming?
  ) -> String {
    name(of: contribution.subscriber, first: contribution.rows.first, lines, naming)
  }

  func attributes(of contribution: Contribution) -> Attributes {
    terms[Int(contribution.terms)].attributes
  }

  func reason(of contribution: Contribution, _ names: Names, _ month: Month) -> Reason {
    Reason(contribution, terms: terms, names: names, completeness, month: month)
  }
}

extension Contribution: ExplainedContribution {
  var startText: String? { period?.start.description }
  var endText: String? { period?.end.description }
}

/// The subscribers of kept charges.
final class ExplainedSubscribers: ExplainedCustomers {
  /// The chains of the current subscriber.
  private(set) var history: ChainBuilder
  private(set) var found: [CountedPeriod] = []
  /// The key of the current subscriber.
  private(set) var subscriber: UInt64 = 0
  private var fold: ExplainingFold<ChainFold>
  private var sort = SubscriberSort()
  let charges: KeptCharges
  /// For each of the terms, whether subscribers with a charge of them are needed; `nil` if all are.
  var isConcerned: [Bool]?
  private let row: CountedRow

  init(_ row: CountedRow, _ counted: Set<Counted>, _ charges: KeptCharges) {
    (self.row, self.charges) = (row, charges)
    history = ChainBuilder(charges.terms, charges.completeness)
    fold = ExplainingFold(
      row, counted, terms: charges.terms, charges.completeness, months: charges.months)
  }

  func load(part: Int) {
    sort.load(charges.bins.take(part).flatMap(\.chunks), isUsable: charges.isUsable)
  }

  /// Takes the records of one subscriber.
  func load(_ records: [ChargeRecord]) { sort.load([records], isUsable: charges.isUsable) }

  func next() -> Bool {
    guard var records = sort.nextSubscriber() else { return false }
    if let isConcerned {
      while !records.contains(where: { isConcerned[Int($0.terms)] }) {
        guard let next = sort.nextSubscriber() else { return false }
        records = next
      }
    }
    subscriber = records[records.startIndex].subscriber
    // They are in the order of their days.
    if let lastDay = charges.lastDay { records = records.prefix { $0.day <= lastDay.number } }
    history.build(records)
    var found: [CountedPeriod] = []
    fold.add(history) { found.append($0) }
    self.found = found
    return true
  }

  func contribution(_ found: CountedPeriod, leftOutBy rule: LeftOutRule?) -> Contribution {
    var one = Contribution(found, history, subscriber: subscriber)
    one.leftOut = rule
    one.firstEvidence = one.evidence.min() ?? 0
    return one
  }

  // MARK: What columns leave out

  func leftOut(
    _ considered: Considered, _ counted: Set<Counted>
  ) -> [(found: CountedPeriod, rule: LeftOutRule)] {
    if considered == .refunds {
      return found.filter { $0.refund != nil && !counted.contains($0.counted) }
        .map { ($0, .other($0.counted)) }
    }
    var leftOut: [(found: CountedPeriod, rule: LeftOutRule)] = []
    for chain in history.chains.indices {
      for index in history.chains[chain].periods {
        let period = history.periods[index]
        guard isConsidered(period, considered) else { continue }
        let own = found.filter { $0.period == index && $0.refund == nil }
        guard !own.contains(where: { counted.contains($0.counted) }),
          let rule = rule(period, considered, own.map(\.counted)),
          let key = fold.keyOfRow(terms: period.terms, ofChain: chain, history)
        else { continue }
        let evidence: Counted =
          if case .other(let other) = rule { other } else {
            considered.isOfEnds ? .fact(.dueRenewed) : .charge
          }
        var told = CountedPeriod(counted: evidence, chain: chain, period: index)
        told.key = key
        leftOut.append((told, rule))
      }
    }
    return leftOut
  }

  func instalment(_ item: CountedPeriod) -> InstalmentOfRow {
    let period = history.periods[item.place.period]
    let months = charges.completeness.monthSystem
    return InstalmentOfRow(
      begins: months.month(of: period.start) == row.month,
      ends: months.month(of: period.end) == row.month,
      isOver: period.end <= charges.completeness.asOf,
      number: period.instalment.position?.number, outcome: item.outcome,
      columns: Set(found.compactMap { $0.period == item.period ? $0.counted.commitment : nil }))
  }

  private func isPaid(_ period: Period) -> Bool { charges.terms[Int(period.terms)].isPaid }

  private func isConsidered(_ period: Period, _ considered: Considered) -> Bool {
    let months = charges.completeness.monthSystem
    switch considered {
    case .ends: return months.month(of: period.end) == row.month
    case .endsByNextCharge:
      let next = period.fate == .continued ? period.nextStart : nil
      return months.month(of: next ?? period.end) == row.month
    case .charges, .beginnings: return months.month(of: period.start) == row.month
    case .trials: return !isPaid(period) && months.month(of: period.start) == row.month
    case .active(let atEnd):
      let day = atEnd ? months.lastDay(of: row.month) : months.firstDay(of: row.month) - 1
      // All paid periods of the day count, so only a free one is left out.
      let end = period.nextStart.map { min($0, period.end) } ?? period.end
      return !isPaid(period) && period.start <= day && day < end
    case .refunds, .chains, .instalments: return false
    }
  }

  /// Returns why a period does not count; `nil` if it belongs to another row.
  private func rule(
    _ period: Period, _ considered: Considered, _ found: [Counted]
  ) -> LeftOutRule? {
    switch considered {
    case .trials:
      let isTrial = charges.terms[Int(period.terms)].kind == .trial
      return found.first.map { .other($0) } ?? (isTrial ? nil : .noTrial)
    case .active, .refunds, .chains, .instalments: return .free
    case .charges: return isPaid(period) ? .otherCurrency : .free
    case .beginnings:
      if !isPaid(period) { return .free }
      return found.first(where: considered.related.contains).map { .other($0) } ?? .continuing
    case .ends, .endsByNextCharge:
      if !isPaid(period) { return .free }
      let ofRenewals = considered == .ends(ofRenewals: true)
      // A renewal counts when its day has come, even if the charge came earlier.
      let isAwaited = period.isUndecided || ofRenewals && period.wasDue
      if isAwaited, period.end > charges.completeness.asOf { return .running }
      return ofRenewals && !period.wasDue ? .notDue : .other(.fact(.dueRenewed))
    }
  }
}

extension Contribution {
  /// Creates the contribution of a period or a refund that the fold has found.
  init(_ found: CountedPeriod, _ history: borrowing ChainBuilder, subscriber: UInt64) {
    counted = found.counted
    count = found.count
    price = found.price
    proceeds = found.proceeds
    key = found.key
    outcome = found.outcome
    self.subscriber = subscriber
    terms = 0
    if let refund = found.refund {
      terms = history.refunds[refund].terms
      refundDay = history.refunds[refund].day
      rows.refund = history.row(ofRefund: refund)
      rows.first = rows.refund
    }
    guard let place = found.period, let chain = found.chain else { return }
    let (period, own) = (history.periods[place], history.chains[chain].periods)
    self.period = period
    terms = period.terms
    rows.own = history.row(ofPeriod: place)
    rows.first = history.row(ofPeriod: own.lowerBound)
    if place > own.lowerBound {
      before = history.periods[place - 1]
      rows.before = history.row(ofPeriod: place - 1)
    }
    if place + 1 < own.upperBound {
      nextTerms = history.periods[place + 1].terms
      rows.next = history.row(ofPeriod: place + 1)
    }
    if found.refund == nil, period.ending == .refunded {
      let refund = history.refunds.firstIndex { $0.isFull && $0.charge?.period == place }
      if let refund { rows.refund = history.row(ofRefund: refund) }
    }
  }
}
