import Counting
import Pipeline
import Storage
import SubscriptionModel
import Tables

/// Finds the events of one subscriber, and the cells in which each counts.
///
/// It decides nothing: the chains are those of `ChainBuilder`, and what a month counts is what ``ExplainingFold`` tells for
/// this month.
struct StoryFold: ~Copyable {
  let own: SubscriberCharges
  private(set) var history: ChainBuilder
  private let charges: KeptCharges
  private let names: Names
  /// What the months count of each period and each refund.
  private var found: [CountedCell] = []

  /// Something that a month counts, with the cells that it adds to.
  private struct CountedCell {
    let told: CountedPeriod
    let cells: [TableCell]
  }

  /// Folds the charges of a subscriber once for each month of the tables that they can be in.
  init(
    _ own: SubscriberCharges, _ cells: borrowing TableCells, _ charges: KeptCharges, _ names: Names
  ) {
    self.own = own
    self.charges = charges
    self.names = names
    let days = charges.completeness
    history = ChainBuilder(terms: own.terms, asOf: days.asOf, firstFileDay: days.firstDay)
    history.build(own.records[...])
    let first = own.records.first.map { Day(number: $0.day) } ?? days.asOf
    let last = own.records.last.map { max(Day(number: $0.day), days.asOf) } ?? days.asOf
    var month = days.monthSystem.month(of: first)
    while month <= days.monthSystem.month(of: last) {
      fold(month, cells, isDatedBySale: false)
      fold(month, cells, isDatedBySale: true)
      month = month + 1
    }
    // A chain has at most as many paid periods as periods.
    for k in 0..<(history.chains.map(\.periods.count).max() ?? 0) {
      foldRetention(k + 1, cells, days.monthSystem.month(of: first))
    }
  }

  private mutating func foldRetention(_ k: Int, _ cells: borrowing TableCells, _ month: Month) {
    var row = CountedRow(month: month, dimensions: [], filter: charges.filter) { _ in true }
    row.k = k
    var fold = ExplainingFold(
      row, [.atRisk, .kept, .lost], terms: own.terms, charges.completeness, months: charges.months)
    var told: [CountedPeriod] = []
    fold.add(history) { told.append($0) }
    for one in told {
      let own = cells.cells(one.counted, k: k)
      if !own.isEmpty { found.append(CountedCell(told: one, cells: own)) }
    }
  }

  private mutating func fold(
    _ month: Month, _ cells: borrowing TableCells, isDatedBySale: Bool
  ) {
    var row = CountedRow(month: month, dimensions: [], filter: charges.filter) { _ in true }
    row.isDatedBySale = isDatedBySale
    let refunds: Set<Counted> = [.refund(isFull: true), .refund(isFull: false)]
    var fold = ExplainingFold(
      row, isDatedBySale ? refunds : cells.counted, terms: own.terms, charges.completeness,
      months: charges.months)
    var told: [CountedPeriod] = []
    fold.add(history) { told.append($0) }
    let name = charges.completeness.monthSystem.name(month)
    for one in told {
      let datings =
        one.refund == nil ? ["sale", "refund"] : [isDatedBySale ? "sale" : "refund"]
      // Dated by sale, a refund counts in the table of refunds alone.
      let own = cells.cells(
        one.counted, month: name, datings: datings, currency: currency(of: one)
      ).filter { !isDatedBySale || $0.dating != nil }
      if !own.isEmpty { found.append(CountedCell(told: one, cells: own)) }
    }
  }

  private func currency(of told: CountedPeriod) -> String {
    let terms =
      told.refund.map { history.refunds[$0].terms } ?? told.period.map { history.periods[$0].terms }
    return terms.map { names.text(own.terms[Int($0)].proceeds.currency) } ?? ""
  }

  // MARK: Events

  /// The events of all chains, each chain in the order of time.
  var events: [StoryEvent] {
    var events: [StoryEvent] = []
    for chain in history.chains.indices {
      for period in history.chains[chain].periods {
        events.append(charge(period, chain))
        events.append(end(period, chain))
        if let gap = gap(period, chain) { events.append(gap) }
      }
    }
    for refund in history.refunds.indices { events.append(self.refund(refund)) }
    return events.sorted(by: StoryEvent.precedes)
  }

  /// The facts of a period that are about its start.
  private static let ofStart: Set<Counted> = [
    .fact(.started), .fact(.firstSeen), .fact(.converted), .fact(.reactivated), .fact(.recovered),
    .fact(.switchedIn), .activeBefore, .activeAtEnd, .charge,
  ]

  private func charge(_ place: Int, _ chain: Int) -> StoryEvent {
    let period = history.periods[place]
    var event = StoryEvent(kind: .charge, chain: chain, period: place, day: period.start)
    event.rows = [history.row(ofPeriod: place)]
    let own = found.filter {
      $0.told.period == place && $0.told.refund == nil && Self.ofStart.contains($0.told.counted)
    }
    event.cells = own.flatMap(\.cells)
    event.fact = "charge"
    event.because = beginning(place, chain, own.map(\.told))
    return event
  }

  /// Returns how a charge follows the one before it, as the facts of movement say.
  private func beginning(_ place: Int, _ chain: Int, _ told: [CountedPeriod]) -> String {
    if place == history.chains[chain].periods.lowerBound {
      switch history.chains[chain].start {
      case .known: return "the subscription begins here"
      case .before: return sentence(.fact(.firstSeen), place, chain)
      case .idReset:
        return
          "the first charge under a new subscriber id: the customer came back after 180 days or more"
      }
    }
    let facts: [Counted] = [
      .fact(.reactivated), .fact(.recovered), .fact(.converted), .fact(.switchedIn),
    ]
    let fact = facts.first { fact in told.contains { $0.counted == fact } }
    return fact.map { sentence($0, place, chain) } ?? ""
  }

  private func end(_ place: Int, _ chain: Int) -> StoryEvent {
    let period = history.periods[place]
    var event = StoryEvent(kind: .end, chain: chain, period: place, day: period.end)
    let own = found.filter {
      $0.told.period == place && $0.told.refund == nil && !Self.ofStart.contains($0.told.counted)
    }
    event.cells = own.flatMap(\.cells)
    let trials = FactSums.trials.map(Counted.fact)
    let trial = own.first { trials.contains($0.told.counted) }?.told.counted
    let contribution = contribution(trial ?? .fact(.dueRenewed), place, chain)
    event.fact = contribution.factName
    event.rows = contribution.evidence
    if period.fate == .running, period.end > charges.completeness.asOf {
      event.because =
        "it is paid or free until \(period.end); the data end on \(charges.completeness.asOf)"
    } else {
      event.because = sentence(contribution)
    }
    return event
  }

  private func gap(_ place: Int, _ chain: Int) -> StoryEvent? {
    let period = history.periods[place]
    guard period.isLapse, let days = period.gapDays, let next = period.nextStart else { return nil }
    var event = StoryEvent(kind: .gap, chain: chain, period: place, day: period.end)
    event.because = "\(days) days without a subscription, from \(period.end) to \(next)"
    return event
  }

  private func refund(_ place: Int) -> StoryEvent {
    let refund = history.refunds[place]
    var event = StoryEvent(
      kind: .refund, chain: refund.charge?.chain, period: refund.charge?.period, refund: place,
      day: refund.day)
    event.cells = found.filter { $0.told.refund == place }.flatMap(\.cells)
    let told = CountedPeriod(
      counted: .refund(isFull: refund.isFull), count: 1, key: ChainKey(start: .unknown, offer: nil),
      chain: refund.charge?.chain, period: refund.charge?.period, refund: place)
    let contribution = Contribution(told, history, subscriber: own.subscriber)
    event.fact = contribution.factName
    event.rows = [history.row(ofRefund: place)]
    event.because = sentence(contribution)
    return event
  }

  // MARK: Sentences

  private func contribution(_ counted: Counted, _ place: Int, _ chain: Int) -> Contribution {
    let told = CountedPeriod(
      counted: counted, count: 1, key: ChainKey(start: .unknown, offer: nil), chain: chain,
      period: place)
    return Contribution(told, history, subscriber: own.subscriber)
  }

  private func sentence(_ counted: Counted, _ place: Int, _ chain: Int) -> String {
    sentence(contribution(counted, place, chain))
  }

  private func sentence(_ contribution: Contribution) -> String {
    let days = charges.completeness
    return Reason(
      contribution: contribution, terms: own.terms, names: names, completeness: days,
      month: days.firstMonth
    ).sentence
  }
}
