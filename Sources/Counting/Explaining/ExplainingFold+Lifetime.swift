import Storage
import SubscriptionModel

/// The chains, charges and refunds that a row of lifetime value counts: METRICS.md 11.3.
extension ExplainingFold where Source == ChainFold {
  mutating func addLifetimes(
    _ history: borrowing ChainBuilder, _ body: (CountedPeriod) -> Void
  ) {
    guard let (place, starts) = finder.row.lifetime else { return }
    for number in history.chains.indices where history.chains[number].start == .known {
      let chain = history.chains[number]
      let first = history.periods[chain.periods.lowerBound]
      guard starts.contains(first.start.month),
        let key = keyOfRow(terms: first.terms, ofChain: number, history)
      else { continue }
      let end = LifetimeWindow.end(place, from: first.start)
      var found = LifetimeFinder(finder, key, number, amount(first.terms).currency)
      guard found.isOfRow else { continue }
      found.add(.started, chain.periods.lowerBound, attributes(first.terms), nil, body)
      for index in chain.periods {
        let period = history.periods[index]
        guard source.kindOfTerms[Int(period.terms)].isPaid, period.start < end else { continue }
        found.addCharge(index, attributes(period.terms), amount(period.terms), body)
      }
      for (place, refund) in history.refunds.enumerated() {
        guard let charge = refund.charge, charge.chain == number, refund.day < end else { continue }
        found.add(
          .refund, charge.period, attributes(history.periods[charge.period].terms),
          amount(refund.terms), refund: place, body)
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
    guard found.isOfRow else { return }
    found.add(.started, chain.periods.lowerBound, terms[firstTerms].attributes, nil, body)
    for (own, index) in zip(source.termsOfPeriods, chain.periods) {
      let period = history.periods[index]
      guard period.event.isPaid, period.start.day < end else { continue }
      found.addCharge(index, terms[own].attributes, terms[own].price, body)
    }
    source.forEachRefund(of: chain, history) { refund, period in
      guard refund.day < end else { return }
      found.add(.refund, period, terms[refund.terms].attributes, refund.price, body)
    }
  }
}

/// Makes the contributions of one chain to a row of lifetime value.
private struct LifetimeFinder {
  /// Whether the chain's first charge has the currency of the row.
  let isOfRow: Bool
  private let counted: Set<Counted>
  private let currency: Symbol
  private let key: ChainKey
  private let chain: Int
  private var isPaying = false

  init(_ finder: RowFinder, _ key: ChainKey, _ chain: Int, _ currency: Symbol) {
    isOfRow = finder.isOfCurrency(currency)
    (counted, self.currency, self.key, self.chain) = (finder.counted, currency, key, chain)
  }

  mutating func addCharge(
    _ period: Int, _ attributes: Attributes, _ amount: Amount, _ body: (CountedPeriod) -> Void
  ) {
    if !isPaying { add(.paying, period, attributes, nil, body) }
    isPaying = true
    add(.charge, period, attributes, amount, body)
  }

  func add(
    _ kind: LifetimeGrid.Kind, _ period: Int, _ attributes: Attributes, _ amount: Amount?,
    refund: Int? = nil, _ body: (CountedPeriod) -> Void
  ) {
    guard counted.contains(.lifetime(kind)) else { return }
    var one = CountedPeriod(counted: .lifetime(kind), chain: chain, period: period)
    (one.key, one.attributes, one.refund) = (key, attributes, refund)
    if let amount {
      guard amount.currency == currency else { return }
      (one.price, one.currency) = (amount.milliunits, currency)
    }
    body(one)
  }
}
