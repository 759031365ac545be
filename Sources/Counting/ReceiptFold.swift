package import Storage
package import SubscriptionModel

/// Derives facts from customers' chains for every view: METRICS.md section 5, source `receipts`.
///
/// Family-shared chains and products that do not renew are left out.
package struct ReceiptFold {
  /// The counts so far.
  package private(set) var tally: Tally

  private var terms: ReceiptTerms
  private var factBuilder: ReceiptFactBuilder
  private var termsOfPeriods: [Int] = []
  private var cohorts = ReusableArray<Int>()

  /// Creates a fold.
  ///
  /// - Parameters:
  ///   - customers: The customers of the run.
  ///   - tally: An empty tally of source `receipts` to add to.
  ///   - contingent: Prices that reports of the run mark as contingent.
  ///   - symbol: Returns the symbol of a text, adding it if new; needed for the values of the dimension `price`.
  package init(
    customers: ReceiptCustomers, tally: Tally, contingent: MarkedPrices = .none,
    symbol: @escaping (String) -> Symbol
  ) {
    self.tally = tally
    terms = ReceiptTerms(
      symbols: customers.settings.symbols, contingent: contingent, symbol: symbol)
    factBuilder = ReceiptFactBuilder(
      toleranceSeconds: customers.settings.toleranceSeconds,
      asOf: customers.asOf ?? Instant(seconds: 0), monthSystem: tally.monthSystem)
  }

  /// Adds one customer's history.
  ///
  /// - Parameter history: A builder that has built the customer's chains.
  package mutating func add(_ history: borrowing ReceiptHistory) {
    for chain in history.chains where chain.isInRates {
      add(chain, history, history.commitmentTerms(of: chain))
    }
  }

  private mutating func add(
    _ chain: ReceiptChain, _ history: borrowing ReceiptHistory,
    _ commitments: [CommitmentTerm<Instant>]
  ) {
    let periods = history.periods
    terms.number(chain, periods, into: &termsOfPeriods)
    for period in periods[chain.periods] where period.event.isPaid {
      tally.addPaidDay(on: period.start.day)
      tally.lengths.add(period)
    }
    tally.prices?.learn(terms.all)
    tally.prices?.add(chain, history, terms: termsOfPeriods)
    tally.includeFirstCharge(on: periods[chain.periods.lowerBound].start.day)
    factBuilder.derive(chain, periods, terms: termsOfPeriods, commitments)
    for view in tally.fullViews {
      tally.views[view].add(
        factBuilder.derived, terms.all, [], cohorts: &cohorts, addsCharges: true)
      if !factBuilder.derived.changes.isEmpty {
        tally.views[view].addSwitches(of: factBuilder.derived, terms.all)
      }
    }
    for view in tally.retentionViews {
      tally.views[view].addRetention(of: factBuilder.derived, terms.all)
    }
    for index in chain.periods where periods[index].isRefunded && periods[index].event.isPaid {
      guard let refund = refund(of: periods[index], index - chain.periods.lowerBound) else {
        continue
      }
      for view in tally.fullViews { tally.views[view].add(refund, terms.all) }
    }
  }

  private func month(of instant: Instant) -> Month { tally.monthSystem.month(of: instant.day) }

  /// Returns the refund of a charge: its price, or the refunded part of it, rounded half up.
  private func refund(of period: ReceiptPeriod, _ index: Int) -> RefundFacts? {
    guard let cancellation = period.event.cancellation else { return nil }
    var price = terms.all[termsOfPeriods[index]].price
    let proceeds = terms.all[termsOfPeriods[index]].proceeds
    if period.refund == .partial, let percentage = period.event.revocationPercentage {
      let part = Int128(price.milliunits) * Int128(percentage)
      price.milliunits = Int64((part + 50_000) / 100_000)
    }
    return RefundFacts(
      price: price, proceeds: proceeds, isFull: period.refund == .full,
      day: cancellation.day, month: month(of: cancellation), saleMonth: month(of: period.start),
      terms: termsOfPeriods[index], key: factBuilder.derived.key)
  }
}
