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

/// The name of a subscription event, composed of Apple's words.
struct EventName {
  enum Verb: UInt8 {
    case subscribe, start, renew, paidFrom, change, offerFromPaid, sameOffer
    case retryFrom, graceFromPaid, retryFromGrace, renewalFromRetry, renewalFromGrace
    case canceledFromRetry, cancel, refund, reactivate, unknown
    /// Renewal was turned off; only receipts show it.
    case turnOff
  }

  enum Change: UInt8 {
    case none, upgrade, downgrade, crossgrade

    var text: String {
      switch self {
      case .none: ""
      case .upgrade: "Upgrade"
      case .downgrade: "Downgrade"
      case .crossgrade: "Crossgrade"
      }
    }
  }

  let verb: Verb
  let family: Offer.Family
  let change: Change

  /// Creates the name of an event about an offer, given its index.
  init(_ verb: Verb, offer: UInt8 = 0, change: Change = .none) {
    self.verb = verb
    family = Offer.all[Int(offer)].family
    self.change = change
  }

  /// The event in nine bits.
  var code: UInt64 {
    (UInt64(verb.rawValue) * 5 + UInt64(family.rawValue)) * 4 + UInt64(change.rawValue)
  }

  /// The words of the name.
  var text: String {
    let family = family.eventWords
    switch verb {
    case .subscribe: return "Subscribe"
    case .start: return "Start " + family
    case .renew: return "Renew"
    case .paidFrom: return "Paid Subscription from " + family
    case .change:
      return self.family == .standard ? change.text : change.text + " from " + family
    case .offerFromPaid: return family + " from Paid Subscription"
    case .sameOffer: return family + " from " + family
    case .retryFrom: return "Billing Retry from " + family
    case .graceFromPaid: return "Grace Period from Paid Subscription"
    case .retryFromGrace: return "Billing Retry from Grace Period"
    case .renewalFromRetry: return "Renewal from Billing Retry"
    case .renewalFromGrace: return "Renewal from Grace Period"
    case .canceledFromRetry: return "Canceled from Billing Retry"
    case .cancel: return "Cancel"
    case .refund: return "Refund"
    case .reactivate:
      guard self.family == .standard else { return "Reactivation to " + family }
      return change == .none ? "Reactivate" : "Reactivate with " + change.text
    case .unknown: return "Pause"
    case .turnOff: return ""
    }
  }
}
