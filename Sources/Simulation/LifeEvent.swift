/// An event of a subscription, for the event report and the journal.
///
/// Days are numbers of ``Timeline``.
struct LifeEvent {
  var name: EventName
  var terms: ChargeTerms
  /// The index in ``Storefront/states`` of the customer's state or province.
  var state: UInt8
  /// The column Consecutive Paid Periods.
  var consecutive: Int
  /// The column Original Start Date.
  var originalStart: Int
  var day: Int
  /// The number of the charge that began, ended, was refunded, or was not followed by another.
  var serial: UInt16
  /// The index of the product before a change.
  var previousProduct: UInt8?
  var daysBeforeCanceling: Int?
  var reason: CancellationReason = .none
  var daysCanceled: Int?
  /// The column Paid Service Days Recovered.
  var daysRecovered: Int?
}

/// The column Cancellation Reason.
enum CancellationReason: UInt8 {
  case none, canceled, billingIssue, priceConsent, other

  var text: String {
    switch self {
    case .none: " "
    case .canceled: "Canceled"
    case .billingIssue: "Billing issue"
    case .priceConsent: "Price Increase Consent"
    case .other: "Other"
    }
  }
}
