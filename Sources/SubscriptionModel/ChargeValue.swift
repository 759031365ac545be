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

/// What a charge is worth a month, and how that is computed: METRICS.md 11.1.
package struct MonthlyValue: Sendable {
  /// What was paid for the term; one with a blank currency is not known.
  package let amount: Amount
  package let term: Term
  /// The factor of the amount, as a fraction.
  package let factor: (above: Int128, below: Int128)

  /// Creates the value of an amount, by our factor if no other one is given.
  ///
  /// A month is a twelfth of a mean year of 365.25 days: 3.99 a week are 17.349 a month, 59.99 a year 4.999.
  package init(_ amount: Amount, of term: Term, times factor: (Int128, Int128)? = nil) {
    (self.amount, self.term) = (amount, term)
    self.factor =
      factor
      ?? (term.months > 0 ? (1, Int128(term.months)) : (1_461, 48 * Int128(max(1, term.days))))
  }

  /// The amount times the factor, rounded half up to the milliunit.
  package var result: Amount {
    let month = (Int128(amount.milliunits) * factor.above).dividedHalfUp(by: factor.below)
    return Amount(milliunits: Int64(clamping: month), currency: amount.currency)
  }
}
