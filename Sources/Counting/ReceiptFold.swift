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
        factBuilder.derived, terms.all, .none, cohorts: &cohorts, addsCharges: true)
      if !factBuilder.derived.changes.isEmpty {
        tally.views[view].addSwitches(of: factBuilder.derived, terms.all)
      }
    }
    for view in tally.retentionViews {
      tally.views[view].addRetention(of: factBuilder.derived, terms.all)
    }
    for index in chain.periods {
      let refund = RefundFacts(
        of: periods[index], terms: termsOfPeriods[index - chain.periods.lowerBound], terms.all,
        factBuilder.derived.key, tally.monthSystem)
      guard let refund else { continue }
      for view in tally.fullViews { tally.views[view].add(refund, terms.all) }
    }
  }
}

extension RefundFacts {
  /// Creates the refund of a paid charge: its price, or the refunded part of it, rounded half up.
  ///
  /// - Parameters:
  ///   - period: The period of the charge; `nil` is returned for one that was not refunded.
  ///   - number: The index of its terms.
  ///   - terms: The terms.
  ///   - key: The key of its chain.
  ///   - months: Calendar or fiscal months.
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
}

extension RefundFacts {
  /// Returns whether the refund was not known on a day; `nil` for as-of.
  func isLate(on day: Day?) -> Bool {
    guard let day, let late = lateOutcome else { return false }
    return late.day > day
  }
}

/// A period of receipts that a row counts, or the refund of its charge.
package struct CountedReceipt: Sendable {
  package var counted: Counted
  /// The number that it adds.
  package var count = 1
  /// The start of its chain, and the kind of the chain's first charge.
  package var key = ChainKey(start: .unknown, offer: nil)
  /// The index of the chain in the history.
  package var chain: Int
  /// The index of the period in the history.
  package var period: Int
  /// The index of the period that an arrival follows; `nil` for other facts and for the first period.
  package var before: Int?
  /// The index of the period that replaced it as the chain's own, for a departure; of the next instalment of its
  /// term, for an instalment.
  package var replacement: Int?
  /// The index of the period whose price the instalments to come have, for the remaining ones.
  package var priced: Int?
  /// What followed an instalment, in commitments.
  package var outcome: InstalmentOutcome?
  /// The day on which the table knew something else than today; `nil` where it knew the same.
  package var knownOn: Day?
  /// The gap of a lapse before the next charge, in hundredths of days.
  package var gap: Int?
  /// The price of a charge, or the refunded part of it, in milliunits; else 0.
  package var price: Int64 = 0
  /// The currency of the row that counts a charge or a refund; `nil` for anything else.
  package var currency: Symbol?
  /// The number of the paid period, in retention.
  package var k: Int?
  /// The description of the charge.
  package var attributes = Attributes()
  /// Why the chain is not at risk at k, in retention; `nil` also for one that is shared by family.
  package var notAtRisk: NotAtRisk?

  /// Creates a period that is counted once.
  package init(counted: Counted, chain: Int, period: Int) {
    (self.counted, self.chain, self.period) = (counted, chain, period)
  }
}

// MARK: - Retention, and what a row leaves out

extension ExplainingReceiptFold {
  /// Calls `body` with each period of a customer whose charge is of the row's cohort, whatever the row counts of it.
  ///
  /// - Parameters:
  ///   - history: A builder that has built the customer's chains.
  ///   - body: Receives the period as a charge, in the order of chains and time; also periods that are shared by family.
  package mutating func forEachPeriodOfRow(
    _ history: borrowing ReceiptHistory, _ body: (CountedReceipt) -> Void
  ) {
    for (place, chain) in history.chains.enumerated() where chain.kind == .autoRenewable {
      terms.number(chain, history.periods, into: &termsOfPeriods)
      let key = ChainKey(chain, history.periods)
      let chainPart = index.chainPart(key)
      for (number, period) in zip(termsOfPeriods, chain.periods) {
        let attributes = terms.all[number].attributes
        let cohort = index.cohort(terms: number, attributes: attributes, chainPart: chainPart)
        guard let cohort, isAsked(cohort) else { continue }
        var own = CountedReceipt(counted: .charge, chain: place, period: period)
        (own.key, own.attributes) = (key, attributes)
        body(own)
      }
    }
  }

  /// Passes the chain's paid period k, or each from `k` to `lastK`, if the row of retention counts it, else why the
  /// chain is not at risk at k.
  mutating func passRetention(
    _ chain: Int, _ history: borrowing ReceiptHistory, _ body: (CountedReceipt) -> Void
  ) {
    guard let k = row.k, isOfRowInRetention() else { return }
    guard let outcome = builder.derived.survival, outcome.k >= k, let period = periodOfK[k]?.index
    else {
      guard counted.contains(.notAtRisk) else { return }
      let (rule, place) = rule(history.chains[chain], history, k)
      var own = receipt(.notAtRisk, chain, place)
      own.notAtRisk = rule
      return body(own)
    }
    for step in k...max(k, min(outcome.k, row.lastK ?? k)) {
      guard let period = step == k ? period : periodOfK[step]?.index else { continue }
      let isLost = outcome.k == step && outcome.isLost
      for what in [Counted.atRisk, isLost ? .lost : .kept] where counted.contains(what) {
        var own = receipt(what, chain, period)
        own.k = step
        body(own)
      }
    }
  }

  /// Passes the chains of the row of retention that are shared by family.
  mutating func passShared(
    _ history: borrowing ReceiptHistory, _ body: (CountedReceipt) -> Void
  ) {
    for (place, chain) in history.chains.enumerated()
    where chain.kind == .autoRenewable && !chain.isInRates {
      derive(chain, history)
      if isOfRowInRetention() { body(receipt(.notAtRisk, place, chain.periods.lowerBound)) }
    }
  }

  /// Returns whether retention has the current chain in the row's cohort.
  private mutating func isOfRowInRetention() -> Bool {
    let chainPart = index.chainPart(builder.derived.key)
    return isAsked(
      ViewTally.cohortOfSurvival(
        of: builder.derived, terms.all, &index, chainPart, ofFirst: cohorts[0]))
  }

  /// Returns why a chain is not at risk at k, and the index of the period that decides it.
  private func rule(
    _ chain: ReceiptChain, _ history: borrowing ReceiptHistory, _ k: Int
  ) -> (NotAtRisk, period: Int) {
    let first = chain.periods.lowerBound
    guard let outcome = builder.derived.survival else { return (.startUnknown, first) }
    if outcome.isLost, let lost = periodOfK[outcome.k] {
      return (.lost(k: outcome.k), lost.index)
    }
    let count = periodOfK.count
    if count >= k, let next = periodOfK[outcome.k + 1] {
      return (.undecided(k: outcome.k + 1, end: next.end.day), next.index)
    }
    if let unknownTerm { return (.placeUnknown, unknownTerm) }
    let cutShort = history.commitmentTerms(of: chain).count {
      if case .changed = $0.ending { true } else { false }
    }
    return (.fewer(paidPeriods: count, cutShort: cutShort), periodOfK[count]?.index ?? first)
  }
}
