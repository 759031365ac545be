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
