public import Storage

/// The kind of charge that bought a period: METRICS.md section 1.
@usableFromInline
package enum ChargeKind: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  /// A charge at the standard price.
  case standard
  /// A free introductory period.
  case trial
  /// A paid introductory period: pay as you go, or pay up front.
  case intro
  /// A promotional offer, an offer code or a win-back offer, free or paid.
  case offer
}

/// How the price of an offer is paid.
@usableFromInline
package enum OfferMode: UInt8, Sendable {
  /// No offer: the standard price.
  case none
  /// No payment for the offer's duration.
  case freeTrial
  /// One payment for the offer's whole duration.
  case payUpFront
  /// One payment for each standard duration while the offer lasts.
  case payAsYouGo
}

/// An exact amount of one currency.
@usableFromInline
package struct Amount: Hashable, Sendable {
  /// The amount in milliunits, not negative: 9.99 is 9,990.
  @usableFromInline
  package var milliunits: Int64
  /// The currency's ISO 4217 code.
  @usableFromInline
  package var currency: Symbol

  /// Creates an amount.
  @inlinable
  package init(milliunits: Int64, currency: Symbol) {
    self.milliunits = milliunits
    self.currency = currency
  }

  /// No amount.
  package static let blank = Amount(milliunits: 0, currency: .blank)

  /// Writes or reads the amount.
  package mutating func code(with coder: inout some ValueCoder) {
    coder.integer(&milliunits)
    coder.symbol(&currency)
  }
}

/// All fields of a SUBSCRIBER row except the subscriber, the days, the units and the refund flag.
@usableFromInline
package struct ChargeTerms: Hashable, Sendable {
  /// The values that views can group by.
  @usableFromInline
  package var attributes: Attributes
  /// The kind of charge.
  @usableFromInline
  package var kind: ChargeKind
  /// How an offer on the row is paid.
  @usableFromInline
  package var offerMode: OfferMode
  /// The product's standard duration.
  @usableFromInline
  package var standardTerm: Term
  /// The offer's duration, if the row has one.
  @usableFromInline
  package var offerTerm: Term?
  /// The extra time for a marketing opt-in, if the row has one.
  @usableFromInline
  package var optInTerm: Term?
  /// The customer's price per unit, without sign.
  @usableFromInline
  package var price: Amount
  /// The developer's proceeds per unit, without sign.
  ///
  /// In the customer's currency if the row has no currency of proceeds.
  @usableFromInline
  package var proceeds: Amount
  /// Whether the customer keeps a former price of the product: Preserved Pricing.
  package var isPreserved = false
  /// Whether the price is lower because the customer has another subscription: Contingent App Name.
  package var isContingent = false
  /// The billing plan, if a column states it.
  package var statedPlan: BillingPlan?
  /// The number of the instalment in its term from 1, if a column states it; otherwise 0.
  package var statedPosition: UInt8 = 0
  /// The billing plan, once the run has determined which products are sold in instalments.
  @usableFromInline
  package var plan = BillingPlan.upfront
  /// For receipts, the time between purchase and expiry; `nil` for SUBSCRIBER rows, whose columns have the term.
  package var span: Term?
  /// For receipts, whether the charge pays for the usual term of its product, not for ``span``: METRICS.md 11.1.
  package var hasUsualTerm = false

  /// Creates terms.
  @inlinable
  package init(
    attributes: Attributes, kind: ChargeKind, offerMode: OfferMode, standardTerm: Term,
    offerTerm: Term?, optInTerm: Term?, price: Amount, proceeds: Amount
  ) {
    self.attributes = attributes
    self.kind = kind
    self.offerMode = offerMode
    self.standardTerm = standardTerm
    self.offerTerm = offerTerm
    self.optInTerm = optInTerm
    self.price = price
    self.proceeds = proceeds
  }

  /// Whether the customer paid: a price above 0.
  @inlinable
  package var isPaid: Bool { price.milliunits > 0 }

  /// Whether the charge is paid at the standard price, preserved or not.
  @inlinable
  package var isStandardPaid: Bool { kind == .standard && isPaid }

  /// Whether the charge is an instalment: a paid charge of a commitment.
  @inlinable
  package var isInstalment: Bool { plan == .commitment && isPaid }

  /// The product's standard duration, or one month for an instalment.
  @inlinable
  package var regularTerm: Term { isInstalment ? Term(months: 1) : standardTerm }

  /// Days for which Apple retries billing after a period with these terms: METRICS.md 2.5 and 10.2.
  @inlinable
  package var retryDays: Int {
    isInstalment ? ChainBuilder.instalmentRetryDays : ChainBuilder.retryDays
  }

  /// The amount paid, and the term that it pays for: METRICS.md 11.1.
  package var value: ChargeValue {
    let own = offerMode == .payUpFront ? offerTerm ?? regularTerm : regularTerm
    return ChargeValue(
      price: price, proceeds: proceeds, term: span ?? own,
      product: hasUsualTerm ? attributes.product : .blank, kind: kind)
  }

  /// The length of a period with these terms, without the extra time for a marketing opt-in.
  ///
  /// The offer's duration for free trials and pay-up-front offers, a month for instalments,
  /// otherwise the standard duration: METRICS.md 2.2 and 10.2.
  @inlinable
  package var term: Term {
    switch offerMode {
    case .freeTrial, .payUpFront: offerTerm ?? regularTerm
    case .none, .payAsYouGo: regularTerm
    }
  }
}
