/// An event of a customer, with its purchase.
struct CustomerEvent {
  enum Kind {
    case purchased
    case renewalDisabled
    /// Another product, by its index, was chosen for the next period.
    case productChosen(Int)
    /// The customer will pay the year after the commitment at once.
    case upfrontChosen
    case paymentFailed(graceEnd: Instant?)
    case graceExpired
    case priceIncreased(PriceIncrease)
    case expired(CancellationReason)
    case refunded
  }

  /// A notice of a higher price for the next period, or the customer's answer to it.
  enum PriceIncrease {
    /// The customer was asked to agree, and has not answered yet.
    case consentAsked
    case consentGiven
    /// The customer was informed and need not agree.
    case announced
  }

  let kind: Kind
  let date: Instant
  /// The index of the purchase in the history.
  let purchase: Int
}

/// All purchases and events of one customer (an account in one app), to the millisecond.
struct CustomerHistory {
  let customer: Int
  let storefront: Storefront
  /// The account in the publisher's own system, if the app sets it.
  var accountToken: String?
  /// The purchases, oldest first.
  var purchases: [Purchase] = []
  /// The events, oldest first.
  var events: [CustomerEvent] = []
}

/// One charge in a receipt: a transaction with its period.
struct Purchase {
  /// The cause of the charge.
  enum Cause {
    case start, renewal, recovery, upgrade
  }

  /// The number of the customer's charge, from 1.
  let serial: Int
  let terms: ChargeTerms
  let cause: Cause
  let purchased: Instant
  var expires: Instant
  /// The time at which the purchase of a higher product replaced it.
  var upgraded: Instant?
  var refunded: Instant?
  /// The end of its commitment if the other instalments are paid in time; nil if it is no instalment.
  var termEnds: Instant?

  var product: Product { Catalog.products[Int(terms.product)] }
  var offer: Offer { Offer.all[Int(terms.offer)] }

  /// The end of the service that the charge paid for.
  var end: Instant { min(expires, upgraded ?? expires, refunded ?? expires) }

  /// The longest delay after which another purchase still continues the period, in milliseconds.
  static let tolerance = 3_600_000

  /// Returns whether the next purchase, if there is one, continues the period.
  func isContinued(by next: Purchase?) -> Bool {
    next.map { $0.purchased - end <= Self.tolerance } ?? false
  }
}
