import Counting
import Pipeline
import Storage
import SubscriptionModel
import Tables

/// Finds the events of one subscriber, and the cells in which each counts.
///
/// It has no rules of its own: the chains are those of `ChainBuilder`, and ``ExplainingFold`` finds the periods and
/// refunds that a month counts.
struct StoryFold: ~Copyable {
  let own: SubscriberCharges
  private(set) var history: ChainBuilder
  private let charges: KeptCharges
  private let names: Names
  /// What a month counts of each period; one is listed for each month and kind.
  private var ofPeriods: [Int: [CountedCell]] = [:]
  /// What a month counts of each refund, likewise.
  private var ofRefunds: [Int: [CountedCell]] = [:]
  /// The cells of price increases, by the period at whose end the subscription counts there.
  private var ofIncreases: [Int: [TableCell]] = [:]

  /// A period or refund that a month counts, with the cells that it adds to.
  private struct CountedCell {
    let item: CountedPeriod
    let cells: [TableCell]
  }

  /// Folds the charges of a subscriber once for each month from the first charge to the end of the data.
  init(
    _ own: SubscriberCharges, _ cells: borrowing TableCells, _ increases: ImpactCells,
    _ charges: KeptCharges, _ names: Names
  ) {
    self.own = own
    self.charges = charges
    self.names = names
    let days = charges.completeness
    history = ChainBuilder(own.terms, days)
    history.build(own.records[...])
    let first = own.records.first.map { Day(number: $0.day) } ?? days.asOf
    let last = own.records.last.map { max(Day(number: $0.day), days.asOf) } ?? days.asOf
    var month = days.monthSystem.month(of: first)
    while month <= days.monthSystem.month(of: last) {
      fold(month, cells, isDatedBySale: false)
      fold(month, cells, isDatedBySale: true)
      month = month + 1
    }
    foldRetention(cells, days.monthSystem.month(of: first))
    fold(increases)
  }

  private mutating func add(_ item: CountedPeriod, _ cells: [TableCell]) {
    guard !cells.isEmpty else { return }
    let one = CountedCell(item: item, cells: cells)
    if let refund = item.refund {
      ofRefunds[refund, default: []].append(one)
    } else if let period = item.period {
      ofPeriods[period, default: []].append(one)
    }
  }

  private mutating func fold(_ increases: ImpactCells) {
    var priced = PricedChains(charges.completeness, capacity: own.records.count)
    priced.append(history, own.terms)
    var chains: [PricedChain] = []
    priced.forEach { chains.append($0) }
    for (number, chain) in chains.enumerated() {
      let periods = chain.periods(ofChain: number, history)
      for one in increases.counted(chain, own.terms) {
        ofIncreases[periods[one.charge], default: []] += one.cells
      }
    }
  }

  private mutating func foldRetention(_ cells: borrowing TableCells, _ month: Month) {
    var row = CountedRow(month: month, dimensions: [], filter: charges.filter) { _ in true }
    (row.k, row.lastK) = (1, .max)
    var fold = ExplainingFold(
      row, [.atRisk, .kept, .lost], terms: own.terms, charges.completeness, months: charges.months)
    var items: [CountedPeriod] = []
    fold.add(history) { items.append($0) }
    for item in items { add(item, cells.cells(item.counted, k: item.k ?? 1)) }
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
    var items: [CountedPeriod] = []
    fold.add(history) { items.append($0) }
    let name = charges.completeness.monthSystem.name(month)
    for item in items {
      let datings =
        item.refund == nil ? ["sale", "refund"] : [isDatedBySale ? "sale" : "refund"]
      // Dated by sale, a refund counts in the table of refunds alone.
      let own = cells.cells(
        item.counted, month: name, datings: datings, currency: currency(of: item)
      ).filter { !isDatedBySale || $0.dating != nil }
      add(item, own)
    }
  }

  private func currency(of item: CountedPeriod) -> String {
    if let currency = item.currency { return names.text(currency) }
    let terms =
      item.refund.map { history.refunds[$0].terms } ?? item.period.map { history.periods[$0].terms }
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
    .fact(.switchedIn), .activeBefore, .activeAtEnd, .charge, .commitment(.running),
    .commitment(.positionUnknown), .commitment(.remaining), .commitment(.termsStarted),
  ]

  private func charge(_ place: Int, _ chain: Int) -> StoryEvent {
    let period = history.periods[place]
    var event = StoryEvent(kind: .charge, chain: chain, period: place, day: period.start)
    event.rows = [history.row(ofPeriod: place)]
    let own = (ofPeriods[place] ?? []).filter { Self.ofStart.contains($0.item.counted) }
    event.cells = own.flatMap(\.cells)
    event.fact = "charge"
    event.because = beginning(place, chain, own.map(\.item))
    return event
  }

  /// Returns how a charge follows the one before it, by the facts of movement.
  private func beginning(_ place: Int, _ chain: Int, _ items: [CountedPeriod]) -> String {
    if place == history.chains[chain].periods.lowerBound {
      switch history.chains[chain].start {
      case .known: return "the subscription begins here"
      case .before: return fact(.fact(.firstSeen), place, chain).because
      case .idReset:
        return
          "the first charge under a new subscriber id: the customer came back after 180 days or more"
      }
    }
    let facts: [Counted] = [
      .fact(.reactivated), .fact(.recovered), .fact(.converted), .fact(.switchedIn),
    ]
    let arrival = facts.first { fact in items.contains { $0.counted == fact } }
    return arrival.map { fact($0, place, chain).because } ?? ""
  }

  private func end(_ place: Int, _ chain: Int) -> StoryEvent {
    let period = history.periods[place]
    var event = StoryEvent(kind: .end, chain: chain, period: place, day: period.end)
    let own = (ofPeriods[place] ?? []).filter { !Self.ofStart.contains($0.item.counted) }
    event.cells = own.flatMap(\.cells) + (ofIncreases[place] ?? [])
    let trials = FactSums.trials.map(Counted.fact)
    let trial = own.first { trials.contains($0.item.counted) }?.item.counted
    let fact = fact(trial ?? .fact(.dueRenewed), place, chain)
    event.fact = fact.name
    event.rows = fact.rows
    if period.fate == .running, period.end > charges.completeness.asOf {
      event.because =
        "it is \(self.own.terms[Int(period.terms)].isPaid ? "paid" : "free") until \(period.end); the data end on \(charges.completeness.asOf)"
    } else {
      event.because = fact.because
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
    event.cells = (ofRefunds[place] ?? []).flatMap(\.cells)
    var item = CountedPeriod(
      counted: .refund(isFull: refund.isFull), chain: refund.charge?.chain,
      period: refund.charge?.period)
    item.refund = place
    let fact = fact(item)
    event.fact = fact.name
    event.rows = [history.row(ofRefund: place)]
    event.because = fact.because
    return event
  }

  // MARK: Facts

  private func fact(_ counted: Counted, _ place: Int, _ chain: Int) -> ReasonedFact<UInt64> {
    fact(CountedPeriod(counted: counted, chain: chain, period: place))
  }

  private func fact(_ item: CountedPeriod) -> ReasonedFact<UInt64> {
    charges.fact(item, history, subscriber: own.subscriber, terms: own.terms, names)
  }
}
