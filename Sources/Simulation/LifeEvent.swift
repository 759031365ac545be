/// An event of a subscription, for the event report and the journal.
struct LifeEvent {
  var name: EventName
  var terms: ChargeTerms
  var state: UInt8
  var consecutive: Int
  var originalStart: Int
  var day: Int
  /// The number of the charge that the event is about: begun, ended, not followed by another or refunded.
  var serial: UInt16
  var previousProduct: UInt8?
  var daysBeforeCanceling: Int?
  var reason: CancellationReason = .none
  var daysCanceled: Int?
  var daysRecovered: Int?
}

/// The reason for a cancellation.
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
