/// Something that happened to a customer, about the purchase that was the last one then.
struct CustomerEvent {
  enum Kind {
    case purchased
    case renewalDisabled
    /// Another product, by its index, was chosen for the next period.
    case productChosen(Int)
    /// After the commitment the customer will pay for the next year at once.
    case upfrontChosen
    case paymentFailed(graceEnd: Instant?)
    case graceExpired
    case priceIncreased(PriceIncrease)
    case expired(CancellationReason)
    case refunded
  }

  /// What the customer was told of a higher price of the next period, and answered.
  enum PriceIncrease {
    /// Asked to agree, and has not yet.
    case consentAsked
    case consentGiven
    /// Told of it, and need not agree.
    case announced
  }

  let kind: Kind
  let date: Instant
  /// The place of the purchase in the history.
  let purchase: Int
}

/// Everything that one customer, an account in one app, bought and did, to the millisecond.
struct CustomerHistory {
  /// The number of the membership.
  let customer: Int
  /// The number of the person, who may be a customer of two apps.
  let person: Int
  let storefront: Storefront
  /// The account in the publisher's own system, where the app sets it.
  var accountToken: String?
  /// In the order of purchase.
  var purchases: [Purchase] = []
  /// In the order of time.
  var events: [CustomerEvent] = []
}
