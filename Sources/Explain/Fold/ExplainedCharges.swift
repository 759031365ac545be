import AppStoreReports
import Counting
import Files
import Pipeline
import PriceImpact
import Storage
import SubscriptionModel
import Tables

extension KeptCharges: ExplainedSource {
  typealias Customers = ExplainedSubscribers
  typealias Customer = UInt64
  /// The index of the terms.
  typealias Terms = UInt32
  typealias Period = SubscriptionModel.Period
  typealias List = ChargeRow
  typealias Lines = LinesOfRows

  static var isOfReceipts: Bool { false }
  static var noLines: LinesOfRows { LinesOfRows() }

  static func makeStore() -> ElementStore<Contribution<KeptCharges>>? { .file() }

  var partCount: Int { ChargeStore.partitionCount }

  func customers(_ row: CountedRow, _ counted: Set<Counted>, named: Bool) -> ExplainedSubscribers {
    ExplainedSubscribers(row, counted, self)
  }

  func attributes(of contribution: Contribution<KeptCharges>) -> Attributes {
    terms[Int(contribution.terms)].attributes
  }

  func reason(of one: Contribution<KeptCharges>, _ names: Names, _ month: Month) -> Reason {
    let (days, own) = (completeness, terms[Int(one.terms)])
    let explained = { (period: Period) in ExplainedPeriod(period, terms[Int(period.terms)]) }
    return Reason(
      data: Reason.Data(names: names, months: days.monthSystem, month: month, lastDay: days.asOf),
      fact: one.counted, count: one.count, price: one.price, outcome: one.outcome,
      period: one.period.map(explained),
      before: one.before.map(explained), next: one.next.map(explained),
      nextStart: one.period?.nextStart.flatMap(Instant.init(startOf:)), refundDay: one.refund,
      currency: own.proceeds.currency, asOf: days.asOf, firstDay: days.firstDay,
      receivedOn: days.transfers.transfer(of: own.attributes.app, to: one.rows.first)?.day)
  }

  func text(of instant: Instant) -> String { instant.day.description }

  func lines(of rows: some Sequence<UInt64>, jobs: Int) throws -> LinesOfRows {
    var last = LastRows()
    for row in rows { last.insert(row) }
    return try lines(upTo: last)
  }

  func read(_ rows: [UInt64], _ lines: inout LinesOfRows, jobs: Int) throws {
    try read(rows, into: &lines)
  }

  func text(of row: UInt64, _ lines: LinesOfRows) -> String {
    "\(files[Int(row >> 32)].file.relativePath):\(lines.line(of: row) ?? 0)"
  }

  func rows(naming customer: UInt64) -> [UInt64] { [] }

  func name(
    of customer: UInt64, first: UInt64, _ lines: LinesOfRows, _ naming: CustomerTable.Naming?
  ) -> String {
    guard let naming else { return text(of: first, lines) }
    let isText = customer & SubscriberKey.textBit != 0
    return naming.text(of: isText ? registries.subscriberText(of: customer) : String(customer))
  }

  func customers(having wanted: Set<ComparedKey>) -> Set<UInt64>? {
    Set(wanted.map { $0.isOfText ? registries.subscriberKey(of: $0.text) : $0.number })
  }

  func causes(_ own: Set<ExactText>, _ other: Set<ExactText>, _ before: RunResult) -> [String] {
    let (new, gone) = (own.subtracting(other), other.subtracting(own))
    return (new.isEmpty ? [] : ["brought by \(new.namesOfFiles)"])
      + (gone.isEmpty ? [] : ["no longer counted: \(gone.namesOfFiles)"])
  }
}

/// The subscribers of kept charges.
final class ExplainedSubscribers: ExplainedCustomers {
  /// The chains of the current subscriber.
  private(set) var history: ChainBuilder
  private(set) var found: [CountedPeriod] = []
  private var records: ArraySlice<ChargeRecord> = []
  private var subscriber: UInt64 = 0
  private var fold: ExplainingFold<ChainFold>
  private var sort = SubscriberSort()
  private let charges: KeptCharges
  /// For each of the terms, whether subscribers with a charge of them are needed; `nil` if all are.
  private var isConcerned: [Bool]?
  let row: CountedRow

  init(_ row: CountedRow, _ counted: Set<Counted>, _ charges: KeptCharges) {
    (self.row, self.charges) = (row, charges)
    history = ChainBuilder(charges.terms, charges.completeness)
    fold = ExplainingFold(
      row, counted, terms: charges.terms, charges.completeness, months: charges.months)
  }

  func load(part: Int, only numbers: Set<UInt64>?) {
    // Not kept any longer, so that their memory is reused.
    records = []
    var chunks = charges.bins.take(part).flatMap(\.chunks)
    if let numbers {
      chunks = chunks.map { $0.filter { numbers.contains($0.subscriber) } }
    }
    sort.load(chunks, isUsable: charges.isUsable)
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
    self.records = records
    history.build(records)
    var found: [CountedPeriod] = []
    fold.add(history) { found.append($0) }
    self.found = found
    return true
  }

  func contribution(
    _ found: CountedPeriod, leftOutBy rule: LeftOutRule?
  ) -> Contribution<KeptCharges> {
    Contribution(found, history, of: subscriber, asOf: charges.completeness.asOf, leftOutBy: rule)
  }

  // MARK: What columns leave out

  func forEachPeriodOfRow(_ body: (CountedPeriod) -> Void) {
    for chain in history.chains.indices {
      for index in history.chains[chain].periods {
        guard
          let key = fold.keyOfRow(terms: history.periods[index].terms, ofChain: chain, history)
        else { continue }
        var item = CountedPeriod(counted: .charge, chain: chain, period: index)
        item.key = key
        body(item)
      }
    }
  }

  func considered(_ item: CountedPeriod) -> ConsideredPeriod {
    let period = history.periods[item.place.period]
    let (months, terms) = (charges.completeness.monthSystem, charges.terms[Int(period.terms)])
    let next = period.fate == .continued ? period.nextStart : nil
    let activeUntil = period.nextStart.map { min($0, period.end) } ?? period.end
    return ConsideredPeriod(
      item: item, period: ExplainedPeriod(period, terms), wasDue: period.wasDue,
      isUndecided: period.isUndecided, isRunning: period.end > charges.completeness.asOf,
      begin: months.month(of: period.start), end: months.month(of: period.end),
      next: months.month(of: next ?? period.end), activeUntil: months.month(of: activeUntil),
      isOfReceipts: false,
      isOfCurrency: row.currency.map { $0 == row.monthly(terms.value).amount.currency } ?? true)
  }

  // MARK: Differences

  func key(of contribution: Contribution<KeptCharges>, _ runs: ComparedRuns) -> ComparedKey {
    key(terms: contribution.terms, runs)
  }

  private func key(terms: UInt32, _ runs: ComparedRuns) -> ComparedKey {
    let isText = subscriber & SubscriberKey.textBit != 0
    return ComparedKey(
      number: isText ? 0 : subscriber,
      text: isText ? charges.registries.subscriberText(of: subscriber) : "",
      group: runs.names.text(charges.terms[Int(terms)].attributes.group))
  }

  func files(of wanted: Set<ComparedKey>, _ runs: ComparedRuns) -> [ComparedKey: Set<Int>] {
    var files: [ComparedKey: Set<Int>] = [:]
    for record in records {
      let key = key(terms: record.terms, runs)
      if wanted.contains(key) { files[key, default: []].insert(Int(record.order >> 32)) }
    }
    return files
  }

  // MARK: Stories

  var periodsOfChains: [Range<Int>] { history.chains.map(\.periods) }

  var refunds: [CountedPeriod] {
    history.refunds.indices.map { index in
      let refund = history.refunds[index]
      var item = CountedPeriod(
        counted: .refund(isFull: refund.isFull), chain: refund.charge?.chain,
        period: refund.charge?.period)
      item.refund = index
      return item
    }
  }

  func beginning(ofChain chain: Int) -> String? {
    switch history.chains[chain].start {
    case .known: "the subscription begins here"
    case .before: nil
    case .idReset:
      "the first charge under a new subscriber id: the customer came back after 180 days or more"
    }
  }

  func period(_ index: Int, ofChain chain: Int) -> StoryPeriod {
    let period = history.periods[index]
    return StoryPeriod(
      index: index, explained: ExplainedPeriod(period, charges.terms[Int(period.terms)]),
      end: Instant(startOf: period.end), boughtEnd: Instant(startOf: period.fullEnd),
      isRunning: period.fate == .running && period.end > charges.completeness.asOf,
      isCutByUpgrade: false, backOn: period.isLapse ? period.nextStart : nil)
  }

  func charge(of item: CountedPeriod) -> StoryCharge {
    let number =
      item.refund.map { history.refunds[$0].terms } ?? history.periods[item.place.period].terms
    let terms = charges.terms[Int(number)]
    return StoryCharge(
      attributes: terms.attributes, kind: terms.kind, isPaid: terms.isPaid,
      price: terms.price.milliunits, currency: terms.price.currency)
  }

  func refund(_ item: CountedPeriod) -> (instant: Instant?, rows: [UInt64]) {
    guard let index = item.refund else { return (nil, []) }
    return (Instant(startOf: history.refunds[index].day), [history.row(ofRefund: index)])
  }

  // MARK: Price increases

  func skip(notConcernedBy fold: ImpactFold) { isConcerned = charges.terms.map(fold.concerns) }

  var pricedSubscriptions: [PricedSubscription] {
    var priced = PricedChains(charges.completeness, capacity: history.periods.count)
    priced.append(history, charges.terms)
    var chains: [PricedChain] = []
    priced.forEach { chains.append($0) }
    return chains.enumerated().map { number, chain in
      PricedSubscription(
        number: number, chain: chain, terms: charges.terms,
        periods: chain.periods(ofChain: number, history).map { $0...$0 })
    }
  }

  func renewal(_ addition: ImpactAddition, _ own: PricedSubscription) -> Renewal<KeptCharges> {
    let periods = history.chains[own.number].periods
    let charge = own.chain.charges[addition.charge]
    let (index, next) = own.place(addition)
    let first = own.periods[index].lowerBound
    let nextPeriod = next.map { _ in own.periods[index + 1].lowerBound }
    let terms = charges.terms[Int(charge.terms)]
    var renewal = Renewal<KeptCharges>(
      addition: addition, key: own.chain.key, customer: subscriber, charge: charge, next: next,
      own: terms, new: next.map { charges.terms[Int($0.terms)] },
      start: Instant(startOf: charge.start) ?? Instant(seconds: 0),
      end: Instant(startOf: charge.end) ?? Instant(seconds: 0), asOf: charges.completeness.asOf,
      rows: .init(
        first: history.row(ofPeriod: periods.lowerBound), own: [history.row(ofPeriod: first)]))
    if terms.isInstalment {
      let last = (first..<(nextPeriod ?? periods.upperBound)).last {
        history.periods[$0].start < charge.paidEnd
      }
      renewal.rows.last = last.map { [history.row(ofPeriod: $0)] } ?? []
    }
    guard let nextPeriod else { return renewal }
    renewal.rows.next = [history.row(ofPeriod: nextPeriod)]
    if addition.has(.refunded), let refund = refund(nextPeriod..<periods.upperBound) {
      renewal.refundDay = history.refunds[refund].day
      renewal.rows.refund = history.row(ofRefund: refund)
    }
    return renewal
  }

  /// Returns the full refund of the first of some periods, or of a following one with the same start and terms.
  private func refund(_ periods: Range<Int>) -> Int? {
    let first = history.periods[periods.lowerBound]
    for place in periods {
      let period = history.periods[place]
      guard period.start == first.start, period.terms == first.terms else { return nil }
      if let refund = history.fullRefund(ofPeriod: place) { return refund }
    }
    return nil
  }
}

extension Contribution<KeptCharges> {
  /// Creates the contribution of a period or a refund that the fold has found.
  fileprivate init(
    _ found: CountedPeriod, _ history: borrowing ChainBuilder, of subscriber: UInt64, asOf: Day,
    leftOutBy rule: LeftOutRule?
  ) {
    let refund = found.refund.map { history.refunds[$0] }
    let place = found.period
    let terms = place.map { history.periods[$0].terms } ?? refund?.terms ?? 0
    self.init(found, of: subscriber, terms, asOf: asOf, EvidenceRows(first: 0), leftOutBy: rule)
    self.refund = refund?.day
    if let refund = found.refund {
      rows.first = history.row(ofRefund: refund)
      rows.refund.row = rows.first
    }
    guard let place, let chain = found.chain else { return }
    let (period, own) = (history.periods[place], history.chains[chain].periods)
    (self.period, gap) = (period, period.gapDays ?? 0)
    rows.own.row = history.row(ofPeriod: place)
    rows.first = history.row(ofPeriod: own.lowerBound)
    if place > own.lowerBound {
      before = history.periods[place - 1]
      rows.before.row = history.row(ofPeriod: place - 1)
    }
    if place + 1 < own.upperBound {
      // What the next charge bought, from its day on.
      var next = period
      (next.terms, next.start) = (history.periods[place + 1].terms, next.nextStart ?? next.end)
      self.next = next
      rows.next.row = history.row(ofPeriod: place + 1)
    }
    if found.refund == nil, period.ending == .refunded,
      let refund = history.fullRefund(ofPeriod: place)
    {
      rows.refund.row = history.row(ofRefund: refund)
    }
    rows.isNextLate = period.nextStart.map { $0 > period.end } ?? false
    rows.isContinued = period.fate == .continued
    rows.decidesNotAtRisk = if case .notAtRisk(.lost) = rule { true } else { false }
  }
}

extension ChainBuilder {
  /// Returns the index of the full refund of a period.
  fileprivate borrowing func fullRefund(ofPeriod place: Int) -> Int? {
    refunds.firstIndex { $0.isFull && $0.charge?.period == place }
  }
}

extension KeptCharges {
  /// Returns the charges and refunds of a subscriber.
  func records(of subscriber: UInt64) -> [ChargeRecord] {
    var found: [ChargeRecord] = []
    for partition in 0..<ChargeStore.partitionCount {
      for chunk in bins.parts(of: partition).lazy.flatMap(\.chunks) {
        for record in chunk where record.subscriber == subscriber {
          if isUsable[Int(record.order >> 32)] { found.append(record) }
        }
      }
    }
    return found
  }
}

extension PricedChain {
  /// Returns the index of each charge's period; for a term of instalments, that of its first instalment.
  fileprivate func periods(ofChain number: Int, _ history: borrowing ChainBuilder) -> [Int] {
    let own = history.chains[number].periods
    var place = own.lowerBound
    var places: [Int] = []
    for charge in charges {
      while place + 1 < own.upperBound,
        history.periods[place].start != charge.start
          || history.periods[place].terms != charge.terms
      {
        place += 1
      }
      places.append(place)
      place = min(place + 1, own.upperBound - 1)
    }
    return places
  }
}
