import AppStoreReports
import Counting
import Pipeline
import SubscriptionModel
import Tables

/// Something that happened to a subscription of receipts.
struct ReceiptStoryEvent {
  var kind: StoryEvent.Kind
  /// The index of the chain, and of the period.
  var chain: Int
  var period: Int
  var instant: Instant
  /// The fact by its name, such as `lapse open final`.
  var fact = ""
  /// Why, in one sentence.
  var because = ""
  /// The cells in which it counts.
  var cells: [TableCell] = []
  var rows: [ReceiptPlace] = []

  /// Returns whether an event comes before another: by time; at the same time, period by period.
  static func precedes(_ left: ReceiptStoryEvent, _ right: ReceiptStoryEvent) -> Bool {
    left.place.lexicographicallyPrecedes(right.place)
  }

  private var place: [Int] {
    let order = [StoryEvent.Kind.charge, .refund, .end, .gap].firstIndex(of: kind) ?? 0
    return [chain, Int(instant.seconds), period, order]
  }
}

/// Finds the events of one customer's subscriptions, and the cells in which each counts.
///
/// It has no rules of its own: the chains are those of `ReceiptHistory`, and ``ExplainingFold`` finds the periods
/// and refunds that a month counts.
struct ReceiptStoryFold: ~Copyable {
  private(set) var history: ReceiptHistory
  /// The rows of each period.
  let places: [PeriodPlaces]
  private let receipts: KeptReceipts
  private let names: Names
  /// What a month counts of each period.
  private var found: [Int: [(item: CountedPeriod, cells: [TableCell])]] = [:]
  /// The cells of price increases, by the period at whose end the subscription counts there.
  private var ofIncreases: [Int: [TableCell]] = [:]

  /// Folds a customer once for each month from the first charge to the end of the data.
  init(
    _ customer: Int, _ cells: borrowing TableCells, _ increases: ImpactCells,
    _ receipts: KeptReceipts, _ names: Names
  ) {
    self.receipts = receipts
    self.names = names
    history = ReceiptHistory(receipts.customers)
    history.build(customer)
    places = history.placesOfPeriods()
    let days = receipts.completeness
    let starts = history.periods.map(\.start.day)
    var month = days.monthSystem.month(of: starts.min() ?? days.asOf)
    let last = days.monthSystem.month(of: max(starts.max() ?? days.asOf, days.asOf))
    let refunds: Set<Counted> = [.refund(isFull: true), .refund(isFull: false)]
    while month <= last {
      let name = days.monthSystem.name(month)
      for item in items(cells.counted, month: month) {
        add(
          item,
          cells.cells(
            item.counted, month: name, datings: datings(item), currency: currency(item)))
      }
      for item in items(refunds, month: month, isDatedBySale: true) {
        let own = cells.cells(
          item.counted, month: name, datings: ["sale"], currency: currency(item))
        // Dated by sale, a refund counts in the table of refunds alone.
        add(item, own.filter { $0.dating != nil })
      }
      month = month + 1
    }
    for item in items([.atRisk, .kept, .lost], month: last, ofRetention: true) {
      add(item, cells.cells(item.counted, k: item.k ?? 1))
    }
    fold(increases)
  }

  private mutating func fold(_ increases: ImpactCells) {
    var terms = ReceiptTerms(of: receipts)
    var numbers: [Int] = []
    for own in history.chains where own.isInRates {
      terms.number(own, history.periods, into: &numbers)
      let (chain, periods) = history.explainedChain(own, terms: numbers)
      for one in increases.counted(chain, terms.all) {
        ofIncreases[periods[one.charge].upperBound, default: []] += one.cells
      }
    }
  }

  private func items(
    _ counted: Set<Counted>, month: Month, isDatedBySale: Bool = false, ofRetention: Bool = false
  ) -> [CountedPeriod] {
    var row = CountedRow(month: month, dimensions: [], filter: receipts.filter) { _ in true }
    row.isDatedBySale = isDatedBySale
    if ofRetention { (row.k, row.lastK) = (1, .max) }
    var fold = ExplainingFold(row, counted, receipts)
    var items: [CountedPeriod] = []
    fold.add(history) { items.append($0) }
    // The cells of a charge come before those of what followed.
    return items.filter { $0.counted == .charge } + items.filter { $0.counted != .charge }
  }

  private mutating func add(_ item: CountedPeriod, _ cells: [TableCell]) {
    if !cells.isEmpty { found[item.place.period, default: []].append((item, cells)) }
  }

  private func datings(_ item: CountedPeriod) -> [String] {
    if case .refund = item.counted { ["refund"] } else { ["sale", "refund"] }
  }

  private func currency(_ item: CountedPeriod) -> String {
    names.text(history.periods[item.place.period].event.currency)
  }

  // MARK: Events

  /// The facts of a period that are about its start.
  private static let ofStart: Set<Counted> = [
    .fact(.started), .fact(.firstSeen), .fact(.converted), .fact(.reactivated), .fact(.recovered),
    .fact(.switchedIn), .activeBefore, .activeAtEnd, .charge, .commitment(.running),
    .commitment(.positionUnknown), .commitment(.remaining), .commitment(.termsStarted),
  ]
  private static let refunds: Set<Counted> = [.refund(isFull: true), .refund(isFull: false)]

  /// The events of some chains, each chain in the order of time.
  func events(_ chains: [Int]) -> [ReceiptStoryEvent] {
    var events: [ReceiptStoryEvent] = []
    for chain in chains {
      for period in history.chains[chain].periods {
        events.append(charge(period, chain))
        if let refund = refund(period, chain) { events.append(refund) }
        if let end = end(period, chain) { events.append(end) }
        if let gap = gap(period, chain) { events.append(gap) }
      }
    }
    return events.sorted(by: ReceiptStoryEvent.precedes)
  }

  private func charge(_ place: Int, _ chain: Int) -> ReceiptStoryEvent {
    let period = history.periods[place]
    let own = (found[place] ?? []).filter { Self.ofStart.contains($0.item.counted) }
    var event = ReceiptStoryEvent(
      kind: .charge, chain: chain, period: place, instant: period.start)
    event.fact = "charge"
    event.cells = own.flatMap(\.cells)
    event.rows = places[place].charge
    if place == history.chains[chain].periods.lowerBound {
      event.because =
        history.chains[chain].isStartKnown
        ? "the subscription begins here"
        : "the first purchase in the receipts; the subscription may have begun before"
      return event
    }
    let arrivals: [Counted] = [
      .fact(.reactivated), .fact(.recovered), .fact(.converted), .fact(.switchedIn),
    ]
    let arrival = own.map(\.item).first { arrivals.contains($0.counted) }
    event.because = arrival.map { fact($0).because } ?? ""
    return event
  }

  private func refund(_ place: Int, _ chain: Int) -> ReceiptStoryEvent? {
    let period = history.periods[place]
    guard period.isRefunded, let instant = period.event.cancellation else { return nil }
    let own = (found[place] ?? []).filter { Self.refunds.contains($0.item.counted) }
    let fact = fact(item(.refund(isFull: period.refund == .full), place, chain))
    var event = ReceiptStoryEvent(kind: .refund, chain: chain, period: place, instant: instant)
    event.fact = fact.name
    event.because = fact.because
    event.cells = own.flatMap(\.cells)
    event.rows = places[place].cancellation.map { [$0] } ?? []
    return event
  }

  private func end(_ place: Int, _ chain: Int) -> ReceiptStoryEvent? {
    let period = history.periods[place]
    guard let end = period.end else { return nil }
    let own = (found[place] ?? []).filter {
      !Self.ofStart.contains($0.item.counted) && !Self.refunds.contains($0.item.counted)
    }
    let trials = FactSums.trials.map(Counted.fact)
    let trial = own.map(\.item.counted).first(where: trials.contains)
    let item = item(trial ?? .fact(period.isLapse ? .lapseOpenFinal : .dueRenewed), place, chain)
    let fact = fact(item)
    var event = ReceiptStoryEvent(kind: .end, chain: chain, period: place, instant: end)
    event.fact = fact.name
    event.cells = own.flatMap(\.cells) + (ofIncreases[place] ?? [])
    event.rows = fact.rows
    let asOf = history.chains[chain].asOf
    event.because =
      period.fate == .current && end > asOf
      ? "it is \(period.event.isPaid ? "paid" : "free") until \(end.day); the data of the subscription end on \(asOf.day)"
      : fact.because
    return event
  }

  private func gap(_ place: Int, _ chain: Int) -> ReceiptStoryEvent? {
    let period = history.periods[place]
    guard let gap = period.gapAfter, let end = period.end else { return nil }
    var event = ReceiptStoryEvent(kind: .gap, chain: chain, period: place, instant: end)
    let next = end + gap
    event.because =
      "\(next.day - end.day) days without a subscription, from \(end.day) to \(next.day)"
    return event
  }

  // MARK: Facts

  private func item(_ counted: Counted, _ place: Int, _ chain: Int) -> CountedPeriod {
    CountedPeriod(counted: counted, chain: chain, period: place)
  }

  private func fact(_ item: CountedPeriod) -> ReasonedFact<ReceiptPlace> {
    receipts.fact(item, history, places, names)
  }
}
