/// Money that moved, as the world tells the reports of transactions.
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
  /// The day of the charge that a refund gives back.
  var purchaseDay: Int
  /// How many equal ones there are; equal rows are always in the same file.
  var copies = 1
}
