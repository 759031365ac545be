/// The facts that decide a charge's amounts, and where it was bought.
struct ChargeTerms {
  var product: UInt8
  var offer: UInt8
  var pricing: Pricing
  var isAfterOneYear: Bool
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
}

/// Which of a product's prices a charge has.
enum Pricing: UInt8 {
  /// The price on the day of the charge.
  case current
  /// The price before a rise, charged while it was still the price of the day.
  case earlier
  /// An older price than that of the day, which the subscriber keeps.
  case preserved
}
