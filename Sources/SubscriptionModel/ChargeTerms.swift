/// What kind of charge opened a period: METRICS.md section 1.
public enum ChargeKind: UInt8, Sendable, CaseIterable {
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
public enum OfferMode: UInt8, Sendable {
  /// No offer: the standard price.
  case none
  /// Nothing is paid for the offer's duration.
  case freeTrial
  /// One payment for the offer's whole duration.
  case payUpFront
  /// A payment each standard duration while the offer lasts.
  case payAsYouGo
}

/// An exact amount of one currency.
public struct Amount: Hashable, Sendable {
  /// The amount in milliunits, never negative here: 9.99 is 9,990.
  public var milliunits: Int64
  /// The currency's ISO 4217 code.
  public var currency: Symbol

  /// Creates an amount.
  public init(milliunits: Int64, currency: Symbol) {
    self.milliunits = milliunits
    self.currency = currency
  }
}

/// All fields of a SUBSCRIBER row except the subscriber, the days, the units and the refund flag.
public struct ChargeTerms: Hashable, Sendable {
  /// The values that views can group by.
  public var attributes: Attributes
  /// What kind of charge it is.
  public var kind: ChargeKind
  /// How an offer on the row is paid.
  public var offerMode: OfferMode
  /// The product's standard duration.
  public var standardTerm: Term
  /// The offer's duration, where the row has an offer with one.
  public var offerTerm: Term?
  /// The marketing opt-in's extra time, where the row has one.
  public var optInTerm: Term?
  /// The customer's price per unit: the size, without its sign.
  public var price: Amount
  /// The developer's proceeds per unit: the size, without its sign.
  ///
  /// Its currency is the customer's when the row leaves it blank.
  public var proceeds: Amount
  /// Whether the customer keeps a price that others do not pay any more: Preserved Pricing.
  public var isPreserved = false
  /// Whether it was cheaper because the customer has another subscription: Contingent App Name.
  public var isContingent = false
  /// How the product is paid, where a column says so.
  public var statedPlan: BillingPlan?
  /// The number of the instalment in its term from 1, where a column says so; otherwise 0.
  public var statedPosition: UInt8 = 0
  /// How the product is paid, once the run has found out which products are sold in instalments.
  public var plan = BillingPlan.upfront

  /// Creates terms.
  public init(
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
  public var isPaid: Bool { price.milliunits > 0 }

  /// Whether it is a paid charge at the standard price, preserved or not.
  public var isStandardPaid: Bool { kind == .standard && isPaid }

  /// Whether it is an instalment: a paid charge of a commitment.
  public var isInstalment: Bool { plan == .commitment && isPaid }

  /// The duration used by the rules for periods: the product's, or one month for an instalment.
  public var regularTerm: Term { isInstalment ? Term(months: 1) : standardTerm }

  /// Days for which Apple retries billing after a period of these terms: METRICS.md 2.5 and 10.2.
  public var retryDays: Int {
    isInstalment ? ChainBuilder.instalmentRetryDays : ChainBuilder.retryDays
  }

  /// How long a period of these terms runs, without a marketing opt-in's extra time.
  ///
  /// Free trials and pay-up-front offers run for the offer's duration, everything else for the
  /// standard one, instalments for a month. METRICS.md 2.2 and 10.2.
  public var term: Term {
    switch offerMode {
    case .freeTrial, .payUpFront: offerTerm ?? regularTerm
    case .none, .payAsYouGo: regularTerm
    }
  }
}
