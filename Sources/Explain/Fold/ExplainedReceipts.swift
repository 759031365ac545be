import AppStoreReports
package import Counting
import Files
package import Pipeline
package import SubscriptionModel
import Tables

extension KeptReceipts: ExplainedSource {
  var partCount: Int { 256 }

  func customers(
    _ row: CountedRow, _ counted: Set<Counted>, named: Bool
  ) -> ExplainedReceipts {
    ExplainedReceipts(row, counted, self, named: named)
  }

  static var hasGapsInHundredths: Bool { true }

  func lines(
    of shown: some Sequence<ReceiptContribution>, _ naming: CustomerTable.Naming?, jobs: Int
  ) throws -> [ReceiptPlace: FoundPlace] {
    try places(of: shown.reduce(into: []) { $0.formUnion(namedRows($1, naming)) }, jobs: jobs)
  }

  /// Returns a place as `FILE:LINE`, with the path inside the row after a blank.
  package func text(of place: ReceiptPlace, _ found: [ReceiptPlace: FoundPlace]) -> String {
    let file = files[Int(place.file)].file.relativePath
    let own = found[place]
    let path = own.map { $0.path.isEmpty ? "" : " \($0.path)" } ?? ""
    return "\(file):\(own?.line ?? 0)\(path)"
  }

  func name(
    of contribution: ReceiptContribution, _ lines: [ReceiptPlace: FoundPlace],
    _ naming: CustomerTable.Naming?
  ) -> String {
    guard let naming, let customer = contribution.customer else {
      return text(of: contribution.first, lines)
    }
    return text(of: customer, naming, lines)
  }

  func attributes(of contribution: ReceiptContribution) -> Attributes {
    contribution.found.attributes
  }

  func reason(of contribution: ReceiptContribution, _ names: Names, _ month: Month) -> Reason {
    Reason(contribution, names: names, self, month: month)
  }
}

extension ReceiptContribution: ExplainedContribution {
  var counted: Counted { found.counted }
  var key: ChainKey { found.key }
  var startText: String? { period.start.description }
  var endText: String? { period.end.description }
}

/// The customers of kept receipts.
final class ExplainedReceipts: ExplainedCustomers {
  /// The chains of the current customer.
  private(set) var history: ReceiptHistory
  private(set) var found: [CountedPeriod] = []
  private var fold: ExplainingFold<ReceiptFacts>
  let receipts: KeptReceipts
  private let row: CountedRow
  let named: Bool
  private var customers = 0..<0
  /// The number of the current customer.
  private var customer = 0
  /// Whether chains with charges of some terms are needed, for price increases; `nil` if all are.
  var isConcerned: ((ChargeTerms) -> Bool)?
  /// The terms of the customers so far, for price increases.
  var priceTerms: ReceiptTerms?
  /// The side of a difference that names the subscriptions; `nil` for a list of contributions.
  var side: ReceiptSide?
  // Those of the current customer, once they are needed.
  private var places: [PeriodPlaces]?
  private var periodsOfRow: [CountedPeriod]?

  init(_ row: CountedRow, _ counted: Set<Counted>, _ receipts: KeptReceipts, named: Bool) {
    (self.row, self.receipts, self.named) = (row, receipts, named)
    history = ReceiptHistory(receipts.customers)
    fold = ExplainingFold(row, counted, receipts)
  }

  func load(part: Int) {
    customers = receipts.customers.partition(part, of: receipts.partCount)
  }

  /// Takes one customer.
  func load(customer: Int) { customers = customer..<customer + 1 }

  func next() -> Bool {
    guard let customer = customers.popFirst() else { return false }
    self.customer = customer
    history.build(customer)
    var found: [CountedPeriod] = []
    fold.add(history) { found.append($0) }
    self.found = found
    (places, periodsOfRow) = (nil, nil)
    return true
  }

  func contribution(_ found: CountedPeriod, leftOutBy rule: LeftOutRule?) -> ReceiptContribution {
    var one = ReceiptContribution(found, history, placesOfPeriods)
    one.customer = named ? history.name() : nil
    one.leftOut = rule
    one.subscription = side?.key(
      ofChain: found.place.chain, ofCustomer: customer, history)
    return one
  }

  /// The rows of each period of the current customer.
  var placesOfPeriods: [PeriodPlaces] {
    let places = self.places ?? history.placesOfPeriods()
    self.places = places
    return places
  }

  // MARK: What columns leave out

  func leftOut(
    _ considered: Considered, _ counted: Set<Counted>
  ) -> [(found: CountedPeriod, rule: LeftOutRule)] {
    if periodsOfRow == nil {
      var periods: [CountedPeriod] = []
      fold.forEachPeriodOfRow(history) { periods.append($0) }
      periodsOfRow = periods
    }
    return (periodsOfRow ?? []).compactMap { leftOut($0, considered, counted) }
  }

  private func leftOut(
    _ item: CountedPeriod, _ considered: Considered, _ counted: Set<Counted>
  ) -> (found: CountedPeriod, rule: LeftOutRule)? {
    let own = found.filter { $0.chain == item.chain && $0.period == item.period }
    guard isConsidered(item, considered), !own.contains(where: { counted.contains($0.counted) }),
      let rule = rule(item, considered, own.map(\.counted), counted)
    else { return nil }
    // The fact of another column has more words: the period before it, or its amount.
    var told = own.first { .other($0.counted) == rule } ?? item
    if case .other(let other) = rule {
      told.counted = other
    } else if considered.isOfEnds {
      told.counted = .fact(period(item).isLapse ? .lapseOpenFinal : .dueRenewed)
    } else if considered == .refunds {
      told.counted = .refund(isFull: true)
    }
    return (told, rule)
  }

  func instalment(_ item: CountedPeriod) -> InstalmentOfRow {
    let period = period(item)
    return InstalmentOfRow(
      begins: month(period.start) == row.month, ends: month(end(period)) == row.month,
      isOver: end(period) <= history.chains[item.place.chain].asOf,
      number: period.position?.number, outcome: item.outcome,
      columns: Set(found.compactMap { $0.period == item.period ? $0.counted.commitment : nil }))
  }

  private func period(_ item: CountedPeriod) -> ReceiptPeriod {
    history.periods[item.place.period]
  }

  private func end(_ period: ReceiptPeriod) -> Instant { period.end ?? period.start }

  private func month(_ instant: Instant) -> Month {
    receipts.completeness.monthSystem.month(of: instant.day)
  }

  /// Returns the start of the next charge for a period that another charge continues.
  private func nextStart(_ item: CountedPeriod) -> Instant? {
    let period = period(item)
    guard period.fate == .renewed || period.fate == .upgraded else { return nil }
    let next = history.chains[item.place.chain].next(
      after: item.place.period, history.periods, toleranceSeconds: history.toleranceSeconds)
    // An older period that goes on is no new charge.
    return next.map { history.periods[$0].start }.flatMap { $0 < period.start ? nil : $0 }
  }

  private func isConsidered(_ item: CountedPeriod, _ considered: Considered) -> Bool {
    let period = period(item)
    switch considered {
    case .ends: return month(end(period)) == row.month
    case .endsByNextCharge: return month(nextStart(item) ?? end(period)) == row.month
    case .charges, .beginnings: return month(period.start) == row.month
    case .trials: return !period.event.isPaid && month(period.start) == row.month
    case .active(let atEnd):
      let after = atEnd ? row.month + 1 : row.month
      return month(period.start) < after && month(end(period)) >= after
    case .refunds:
      guard let cancellation = period.event.cancellation else { return false }
      return month(row.isDatedBySale ? period.start : cancellation) == row.month
    case .chains, .instalments: return false
    }
  }

  /// Returns why a period does not count; `nil` if its subscription counts with another period.
  private func rule(
    _ item: CountedPeriod, _ considered: Considered, _ own: [Counted], _ counted: Set<Counted>
  ) -> LeftOutRule? {
    let (period, chain) = (period(item), history.chains[item.place.chain])
    guard chain.isInRates else { return .shared }
    let isPaid = period.event.isPaid
    switch considered {
    case .trials:
      return own.first { considered.related.contains($0) }.map { .other($0) } ?? .noTrial
    case .active:
      if isPaid { return .otherPeriod }
      // A subscription that another period of the day makes active is not left out.
      let counts = found.contains { $0.chain == item.chain && counted.contains($0.counted) }
      return counts ? nil : .free
    case .refunds:
      if let other = own.first(where: considered.related.contains) { return .other(other) }
      if period.refund == .revoked { return .revoked }
      if period.refund == nil { return period.isUpgraded ? .upgrade : nil }
      return isPaid ? .otherCurrency : .free
    case .chains, .instalments: return nil
    case .charges: return isPaid ? .otherCurrency : .free
    case .beginnings:
      if !isPaid { return .free }
      return own.first(where: considered.related.contains).map { .other($0) } ?? .continuing
    case .ends, .endsByNextCharge:
      if !isPaid { return .free }
      let ofRenewals = considered == .ends(ofRenewals: true)
      // A renewal counts when its time has come, even if the charge came earlier.
      let isAwaited = period.fate == .current || ofRenewals && period.wasDue
      if isAwaited, end(period) > chain.asOf { return .running }
      if ofRenewals, !period.wasDue { return .notDue }
      return .other(.fact(period.isLapse ? .lapseOpenFinal : .dueRenewed))
    }
  }
}

extension ReceiptContribution {
  /// Creates the contribution of a period that the fold has found.
  init(
    _ found: CountedPeriod, _ history: borrowing ReceiptHistory, _ places: [PeriodPlaces]
  ) {
    let place = found.place
    let (periods, chain) = (history.periods, history.chains[place.chain])
    self.found = found
    period = ExplainedPeriod(periods[place.period])
    asOf = chain.asOf
    own = places[place.period].charge
    first = places[chain.periods.lowerBound].charge.first ?? own[0]
    let next =
      found.replacement
      ?? chain.next(
        after: place.period, periods, toleranceSeconds: history.toleranceSeconds)
    before = found.before.map { ExplainedPeriod(periods[$0]) }
    self.next = next.map { ExplainedPeriod(periods[$0]) }
    let rows = EvidenceRows(
      own: own, before: found.before.map { places[$0].charge } ?? [],
      refund: places[place.period].cancellation.map { [$0] } ?? [],
      next: next.map { places[$0].charge } ?? [],
      reason: history.placeOfReason(ofPeriod: place.period, in: chain).map { [$0] } ?? [],
      priced: found.priced.map { places[$0].charge } ?? [],
      isNextLate: next.map { periods[$0].start > period.end } ?? false,
      isContinued: periods[place.period].fate == .renewed, decidesNotAtRisk: true,
      outcome: found.outcome)
    evidence = rows.evidence(of: found.counted)
  }
}

extension ReceiptChain {
  /// Returns the period that followed another one, as the fold has decided it; `nil` where nothing did.
  ///
  /// A period may be continued by one that began before it and lasts longer.
  func next(
    after index: Int, _ all: [ReceiptPeriod], toleranceSeconds: Int
  ) -> Int? {
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
