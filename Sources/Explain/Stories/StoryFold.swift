import Counting
import Pipeline
import Storage
import SubscriptionModel
import Tables

/// Finds the events of a customer's subscriptions, and the cells in which each counts.
///
/// It has no rules of its own: ``ExplainingFold`` has found all that tables count, with its month and its period.
struct StoryFold<Source: ExplainedSource> {
  typealias Row = Source.Row

  /// An event, by the indices of its period and its refund.
  private struct Place: Hashable {
    let kind: StoryKind
    let period: Int?
    let refund: Int?
  }

  private let customers: Source.Customers
  private let source: Source
  private let names: Names
  /// What tables count of each event, and where.
  private var found: [Place: (items: [CountedPeriod], cells: [TableCell])] = [:]
  private let increases: [Int: [TableCell]]

  /// Takes the current customer, with all months counted: see ``ExplainedSource/storyRow(_:)``.
  init(
    _ customers: Source.Customers, _ cells: borrowing TableCells, _ increases: ImpactCells,
    _ source: Source, _ names: Names
  ) {
    (self.customers, self.source, self.names) = (customers, source, names)
    self.increases = customers.pricedSubscriptions.reduce(into: [:]) {
      $0.merge(increases.cells(of: $1), uniquingKeysWith: +)
    }
    for item in customers.found { add(item, self.cells(of: item, cells)) }
  }

  private mutating func add(_ item: CountedPeriod, _ cells: [TableCell]) {
    guard !cells.isEmpty else { return }
    let kind: StoryKind =
      if case .refund = item.counted { .refund } else {
        item.counted.isOfStart ? .charge : .end
      }
    let place = Place(kind: kind, period: item.period, refund: item.refund)
    var own = found[place] ?? ([], [])
    own.items.append(item)
    // The cells of a charge of receipts come before those of the facts about it.
    let isFirst = Source.isOfReceipts && item.counted == .charge
    own.cells = isFirst ? cells + own.cells : own.cells + cells
    found[place] = own
  }

  private func cells(of item: CountedPeriod, _ cells: borrowing TableCells) -> [TableCell] {
    if let k = item.k { return cells.cells(item.counted, k: k) }
    guard let month = item.month else { return [] }
    let currency =
      item.currency
      ?? customers.period(item.place.period, ofChain: item.place.chain)
      .explained.value.proceeds.currency
    return cells.cells(
      item, month: source.completeness.monthSystem.name(month), currency: names.text(currency))
  }

  // MARK: Events

  /// The events of each chain in the order of time; by `nil` those that belong to no chain.
  var events: [Int?: [StoryEvent<Row>]] {
    var events = customers.refunds.map(refund)
    for (chain, periods) in customers.periodsOfChains.enumerated() {
      for index in periods {
        let period = customers.period(index, ofChain: chain)
        events.append(charge(period, chain, isFirst: index == periods.lowerBound))
        if let end = end(period, chain) { events.append(end) }
        if let gap = gap(period, chain) { events.append(gap) }
      }
    }
    return Dictionary(grouping: events.sorted(by: StoryEvent.precedes), by: \.chain)
  }

  /// Returns an event with all but its fact.
  private func event(
    _ kind: StoryKind, _ item: CountedPeriod, _ period: StoryPeriod?, on instant: Instant?
  ) -> StoryEvent<Row> {
    var event = StoryEvent<Row>(kind: kind, chain: item.chain, period: period, instant: instant)
    event.charge = customers.charge(of: item)
    event.cells = found[place(kind, item)]?.cells ?? []
    return event
  }

  private func place(_ kind: StoryKind, _ item: CountedPeriod) -> Place {
    Place(kind: kind, period: item.period, refund: item.refund)
  }

  private func charge(_ period: StoryPeriod, _ chain: Int, isFirst: Bool) -> StoryEvent<Row> {
    let item = CountedPeriod(counted: .charge, chain: chain, period: period.index)
    var event = event(.charge, item, period, on: period.explained.start)
    event.fact = "charge"
    event.rows = customers.contribution(item, leftOutBy: nil).evidence
    if isFirst {
      let first = CountedPeriod(counted: .fact(.firstSeen), chain: chain, period: period.index)
      event.because = customers.beginning(ofChain: chain) ?? fact(first).reason.sentence
      return event
    }
    let arrivals: [Counted] = [
      .fact(.reactivated), .fact(.recovered), .fact(.converted), .fact(.switchedIn),
    ]
    let own = found[place(.charge, item)]?.items ?? []
    let arrival = arrivals.lazy.compactMap { fact in own.first { $0.counted == fact } }.first
    event.because = arrival.map { fact($0).reason.sentence } ?? ""
    return event
  }

  private func end(_ period: StoryPeriod, _ chain: Int) -> StoryEvent<Row>? {
    guard let end = period.end else { return nil }
    var item = CountedPeriod(counted: .fact(.dueRenewed), chain: chain, period: period.index)
    var event = event(.end, item, period, on: end)
    event.cells += increases[period.index] ?? []
    let trials = FactSums.trials.map(Counted.fact)
    let own = found[place(.end, item)]?.items.lazy.map(\.counted)
    let isLapse = period.explained.isLapse
    item.counted =
      own?.first(where: trials.contains) ?? .fact(isLapse ? .lapseOpenFinal : .dueRenewed)
    let (reason, rows) = fact(item)
    (event.fact, event.rows) = (reason.factName, rows)
    event.because =
      period.isRunning
      ? "it is \(period.explained.isPaid ? "paid" : "free") until \(end.day); \(reason.endOfData)"
      : reason.sentence
    return event
  }

  private func gap(_ period: StoryPeriod, _ chain: Int) -> StoryEvent<Row>? {
    guard let end = period.end, let next = period.backOn else { return nil }
    let item = CountedPeriod(counted: .charge, chain: chain, period: period.index)
    var event = event(.gap, item, period, on: end)
    event.because = "\(next - end.day) days without a subscription, from \(end.day) to \(next)"
    return event
  }

  private func refund(_ item: CountedPeriod) -> StoryEvent<Row> {
    let period = item.period.flatMap { index in
      item.chain.map { customers.period(index, ofChain: $0) }
    }
    let (instant, rows) = customers.refund(item)
    var event = event(.refund, item, period, on: instant)
    let reason = fact(item).reason
    (event.fact, event.because, event.rows) = (reason.factName, reason.sentence, rows)
    return event
  }

  // MARK: Facts

  /// Returns the words about a fact, and the rows that it rests on.
  private func fact(_ item: CountedPeriod) -> (reason: Reason, rows: [Row]) {
    let one = customers.contribution(item, leftOutBy: nil)
    return (source.reason(of: one, names, source.completeness.firstMonth), one.evidence)
  }
}

extension ExplainedSource {
  /// All rows of the tables of the whole population, in some months.
  func storyRow(_ months: ClosedRange<Month>) -> CountedRow {
    var row = CountedRow(month: months.lowerBound, dimensions: [], filter: filter) { _ in true }
    row.lastMonth = months.upperBound
    row.isOfBothDatings = true
    (row.k, row.lastK) = (1, .max)
    return row
  }
}

extension Counted {
  /// Whether it is about the start of its period.
  fileprivate var isOfStart: Bool {
    switch self {
    case .fact(.started), .fact(.firstSeen), .fact(.converted), .fact(.reactivated),
      .fact(.recovered), .fact(.switchedIn), .activeBefore, .activeAtEnd, .charge,
      .commitment(.running), .commitment(.positionUnknown), .commitment(.remaining),
      .commitment(.termsStarted), .lifetime:
      true
    case .recurring(let column):
      ![.churned, .enteredRetry, .switchedOut].contains(column)
    case .status(let state):
      ![.grace, .billingRetry, .suspended, .unresolved].contains(state)
    default: false
    }
  }
}

/// Something that happened to a subscription, or a row that does not count.
struct StoryEvent<Row: Comparable> {
  let kind: StoryKind
  /// The index of the chain; `nil` for a refund without a charge, and for a row that does not count.
  var chain: Int?
  var period: StoryPeriod?
  /// The charge, or the refund of it; `nil` for a row that does not count.
  var charge: StoryCharge?
  var instant: Instant?
  /// The fact by its name, such as `lapse open final`.
  var fact = ""
  /// Why, in one sentence.
  var because = ""
  var cells: [TableCell] = []
  var rows: [Row] = []

  /// Returns whether an event comes before another: by time; at the same time, period by period.
  static func precedes(_ left: Self, _ right: Self) -> Bool {
    left.place == right.place
      ? left.rows.lexicographicallyPrecedes(right.rows)
      : left.place.lexicographicallyPrecedes(right.place)
  }

  private var place: [Int] {
    [
      instant.map { Int($0.seconds) } ?? .max, period?.index ?? .max,
      StoryKind.allCases.firstIndex(of: kind) ?? 0,
    ]
  }
}

/// The kind of an event; those of one period have this order.
enum StoryKind: String, CaseIterable {
  case charge, refund
  /// A period ended, or runs.
  case end
  /// Days without a paid or free period.
  case gap
  case ignored
}

/// The purchase of an event, or the refund.
struct StoryCharge {
  let attributes: Attributes
  let kind: ChargeKind
  let isPaid: Bool
  /// The customer's price in milliunits; `nil` if it is not known.
  let price: Int64?
  let currency: Symbol
}

/// A period of a subscription.
struct StoryPeriod {
  /// The index in the history of the customer.
  let index: Int
  let explained: ExplainedPeriod
  /// The actual end, and the one that was bought; `nil` if it is not known.
  let end: Instant?
  let boughtEnd: Instant?
  /// Whether it still runs when the data end.
  let isRunning: Bool
  /// Whether a change to another product cut it short, in receipts.
  let isCutByUpgrade: Bool
  /// The day of the next charge after a lapse; `nil` without one.
  let backOn: Day?
}
