/// A charge or refund, for the reports of transactions.
struct Transaction {
  enum Kind {
    case charge, fullRefund, partialRefund
  }

  var kind: Kind
  var terms: ChargeTerms
  var amounts: Amounts
  var subscriberID: Int
  var isFirstOfNewID: Bool
  /// Whether the charge began a subscription.
  var isNew: Bool
  var day: Int
  /// The day of the charge that is refunded; for a charge, its own day.
  var purchaseDay: Int
  /// The number of equal transactions; their rows are always in the same file.
  var copies = 1
}
