package import Storage
package import SubscriptionModel

/// Derives facts from customers' chains for every view: METRICS.md section 5, source `receipts`.
///
/// Family-shared chains and products that do not renew are left out.
package struct ReceiptFold {
  /// The counts so far.
  package private(set) var tally: Tally

  private var source: ReceiptFacts
  private var others: OtherReceiptFacts
  private var cohorts = ReusableArray<Int>()

  /// Creates a fold with an empty tally of `receipts`; `symbol` returns the symbol of a text, and adds it if it is new.
  package init(
    customers: ReceiptCustomers, tally: Tally, contingent: MarkedPrices = .none,
    symbol: @escaping (String) -> Symbol
  ) {
    self.tally = tally
    source = ReceiptFacts(customers, contingent, tally.monthSystem, symbol: symbol)
    others = OtherReceiptFacts(customers, tally.monthSystem)
    self.tally.usualTerms.stated = customers.settings.durations
  }

  /// Adds one customer's history.
  package mutating func add(_ history: borrowing ReceiptHistory) {
    for chain in history.chains where chain.isInRates { add(chain, history) }
    guard var grid = tally.others else { return }
    // Moved out, because a copy would be changed otherwise.
    tally.others = nil
    others.endCustomer(to: &grid)
    if history.hasRenewalInfo { grid.hasRenewalInfo = true }
    tally.others = grid
  }

  private mutating func addOtherFacts(of chain: ReceiptChain, _ history: borrowing ReceiptHistory) {
    guard var grid = tally.others else { return }
    tally.others = nil
    let (terms, filter) = (source.terms, tally.filter)
    others.add(
      chain, history, source, isCounted: { filter.admits(terms[$0].attributes) }, to: &grid)
    tally.others = grid
  }

  private mutating func add(_ chain: ReceiptChain, _ history: borrowing ReceiptHistory) {
    let periods = history.periods
    source.derive(chain, history)
    for period in periods[chain.periods] where period.event.isPaid {
      tally.addPaidDay(on: period.start.day)
      tally.lengths.add(period)
      tally.usualTerms.add(period)
    }
    tally.prices?.learn(source.terms)
    tally.prices?.add(chain, history, terms: source.termsOfPeriods)
    tally.includeFirstCharge(on: periods[chain.periods.lowerBound].start.day)
    for view in tally.fullViews {
      tally.views[view].add(
        source.derived, source.terms, .none, cohorts: &cohorts, addsCharges: true)
      if !source.derived.changes.isEmpty {
        tally.views[view].addSwitches(of: source.derived, source.terms)
      }
    }
    for view in tally.retentionViews {
      tally.views[view].addRetention(of: source.derived, source.terms)
    }
    source.forEachRefund(of: chain, history) { refund, _ in
      for view in tally.fullViews { tally.views[view].add(refund, source.terms) }
    }
    addOtherFacts(of: chain, history)
    guard tally.views.contains(where: { $0.lifetime != nil }) else { return }
    source.forEachLifetimeEvent(of: chain, history) { event, amounts in
      for view in tally.fullViews {
        tally.views[view].add(event, amounts, source.terms, source.derived.key)
      }
    }
  }
}

/// Derives the facts of the chains of receipts, with the terms of their charges.
package struct ReceiptFacts {
  private var numbered: ReceiptTerms
  private var builder: ReceiptFactBuilder
  /// Calendar or fiscal months.
  var monthSystem: MonthSystem { builder.monthSystem }
  /// The index of the terms of each period of the current chain.
  private(set) var termsOfPeriods: [Int] = []

  /// The terms that the facts refer to by index.
  package var terms: [ChargeTerms] { numbered.all }

  /// The facts of the current chain.
  var derived: ChainFacts { _read { yield builder.derived } }

  /// Creates one for the customers of a run.
  init(
    _ customers: ReceiptCustomers, _ contingent: MarkedPrices, _ months: MonthSystem,
    keepsPeriods: Bool = false, symbol: @escaping (String) -> Symbol
  ) {
    numbered = ReceiptTerms(
      symbols: customers.settings.symbols, contingent: contingent, symbol: symbol)
    builder = ReceiptFactBuilder(
      toleranceSeconds: customers.settings.toleranceSeconds,
      asOf: customers.asOf ?? Instant(seconds: 0), monthSystem: months)
    builder.derived.keepsPeriods = keepsPeriods
  }

  /// Numbers the terms of a chain's periods, without its facts.
  mutating func number(_ chain: ReceiptChain, _ history: borrowing ReceiptHistory) {
    numbered.number(chain, history.periods, into: &termsOfPeriods)
  }

  /// Replaces ``derived`` by the facts of a chain.
  mutating func derive(_ chain: ReceiptChain, _ history: borrowing ReceiptHistory) {
    number(chain, history)
    builder.derive(
      chain, history.periods, terms: termsOfPeriods, history.commitmentTerms(of: chain))
    builder.addMonthEnds(of: chain, history)
  }

  /// Calls `body` with each refund of the current chain and the index of its period.
  func forEachRefund(
    of chain: ReceiptChain, _ history: borrowing ReceiptHistory,
    _ body: (RefundFacts, _ period: Int) -> Void
  ) {
    for (number, index) in zip(termsOfPeriods, chain.periods) {
      let refund = RefundFacts(
        of: history.periods[index], terms: number, terms, derived.key, builder.monthSystem)
      if let refund { body(refund, index) }
    }
  }
}

extension RefundFacts {
  /// Creates the refund of a paid charge: its price, or the refunded part of it, rounded half up; `nil` without a
  /// refund.
  init?(
    of period: ReceiptPeriod, terms number: Int, _ terms: [ChargeTerms], _ key: ChainKey,
    _ months: MonthSystem
  ) {
    guard period.isRefunded, period.event.isPaid, let cancellation = period.event.cancellation
    else { return nil }
    var price = terms[number].price
    if period.refund == .partial, let refunded = period.event.refundedPrice {
      price.milliunits = min(refunded, price.milliunits)
    } else if period.refund == .partial, let percentage = period.event.revocationPercentage {
      let part = Int128(price.milliunits) * Int128(percentage)
      price.milliunits = Int64((part + 50_000) / 100_000)
    }
    self.init(
      price: price, proceeds: terms[number].proceeds, isFull: period.refund == .full,
      day: cancellation.day, month: months.month(of: cancellation.day),
      saleMonth: months.month(of: period.start.day), terms: number, key: key)
  }

  /// Returns whether the refund was not known on a day; `nil` for as-of.
  func isLate(on day: Day?) -> Bool {
    guard let day, let late = lateOutcome else { return false }
    return late.day > day
  }
}
