package import Storage
package import SubscriptionModel

/// Finds the periods and refunds that a row of a table counts.
///
/// `Source` has the facts of a chain with their periods: ``ChainFold`` for charges, ``ReceiptFacts`` for receipts.
package struct ExplainingFold<Source> {
  var source: Source
  var finder: RowFinder
  /// What other tools count of receipts otherwise; `nil` if the row does not need it, and of charges.
  var others: (facts: OtherReceiptFacts, grid: OtherGrid)?
}

// MARK: - Charges

extension ExplainingFold where Source == ChainFold {
  /// Creates a fold of charges; the table was settled on the as-of of `completeness`, and can have `months`.
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

  /// Finds what the row counts of one subscriber, whose chains `history` has built.
  package mutating func add(_ history: borrowing ChainBuilder, _ body: (CountedPeriod) -> Void) {
    if finder.needs.chains {
      for number in history.chains.indices {
        let chain = history.chains[number]
        let end = chain.periods.reduce(Day.first) { max($0, history.periods[$1].end) }
        guard finder.mayCount(history.periods[chain.periods.lowerBound].start, end) else {
          continue
        }
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

  /// Returns the key of a chain if a charge of it, with the terms of a number, is of the row's cohort; else `nil`.
  ///
  /// It does not matter what the row counts of the charge.
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
  /// Creates a fold of receipts; `symbol` returns the symbol of a text as it did in the run.
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

  /// Finds what the row counts of one customer, whose chains `history` has built.
  package mutating func add(_ history: borrowing ReceiptHistory, _ body: (CountedPeriod) -> Void) {
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
      body(source.charge(chain.periods.lowerBound, chain, number, .notAtRisk, source.derived.key))
    }
  }

  /// Calls `body` with each period of a customer whose charge is of the row's cohort, whatever the row counts of it.
  ///
  /// They are charges in the order of chains and time; also those that are shared by family.
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

/// The chains, charges and refunds that a row of lifetime value counts: METRICS.md 11.3.
extension ExplainingFold where Source == ChainFold {
  mutating func addLifetimes(_ history: borrowing ChainBuilder, _ body: (CountedPeriod) -> Void) {
    guard let (place, starts) = finder.row.lifetime else { return }
    for number in history.chains.indices where history.chains[number].start == .known {
      let chain = history.chains[number]
      let first = history.periods[chain.periods.lowerBound]
      guard starts.contains(first.start.month),
        let key = keyOfRow(terms: first.terms, ofChain: number, history)
      else { continue }
      let end = LifetimeWindow.end(place, from: first.start)
      var found = LifetimeFinder(finder, key, number, amount(first.terms).currency)
      guard found.start(chain.periods.lowerBound, attributes(first.terms), body) else { continue }
      for index in chain.periods {
        let period = history.periods[index]
        found.addCharge(
          index, attributes(period.terms), amount(period.terms),
          isPaid: source.kindOfTerms[Int(period.terms)].isPaid, isLate: period.start >= end, body)
      }
      found.endCharges(chain.periods.lowerBound, attributes(first.terms), body)
      for (place, refund) in history.refunds.enumerated() {
        guard let charge = refund.charge, charge.chain == number else { continue }
        found.add(
          .refund, charge.period, attributes(history.periods[charge.period].terms),
          amount(refund.terms), refund: place, isLate: refund.day >= end, body)
      }
    }
  }

  private func attributes(_ terms: UInt32) -> Attributes { source.terms[Int(terms)].attributes }

  private func amount(_ terms: UInt32) -> Amount {
    let own = source.terms[Int(terms)]
    return finder.row.isOfProceeds ? own.proceeds : own.price
  }
}

extension ExplainingFold where Source == ReceiptFacts {
  /// Adds those of the current chain of receipts.
  mutating func addLifetime(
    _ chain: ReceiptChain, _ number: Int, _ history: borrowing ReceiptHistory,
    _ body: (CountedPeriod) -> Void
  ) {
    guard let (place, starts) = finder.row.lifetime, chain.isStartKnown,
      let firstTerms = source.termsOfPeriods.first
    else { return }
    let start = history.periods[chain.periods.lowerBound].start.day
    let key = source.derived.key
    let terms = source.terms
    guard starts.contains(start.month), finder.isOfRow(terms: firstTerms, terms, key) else {
      return
    }
    let end = LifetimeWindow.end(place, from: start)
    var found = LifetimeFinder(finder, key, number, terms[firstTerms].price.currency)
    let first = chain.periods.lowerBound
    guard found.start(first, terms[firstTerms].attributes, body) else { return }
    for (own, index) in zip(source.termsOfPeriods, chain.periods) {
      let period = history.periods[index]
      found.addCharge(
        index, terms[own].attributes, terms[own].price, isPaid: period.event.isPaid,
        isLate: period.start.day >= end, body)
    }
    found.endCharges(first, terms[firstTerms].attributes, body)
    source.forEachRefund(of: chain, history) { refund, period in
      found.add(
        .refund, period, terms[refund.terms].attributes, refund.price, isLate: refund.day >= end,
        body)
    }
  }
}

/// Makes the contributions of one chain to a row of lifetime value, and finds what the row does not count of it.
private struct LifetimeFinder {
  private let counted: Set<Counted>
  /// Whether the chain's first charge has the currency of the row.
  private let isOfRow: Bool
  private let currency: Symbol
  private let key: ChainKey
  private let chain: Int
  private var isPaying = false

  init(_ finder: RowFinder, _ key: ChainKey, _ chain: Int, _ currency: Symbol) {
    isOfRow = finder.isOfCurrency(currency)
    (counted, self.currency, self.key, self.chain) = (finder.counted, currency, key, chain)
  }

  /// Adds the chain by its first period; returns whether it is of the row.
  func start(_ period: Int, _ attributes: Attributes, _ body: (CountedPeriod) -> Void) -> Bool {
    find(.started, period, attributes, isOfRow ? nil : .otherCurrency, body)
    return isOfRow
  }

  mutating func addCharge(
    _ period: Int, _ attributes: Attributes, _ amount: Amount, isPaid: Bool, isLate: Bool,
    _ body: (CountedPeriod) -> Void
  ) {
    guard isPaid else { return find(.charge, period, attributes, .free, body) }
    if !isPaying, !isLate {
      find(.paying, period, attributes, nil, body)
      isPaying = true
    }
    add(.charge, period, attributes, amount, isLate: isLate, body)
  }

  /// Finds a chain that has not paid, after its charges.
  func endCharges(_ first: Int, _ attributes: Attributes, _ body: (CountedPeriod) -> Void) {
    if !isPaying { find(.paying, first, attributes, .notPaid, body) }
  }

  /// Adds a charge or a refund.
  func add(
    _ kind: LifetimeGrid.Kind, _ period: Int, _ attributes: Attributes, _ amount: Amount,
    refund: Int? = nil, isLate: Bool, _ body: (CountedPeriod) -> Void
  ) {
    let rule: NotInLifetime? = amount.currency != currency ? .otherCurrency : isLate ? .late : nil
    find(kind, period, attributes, rule) { found in
      var found = found
      (found.price, found.currency, found.refund) = (amount.milliunits, currency, refund)
      body(found)
    }
  }

  private func find(
    _ kind: LifetimeGrid.Kind, _ period: Int, _ attributes: Attributes, _ rule: NotInLifetime?,
    _ body: (CountedPeriod) -> Void
  ) {
    let what = rule == nil ? Counted.lifetime(kind) : .notInLifetime(kind)
    guard counted.contains(what) else { return }
    var one = CountedPeriod(counted: what, chain: chain, period: period)
    (one.key, one.attributes, one.notInLifetime) = (key, attributes, rule)
    body(one)
  }
}

/// The periods behind what other tools count otherwise: METRICS.md 11.5.
extension ExplainingFold where Source == ChainFold {
  mutating func addOthers(_ history: borrowing ChainBuilder, _ body: (CountedPeriod) -> Void) {
    source.addOtherFacts(history)
    guard let notes = source.others?.takeNotes(of: finder.row.month, on: finder.asOf) else {
      return
    }
    var parts = OtherParts()
    for note in notes {
      guard
        let number = history.chains.indices.first(where: {
          history.chains[$0].periods.contains(note.period)
        })
      else { continue }
      var period = note.period
      if note.fact == .furtherPlaces {
        // The last charge by then.
        let last = history.chains[number].periods.last {
          source.kindOfTerms[Int(history.periods[$0].terms)].isPaid
            && source.months[history.periods[$0].start] <= finder.row.month
        }
        period = last ?? period
      }
      parts.add(note, number, period)
    }
    for part in parts.all {
      let chain = history.chains[part.chain]
      let key = ChainKey(chain, history.periods, source.terms, firstDay: history.firstFileDay)
      let terms = source.terms[Int(history.periods[part.period].terms)]
      if let one = finder.found(part, key, terms.attributes) { body(one) }
    }
  }
}

extension ExplainingFold where Source == ReceiptFacts {
  /// Notes those of the current chain.
  mutating func noteOthers(of chain: ReceiptChain, _ history: borrowing ReceiptHistory) {
    guard var own = others else { return }
    others = nil
    let (terms, filter) = (source.terms, finder.row.filter)
    own.facts.add(
      chain, history, source, isCounted: { filter.admits(terms[$0].attributes) }, to: &own.grid)
    others = own
  }

  /// Finds those of all chains of the customer.
  mutating func addOthers(_ history: borrowing ReceiptHistory, _ body: (CountedPeriod) -> Void) {
    guard var own = others else { return }
    others = nil
    own.facts.endCustomer(to: &own.grid)
    let notes = own.grid.takeNotes(of: finder.row.month, on: finder.asOf)
    others = own
    var parts = OtherParts()
    for note in notes {
      guard let number = history.chains.firstIndex(where: { $0.periods.contains(note.period) })
      else { continue }
      var period = note.period
      if note.fact.isStock {
        // The last charge by then.
        let last = history.chains[number].periods.last {
          history.periods[$0].event.isPaid
            && source.monthSystem.month(of: history.periods[$0].start.day) <= finder.row.month
        }
        period = last ?? period
      }
      parts.add(note, number, period)
    }
    for part in parts.all {
      let chain = history.chains[part.chain]
      source.number(chain, history)
      let number = source.termsOfPeriods[part.period - chain.periods.lowerBound]
      let key = ChainKey(chain, history.periods)
      if let one = finder.found(part, key, source.terms[number].attributes) { body(one) }
    }
  }
}

/// What the periods of a customer add to other tools' counts; one period of a fact and a value is one part.
struct OtherParts {
  struct Part {
    let fact: OtherFact
    let value: ChargeValue?
    let chain: Int
    let period: Int
    var count: Int
  }

  private(set) var all: [Part] = []

  mutating func add(
    _ note: (fact: OtherFact, value: ChargeValue?, period: Int, count: Int), _ chain: Int,
    _ period: Int
  ) {
    let place = all.firstIndex {
      $0.fact == note.fact && $0.period == period && $0.value == note.value
    }
    if let place { return all[place].count += note.count }
    all.append(
      Part(fact: note.fact, value: note.value, chain: chain, period: period, count: note.count))
  }
}

extension RowFinder {
  /// Returns a part that the row counts; `nil` for any other, and where parts cancel out.
  fileprivate func found(
    _ part: OtherParts.Part, _ key: ChainKey, _ attributes: Attributes
  ) -> CountedPeriod? {
    guard part.count != 0, counted.contains(.other(part.fact)) else { return nil }
    var one = CountedPeriod(counted: .other(part.fact), chain: part.chain, period: part.period)
    (one.month, one.key, one.attributes, one.count) = (row.month, key, attributes, part.count)
    if let value = part.value {
      let worth = row.monthly(value).result
      guard isOfCurrency(worth.currency) else { return nil }
      (one.price, one.currency) = (Int64(part.count) * worth.milliunits, worth.currency)
    }
    return one
  }
}
