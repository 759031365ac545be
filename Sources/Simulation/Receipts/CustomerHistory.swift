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
  /// The number of the membership.
  let customer: Int
  let storefront: Storefront
  /// The account in the publisher's own system, if the app sets it.
  var accountToken: String?
  /// The purchases, oldest first.
  var purchases: [Purchase] = []
  /// The events, oldest first.
  var events: [CustomerEvent] = []
}
