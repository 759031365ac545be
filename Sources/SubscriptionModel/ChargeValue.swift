package import Storage

/// The amounts of a charge, and the term that it pays for: METRICS.md 11.1.
///
/// Two charges of equal value have the same monthly value. Tallies count values and not sums of money, so that each
/// charge can be rounded and converted by itself.
package struct ChargeValue: Hashable, Sendable {
  /// The customer price; a blank currency for a charge of receipts without a price.
  package var price: Amount
  /// The developer's proceeds.
  package var proceeds: Amount
  /// The term that the charge pays for.
  package var term: Term
  /// For receipts, the product whose usual term counts in place of ``term``; blank for a charge that has its own.
  package var product: Symbol
  /// The kind of charge.
  package var kind: ChargeKind

  package init(
    price: Amount, proceeds: Amount, term: Term, product: Symbol = .blank, kind: ChargeKind
  ) {
    (self.price, self.proceeds, self.term) = (price, proceeds, term)
    (self.product, self.kind) = (product, kind)
  }

  /// No value.
  package static let blank = ChargeValue(
    price: .blank, proceeds: .blank, term: Term(days: 0), kind: .standard)

  /// Writes or reads the value.
  package mutating func code(with coder: inout some ValueCoder) {
    price.code(with: &coder)
    proceeds.code(with: &coder)
    term.code(with: &coder)
    coder.symbol(&product)
    coder.word(&kind)
  }
}

extension Int64 {
  /// Returns an amount in milliunits per month, rounded half up to the milliunit.
  ///
  /// A month is a twelfth of a mean year of 365.25 days: 3.99 a week are 17.349 a month, 59.99 a year 4.999.
  ///
  /// - Parameter term: The term that the amount pays for.
  /// - Returns: Milliunits.
  package func perMonth(of term: Term) -> Int128 {
    let (factor, divisor): (Int128, Int128) =
      term.months > 0 ? (1, Int128(term.months)) : (1_461, 48 * Int128(Swift.max(1, term.days)))
    return (Int128(self) * factor).dividedHalfUp(by: divisor)
  }
}
