package import Storage
package import SubscriptionModel

/// Finds the periods and refunds that a row of a table counts.
///
/// `Source` derives the facts of a chain, each with its period: ``ChainFold`` from charges, ``ReceiptFacts`` from
/// receipts.
package struct ExplainingFold<Source> {
  var source: Source
  var finder: RowFinder
  /// What other tools count of receipts otherwise; `nil` if the row does not need it, and of charges.
  var others: (facts: OtherReceiptFacts, grid: OtherGrid)?
}

// MARK: - Charges

extension ExplainingFold where Source == ChainFold {
  /// Creates a fold of charges.
  ///
  /// - Parameters:
  ///   - row: The row to explain.
  ///   - counted: What its columns count.
  ///   - terms: The terms that periods refer to by index.
  ///   - completeness: The days that the data cover; the table was settled on its as-of.
  ///   - months: The first and last month that the table can have.
  package init(
    _ row: CountedRow, _ counted: Set<Counted>, terms: [ChargeTerms], _ completeness: Completeness,
    months: ClosedRange<Month>
  ) {
    finder = RowFinder(row, counted, completeness.monthSystem, asOf: completeness.asOf)
    var tally = Tally(
      source: .subscribers, views: [], filter: row.filter, months: months,
      monthSystem: completeness.monthSystem)
    if finder.needsOthers { tally.others = OtherGrid(keepsPeriods: true) }
    source = ChainFold(
      terms: terms, completeness: completeness, tally: tally, lastDay: completeness.asOf)
    source.derived.keepsPeriods = true
    source.derivesRetention = finder.needs.retention
  }

  /// Finds what the row counts of one subscriber.
  ///
  /// - Parameters:
  ///   - history: A builder that has built the subscriber's chains.
  ///   - body: Receives each period and refund that the row counts.
  package mutating func add(
    _ history: borrowing ChainBuilder, _ body: (CountedPeriod) -> Void
  ) {
    if finder.needs.chains {
      for number in history.chains.indices {
        let chain = history.chains[number]
        source.derive(chain, history)
        let place = RowFinder.Place(
          number: number, start: chain.start, isGivenAway: chain.givenAway != nil,
          cutShort: finder.needs.retention ? source.cutShort(chain, history.periods) : 0)
        finder.find(in: source.derived, of: place, source.terms, body)
      }
    }
    if finder.needsLifetime { addLifetimes(history, body) }
    if finder.needsOthers { addOthers(history, body) }
    guard finder.needs.refunds else { return }
    for place in history.refunds.indices {
      let refund = history.refunds[place]
      finder.find(source.facts(of: refund, history), source.terms) { found in
        var found = found
        (found.chain, found.period) = (refund.charge?.chain, refund.charge?.period)
        found.refund = place
        body(found)
      }
    }
  }

  /// Returns the key of a chain if a charge of the chain is of the row's cohort, whatever the row counts of it.
  ///
  /// - Parameters:
  ///   - number: The index of the terms of the charge.
  ///   - chain: The index of the chain.
  ///   - history: A builder that has built the subscriber's chains.
  /// - Returns: The key; `nil` for a charge of another cohort.
  package mutating func keyOfRow(
    terms number: UInt32, ofChain chain: Int, _ history: borrowing ChainBuilder
  ) -> ChainKey? {
    let key = ChainKey(
      history.chains[chain], history.periods, source.terms, firstDay: history.firstFileDay)
    return finder.isOfRow(terms: Int(number), source.terms, key) ? key : nil
  }
}

extension ChainFold {
  /// Returns the number of paid periods and terms of the current chain that a change of product or plan cut short.
  fileprivate func cutShort(_ chain: Chain, _ periods: ReusableArray<Period>) -> Int {
    let terms = commitments.count { if case .changed = $0.ending { true } else { false } }
    return terms
      + chain.periods.count { place in
        let period = periods[place]
        return period.ending == .changedProduct && period.instalment == .none
          && kindOfTerms[Int(period.terms)].isPaid
      }
  }
}

// MARK: - Receipts

extension ExplainingFold where Source == ReceiptFacts {
  /// Creates a fold of receipts.
  ///
  /// - Parameters:
  ///   - row: The row to explain.
  ///   - counted: What its columns count.
  ///   - customers: The customers of the run.
  ///   - contingent: Prices that reports of the run mark as contingent.
  ///   - monthSystem: Calendar or fiscal months.
  ///   - symbol: Returns the symbol of a text, as it did in the run.
  package init(
    _ row: CountedRow, _ counted: Set<Counted>, customers: ReceiptCustomers,
    contingent: MarkedPrices, monthSystem: MonthSystem, symbol: @escaping (String) -> Symbol
  ) {
    source = ReceiptFacts(customers, contingent, monthSystem, keepsPeriods: true, symbol: symbol)
    // Each chain is counted at its own as-of: no period is open.
    finder = RowFinder(row, counted, monthSystem, asOf: .last)
    if finder.needsOthers {
      others = (
        OtherReceiptFacts(customers, monthSystem, keepsPeriods: true), OtherGrid(keepsPeriods: true)
      )
    }
  }

  /// Finds what the row counts of one customer.
  ///
  /// - Parameters:
  ///   - history: A builder that has built the customer's chains.
  ///   - body: Receives each period and refund that the row counts.
  package mutating func add(
    _ history: borrowing ReceiptHistory, _ body: (CountedPeriod) -> Void
  ) {
    guard
      finder.needs.chains || finder.needs.refunds || finder.needsLifetime || finder.needsOthers
    else { return }
    for number in history.chains.indices where history.chains[number].isInRates {
      let chain = history.chains[number]
      source.derive(chain, history)
      let cutShort =
        finder.needs.retention
        ? history.commitmentTerms(of: chain).count {
          if case .changed = $0.ending { true } else { false }
        } : 0
      let place = RowFinder.Place(
        number: number, start: chain.isStartKnown ? .known : .before, isGivenAway: false,
        cutShort: cutShort)
      finder.find(in: source.derived, of: place, source.terms, body)
      if finder.needsLifetime { addLifetime(chain, number, history, body) }
      if finder.needsOthers { noteOthers(of: chain, history) }
      guard finder.needs.refunds else { continue }
      source.forEachRefund(of: chain, history) { refund, period in
        finder.find(refund, source.terms) { found in
          var found = found
          (found.chain, found.period) = (number, period)
          body(found)
        }
      }
    }
    if finder.needsOthers { addOthers(history, body) }
    if finder.row.k != nil, finder.counted.contains(.notAtRisk) { addShared(history, body) }
  }

  /// Finds the chains of the row of retention that are shared by family.
  private mutating func addShared(
    _ history: borrowing ReceiptHistory, _ body: (CountedPeriod) -> Void
  ) {
    for (number, chain) in history.chains.enumerated()
    where chain.kind == .autoRenewable && !chain.isInRates {
      source.derive(chain, history)
      guard finder.isOfRowInRetention(source.derived, source.terms) else { continue }
      body(
        source.charge(chain.periods.lowerBound, chain, number, .notAtRisk, source.derived.key))
    }
  }

  /// Calls `body` with each period of a customer whose charge is of the row's cohort, whatever the row counts of it.
  ///
  /// - Parameters:
  ///   - history: A builder that has built the customer's chains.
  ///   - body: Receives the period as a charge, in the order of chains and time; also periods that are shared by family.
  package mutating func forEachPeriodOfRow(
    _ history: borrowing ReceiptHistory, _ body: (CountedPeriod) -> Void
  ) {
    for (number, chain) in history.chains.enumerated() where chain.kind == .autoRenewable {
      source.number(chain, history)
      let key = ChainKey(chain, history.periods)
      for (terms, period) in zip(source.termsOfPeriods, chain.periods)
      where finder.isOfRow(terms: terms, source.terms, key) {
        body(source.charge(period, chain, number, .charge, key))
      }
    }
  }
}

extension ReceiptFacts {
  /// Returns a period of the current chain.
  fileprivate func charge(
    _ period: Int, _ chain: ReceiptChain, _ number: Int, _ counted: Counted, _ key: ChainKey
  ) -> CountedPeriod {
    var one = CountedPeriod(counted: counted, chain: number, period: period)
    one.key = key
    one.attributes = terms[termsOfPeriods[period - chain.periods.lowerBound]].attributes
    return one
  }
}
