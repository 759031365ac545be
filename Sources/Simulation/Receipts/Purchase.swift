/// One charge as a receipt has it: a transaction with its period.
struct Purchase {
  /// How it came about.
  enum Cause {
    case start, renewal, recovery, upgrade
  }

  /// The number of the customer's charge, from 1.
  let serial: Int
  let terms: ChargeTerms
  let cause: Cause
  let purchased: Instant
  var expires: Instant
  /// When the purchase of a higher product replaced it.
  var upgraded: Instant?
  var refunded: Instant?
  /// The end of the commitment that it is an instalment of, if the others are paid in time.
  var termEnds: Instant?

  var product: Product { Catalog.products[Int(terms.product)] }
  var offer: Offer { Offer.all[Int(terms.offer)] }

  /// The end of the service that it paid for.
  var end: Instant { min(expires, upgraded ?? expires, refunded ?? expires) }
}
