import AppStoreReports
package import Counting
import Files
package import Pipeline
import PriceImpact
import Scanning
import Storage
package import SubscriptionModel
import Tables

extension KeptReceipts: ExplainedSource {
  typealias Customers = ExplainedReceipts
  /// `nil` where subscriptions are named by their first row.
  typealias Customer = CustomerName?
  typealias Terms = Attributes
  typealias Period = ExplainedPeriod
  typealias List = [ReceiptPlace]
  typealias Lines = [ReceiptPlace: FoundPlace]

  static var isOfReceipts: Bool { true }
  static var noLines: [ReceiptPlace: FoundPlace] { [:] }

  // Contributions of receipts have lists of rows.
  static func makeStore() -> ElementStore<Contribution<KeptReceipts>>? { nil }

  var partCount: Int { 256 }

  func customers(_ row: CountedRow, _ counted: Set<Counted>, named: Bool) -> ExplainedReceipts {
    ExplainedReceipts(row, counted, self, named: named)
  }

  func attributes(of contribution: Contribution<KeptReceipts>) -> Attributes { contribution.terms }

  func reason(of one: Contribution<KeptReceipts>, _ names: Names, _ month: Month) -> Reason {
    let days = completeness
    return Reason(
      data: Reason.Data(
        names: names, months: days.monthSystem, month: month, lastDay: days.asOf,
        toleranceSeconds: customers.settings.toleranceSeconds),
      fact: one.counted, count: one.count, price: one.price, outcome: one.outcome,
      knownOn: one.knownOn,
      period: one.period, before: one.before, next: one.next, nextStart: one.next?.start,
      refundDay: one.period?.cancellation?.day,
      currency: one.period?.value.price.currency ?? .blank,
      asOf: one.asOf, firstDay: days.firstDay, receivedOn: nil)
  }

  func text(of instant: Instant) -> String { instant.description }

  func lines(of rows: some Sequence<ReceiptPlace>, jobs: Int) throws -> [ReceiptPlace: FoundPlace] {
    try places(of: Set(rows), jobs: jobs)
  }

  func read(_ rows: [ReceiptPlace], _ lines: inout [ReceiptPlace: FoundPlace], jobs: Int) throws {
    lines = try places(of: Set(rows), jobs: jobs)
  }

  /// Returns a place as `FILE:LINE`, with the path inside the row after a blank.
  package func text(of place: ReceiptPlace, _ found: [ReceiptPlace: FoundPlace]) -> String {
    let file = files[Int(place.file)].file.relativePath
    let own = found[place]
    let path = own.map { $0.path.isEmpty ? "" : " \($0.path)" } ?? ""
    return "\(file):\(own?.line ?? 0)\(path)"
  }

  func rows(naming customer: CustomerName?) -> [ReceiptPlace] {
    guard case .row(let file, let row, let number)? = customer else { return [] }
    return [ReceiptPlace(file: file, row: row, number: number)]
  }

  func name(
    of customer: CustomerName?, first: ReceiptPlace, _ lines: [ReceiptPlace: FoundPlace],
    _ naming: CustomerTable.Naming?
  ) -> String {
    guard let naming, let customer else { return text(of: first, lines) }
    return text(of: customer, naming, lines)
  }

  func customers(having wanted: Set<ComparedKey>) -> Set<UInt64>? {
    // Runs number customers on their own.
    wanted.contains(where: \.isOfText) ? nil : Set(wanted.map(\.number))
  }

  /// The dumps with the rows that decide what happened to the subscription, if the other run did not count them.
  func causes(_ own: Set<ExactText>, _ other: Set<ExactText>, _ before: RunResult) -> [String] {
    // Files that lost rows to as-of may count others now.
    let counted = before.files.filter { $0.rows.ignored[.afterAsOf] == nil }
    let new = own.subtracting(other)
      .subtracting(Set<ExactText>(of: counted.map(\.file.relativePath)))
    return new.isEmpty ? [] : ["brought by \(new.namesOfFiles)"]
  }
}

/// The customers of kept receipts.
final class ExplainedReceipts: ExplainedCustomers {
  /// The chains of the current customer.
  private(set) var history: ReceiptHistory
  private(set) var found: [CountedPeriod] = []
  private var fold: ExplainingFold<ReceiptFacts>
  private let receipts: KeptReceipts
  let row: CountedRow
  private let named: Bool
  /// The numbers of the customers that follow, and that of the current one.
  private var customers: ArraySlice<Int> = []
  private(set) var customer = 0
  /// Whether chains with charges of some terms are needed, for price increases; `nil` if all are.
  private var isConcerned: ((ChargeTerms) -> Bool)?
  /// The terms of the customers so far, for price increases.
  private var priceTerms: ReceiptTerms?
  /// The rows of the periods of the current customer, once they are needed.
  private var places: [PeriodPlaces]?

  init(_ row: CountedRow, _ counted: Set<Counted>, _ receipts: KeptReceipts, named: Bool) {
    (self.row, self.receipts, self.named) = (row, receipts, named)
    history = ReceiptHistory(receipts.customers)
    fold = ExplainingFold(row, counted, receipts)
  }

  func load(part: Int, only numbers: Set<UInt64>?) {
    let all = receipts.customers.partition(part, of: receipts.partCount)
    customers = all.filter { numbers?.contains(UInt64($0)) ?? true }[...]
  }

  /// Takes one customer.
  func load(customer: Int) { customers = [customer] }

  func next() -> Bool {
    guard let customer = customers.popFirst() else { return false }
    self.customer = customer
    history.build(customer)
    var found: [CountedPeriod] = []
    fold.add(history) { found.append($0) }
    self.found = found
    places = nil
    return true
  }

  func contribution(
    _ found: CountedPeriod, leftOutBy rule: LeftOutRule?
  ) -> Contribution<KeptReceipts> {
    Contribution(found, history, placesOfPeriods, of: named ? history.name() : nil, leftOutBy: rule)
  }

  /// The rows of each period of the current customer.
  private var placesOfPeriods: [PeriodPlaces] {
    let places = self.places ?? history.placesOfPeriods()
    self.places = places
    return places
  }

  // MARK: What columns leave out

  func forEachPeriodOfRow(_ body: (CountedPeriod) -> Void) {
    fold.forEachPeriodOfRow(history, body)
  }

  func considered(_ item: CountedPeriod) -> ConsideredPeriod {
    let (period, chain) = (period(item), history.chains[item.place.chain])
    let end = period.end ?? period.start
    var considered = ConsideredPeriod(
      item: item, period: ExplainedPeriod(period), wasDue: period.wasDue,
      isUndecided: period.fate == .current, isRunning: end > chain.asOf,
      begin: month(period.start), end: month(end), next: month(nextStart(item) ?? end),
      activeUntil: month(end), isOfReceipts: true,
      isOfCurrency: row.currency.map { $0 == period.event.currency } ?? true)
    considered.isShared = !chain.isInRates
    if let cancellation = period.event.cancellation {
      let rule: LeftOutRule? =
        switch period.refund {
        case .revoked: .revoked
        case nil: period.isUpgraded ? .upgrade : nil
        default: period.event.isPaid ? .otherCurrency : .free
        }
      considered.refund = (month(row.isDatedBySale ? period.start : cancellation), rule)
    }
    return considered
  }

  private func period(_ item: CountedPeriod) -> ReceiptPeriod { history.periods[item.place.period] }

  private func month(_ instant: Instant) -> Month {
    receipts.completeness.monthSystem.month(of: instant.day)
  }

  /// Returns the start of the next charge for a period that another charge continues.
  private func nextStart(_ item: CountedPeriod) -> Instant? {
    let period = period(item)
    guard period.fate == .renewed || period.fate == .upgraded else { return nil }
    let next = history.chains[item.place.chain].next(after: item.place.period, history)
    // An older period that goes on is no new charge.
    return next.map { history.periods[$0].start }.flatMap { $0 < period.start ? nil : $0 }
  }

  // MARK: Differences

  func key(of contribution: Contribution<KeptReceipts>, _ runs: ComparedRuns) -> ComparedKey {
    guard let chain = contribution.chain else {
      preconditionFailure("each contribution of receipts has a chain")
    }
    return key(ofChain: Int(chain), runs)
  }

  /// Returns the key of a chain: the smallest of its original ids, with its app and group.
  ///
  /// Both months of one run have the same customers and chains.
  private func key(ofChain chain: Int, _ runs: ComparedRuns) -> ComparedKey {
    guard runs.areTwo else { return ComparedKey(number: UInt64(customer), chain: chain) }
    let own = history.chains[chain]
    let symbols = receipts.customers.settings.symbols
    let events = history.periods[own.periods].map(\.event)
    let ids = { (all: [ReceiptID]) in all.filter(\.isUsable).map { $0.text(symbols) } }
    var texts = ids(events.map(\.originalID))
    if texts.isEmpty { texts = ids(events.map(\.transactionID)) }
    let smallest = texts.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    // A purchase without ids is known by its product and its second.
    let names = runs.names
    let id = smallest ?? "\(names.product(events[0].product)) \(events[0].purchase)"
    return ComparedKey(text: "\(id)\n\(names.app(own.app))", group: names.text(own.group))
  }

  func files(of wanted: Set<ComparedKey>, _ runs: ComparedRuns) -> [ComparedKey: Set<Int>] {
    var files: [ComparedKey: Set<Int>] = [:]
    for (chain, own) in history.chains.enumerated() where own.isInRates {
      let key = key(ofChain: chain, runs)
      guard wanted.contains(key) else { continue }
      let places = placesOfPeriods[own.periods].flatMap { period in
        period.charge + (period.cancellation.map { [$0] } ?? [])
      }
      files[key] = Set(places.map { Int($0.file) })
    }
    return files
  }

  // MARK: Stories

  var periodsOfChains: [Range<Int>] { history.chains.map(\.periods) }

  var refunds: [CountedPeriod] {
    history.chains.enumerated().flatMap { chain, own in
      own.periods.filter {
        history.periods[$0].isRefunded && history.periods[$0].event.cancellation != nil
      }.map {
        let isFull = history.periods[$0].refund == .full
        return CountedPeriod(counted: .refund(isFull: isFull), chain: chain, period: $0)
      }
    }
  }

  func beginning(ofChain chain: Int) -> String? {
    history.chains[chain].isStartKnown
      ? "the subscription begins here"
      : "the first purchase in the receipts; the subscription may have begun before"
  }

  func period(_ index: Int, ofChain chain: Int) -> StoryPeriod {
    let period = history.periods[index]
    let isRunning = period.end.map { $0 > history.chains[chain].asOf } ?? false
    return StoryPeriod(
      index: index, explained: ExplainedPeriod(period), end: period.end,
      boughtEnd: period.event.expires, isRunning: period.fate == .current && isRunning,
      isCutByUpgrade: period.cut == .upgrade,
      backOn: period.gapAfter.flatMap { gap in period.end.map { ($0 + gap).day } })
  }

  func charge(of item: CountedPeriod) -> StoryCharge {
    let event = period(item).event
    var attributes = Attributes()
    (attributes.app, attributes.group) = (event.app, event.group)
    (attributes.product, attributes.country) = (event.product, event.country)
    return StoryCharge(
      attributes: attributes, kind: event.kind, isPaid: event.isPaid, price: event.price,
      currency: event.currency)
  }

  func refund(_ item: CountedPeriod) -> (instant: Instant?, rows: [ReceiptPlace]) {
    let index = item.place.period
    return (
      history.periods[index].event.cancellation,
      placesOfPeriods[index].cancellation.map { [$0] } ?? []
    )
  }

  // MARK: Price increases

  func skip(notConcernedBy fold: ImpactFold) { isConcerned = fold.concerns }

  var pricedSubscriptions: [PricedSubscription] {
    var terms = priceTerms ?? ReceiptTerms(of: receipts)
    defer { priceTerms = terms }
    var numbers: [Int] = []
    var found: [PricedSubscription] = []
    for (number, own) in history.chains.enumerated() where own.isInRates {
      terms.number(own, history.periods, into: &numbers)
      if let isConcerned, !numbers.contains(where: { isConcerned(terms.all[$0]) }) { continue }
      let (chain, periods) = history.explainedChain(own, terms: numbers)
      found.append(
        PricedSubscription(number: number, chain: chain, terms: terms.all, periods: periods))
    }
    return found
  }

  func renewal(_ addition: ImpactAddition, _ own: PricedSubscription) -> Renewal<KeptReceipts> {
    let chain = history.chains[own.number]
    let charge = own.chain.charges[addition.charge]
    let (index, next) = own.place(addition)
    let periods = own.periods[index]
    let places = placesOfPeriods
    let start = history.periods[periods.lowerBound].start
    let purchase = places[periods.lowerBound].charge
    var renewal = Renewal<KeptReceipts>(
      addition: addition, key: own.chain.key, customer: named ? history.name() : nil,
      charge: charge, next: next, own: own.terms[Int(charge.terms)],
      new: next.map { own.terms[Int($0.terms)] }, start: start,
      end: history.periods[periods.upperBound].end ?? start, asOf: own.chain.asOf,
      consent: Consent(),
      rows: .init(
        first: places[chain.periods.lowerBound].charge.first ?? purchase[0], own: purchase))
    if periods.count > 1 { renewal.rows.last = places[periods.upperBound].charge }
    if next != nil { renewal.rows.next = places[own.periods[index + 1].lowerBound].charge }
    if addition.has(.lapsedPriceReason) {
      renewal.rows.reason = history.placeOfReason(ofPeriod: periods.upperBound, in: chain)
    }
    if addition.has(.refunded) { addRefund(own, after: index, to: &renewal) }
    if addition.has(.consentAsked) { addConsent(own, to: &renewal) }
    return renewal
  }

  /// Adds the full refund of the next charge, or of another unit of it.
  private func addRefund(
    _ own: PricedSubscription, after index: Int, to renewal: inout Renewal<KeptReceipts>
  ) {
    let charges = Array(own.chain.charges)
    guard index + 1 < charges.count else { return }
    let next = charges[index + 1]
    let units = (index + 1..<charges.count).prefix {
      charges[$0].start == next.start && charges[$0].terms == next.terms
    }
    let refunded = units.filter { charges[$0].fullRefundDay != nil }
    let day = { (unit: Int) in charges[unit].fullRefundDay ?? .first }
    guard let first = refunded.min(by: { day($0) < day($1) }) else { return }
    renewal.refundDay = charges[first].fullRefundDay
    let (begin, last) = (own.periods[first].lowerBound, own.periods[first].upperBound)
    renewal.rows.refund = placesOfPeriods[begin].cancellation ?? placesOfPeriods[last].cancellation
  }

  /// Adds the first record that asks for consent, and the latest one.
  private func addConsent(_ own: PricedSubscription, to renewal: inout Renewal<KeptReceipts>) {
    let records = renewal.addition.consents(of: own.chain)
    let consents = own.chain.consents
    guard let asked = records.first(where: { !consents[$0].isGiven }), let last = records.last
    else { return }
    renewal.consent = Consent(
      asked: consents[asked].madeAt.day, latest: consents[last].madeAt.day,
      isGiven: renewal.addition.has(.consentGiven))
    let places = history.placesOfConsents(of: history.chains[own.number])
    renewal.rows.consent = [places[asked], places[last]]
  }
}

extension Contribution<KeptReceipts> {
  /// Creates the contribution of a period, or of the refund of its charge, that the fold has found.
  fileprivate init(
    _ found: CountedPeriod, _ history: borrowing ReceiptHistory, _ places: [PeriodPlaces],
    of customer: CustomerName?, leftOutBy rule: LeftOutRule?
  ) {
    let (index, chain) = (found.place.period, history.chains[found.place.chain])
    let (period, own) = (ExplainedPeriod(history.periods[index]), places[index])
    let next = found.replacement ?? chain.next(after: index, history)
    var rows = EvidenceRows(
      first: places[chain.periods.lowerBound].charge.first ?? own.charge[0], own: own.charge)
    rows.before = found.before.map { places[$0].charge } ?? []
    rows.refund = own.cancellation.map { [$0] } ?? []
    rows.next = next.map { places[$0].charge } ?? []
    rows.reason = history.placeOfReason(ofPeriod: index, in: chain).map { [$0] } ?? []
    rows.priced = found.priced.map { places[$0].charge } ?? []
    rows.isNextLate = next.map { history.periods[$0].start > period.end } ?? false
    rows.isContinued = history.periods[index].fate == .renewed
    self.init(found, of: customer, found.attributes, asOf: chain.asOf.day, rows, leftOutBy: rule)
    self.period = period
    before = found.before.map { ExplainedPeriod(history.periods[$0]) }
    self.next = next.map { ExplainedPeriod(history.periods[$0]) }
    if case .refund = found.counted { refund = period.cancellation }
  }
}

extension ReceiptChain {
  /// Returns the period that followed another one, as the fold has decided it; `nil` where nothing did.
  ///
  /// A period may be continued by one that began before it and lasts longer.
  fileprivate func next(after index: Int, _ history: borrowing ReceiptHistory) -> Int? {
    let (all, toleranceSeconds) = (history.periods, history.toleranceSeconds)
    let period = all[index]
    let later = (index + 1)..<periods.upperBound
    // The outcome of a trial is that of the next charge, whatever its gap.
    guard period.event.isPaid, let end = period.end else { return later.first }
    switch period.fate {
    case .recovered, .reactivated:
      return later.first { all[$0].start - end == period.gapAfter }
    case .renewed, .upgraded:
      let soon = later.first { all[$0].start - end <= toleranceSeconds }
      // What replaced a period of no length may have begun before it.
      if period.isUpgraded, !period.hasNoLength {
        return soon.flatMap { abs(all[$0].start - end) <= toleranceSeconds ? $0 : nil }
      }
      return soon ?? periods.last { $0 != index && (all[$0].end ?? end) > end }
    case .none, .current, .openFinal, .openProvisional: return nil
    }
  }
}

extension ExplainingFold where Source == ReceiptFacts {
  /// Creates a fold of the receipts of a run.
  package init(_ row: CountedRow, _ counted: Set<Counted>, _ receipts: KeptReceipts) {
    let registries = receipts.registries
    self.init(
      row, counted, customers: receipts.customers, contingent: receipts.contingent,
      monthSystem: receipts.completeness.monthSystem, symbol: { registries.symbol(of: $0) })
  }
}

extension ReceiptTerms {
  /// Creates the terms of a run's receipts, none so far.
  fileprivate init(of receipts: KeptReceipts) {
    let registries = receipts.registries
    self.init(
      symbols: receipts.customers.settings.symbols, contingent: receipts.contingent,
      symbol: { registries.symbol(of: $0) })
  }
}
