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

/// The product, offer, price and place of a charge; together they decide its amounts.
struct ChargeTerms {
  var product: UInt8
  var offer: UInt8 = 0
  var pricing = Pricing.current
  /// Whether the developer has the better share, after one year of paid service.
  var isAfterOneYear = false
  var storefront: UInt8
  var surface: UInt8
  /// The number of the price in the product's ``PriceSchedule``.
  var step: UInt8 = 0
  /// The position in a commitment of twelve instalments, from 1; 0 if the charge is no instalment.
  var instalment: UInt8 = 0
  /// Whether the price is lower because the customer subscribes to another app.
  var isContingent = false
  /// The number of the storefront's shares in the ``CommissionTable``.
  var commission: UInt8 = 0

  /// The number of days after a period for which the store retries to collect the next charge.
  var retryDays: Int { instalment > 0 ? Commitments.retryDays : 60 }

  /// Returns the commitment position of the next charge for the same product; 0 for no instalment.
  ///
  /// After position 12 it is 1 again, or 0 if the next year is paid at once.
  func nextInstalment(isUpfront: Bool) -> UInt8 {
    guard instalment == CommitmentHistory.length else {
      return instalment == 0 ? 0 : instalment + 1
    }
    return isUpfront ? 0 : 1
  }
}

/// Which of a product's prices a charge has.
enum Pricing: UInt8 {
  /// The price on the day of the charge.
  case current
  /// The price before a rise, charged before the rise.
  case earlier
  /// A price from before a rise that the subscriber keeps.
  case preserved
}

/// The customer's price and the developer's proceeds, in hundredths of one currency.
struct Amounts: Equatable {
  var price: Int
  var proceeds: Int
  /// The index of the currency in ``Catalog/currencies``.
  var currency: Int
}
