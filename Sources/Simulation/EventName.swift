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
  /// The index of an offer; its family is part of the name.
  let offer: UInt8
  let change: Change

  init(_ verb: Verb, offer: UInt8 = 0, change: Change = .none) {
    self.verb = verb
    self.offer = offer
    self.change = change
  }

  /// The event in nine bits.
  var code: UInt64 {
    let family = UInt64(Self.family(offer))
    return (UInt64(verb.rawValue) * 5 + family) * 4 + UInt64(change.rawValue)
  }

  /// Returns the name of an event, given its code.
  static func text(code: UInt64) -> String {
    guard let verb = Verb(rawValue: UInt8(truncatingIfNeeded: code / 20)),
      let change = Change(rawValue: UInt8(truncatingIfNeeded: code % 4))
    else { return "" }
    let family = families[Int(code / 4 % 5)]
    switch verb {
    case .subscribe: return "Subscribe"
    case .start: return "Start " + family
    case .renew: return "Renew"
    case .paidFrom: return "Paid Subscription from " + family
    case .change:
      return family == families[0] ? change.text : change.text + " from " + family
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
      guard family == families[0] else { return "Reactivation to " + family }
      return change == .none ? "Reactivate" : "Reactivate with " + change.text
    case .unknown: return "Pause"
    case .turnOff: return ""
    }
  }

  private static let families = [
    "Paid Subscription", "Introductory Offer", "Promotional Offer", "Offer Code", "Win-Back Offer",
  ]

  private static func family(_ offer: UInt8) -> Int {
    switch Offer.all[Int(offer)].family {
    case .standard: 0
    case .introductory: 1
    case .promotional: 2
    case .offerCode: 3
    case .winBack: 4
    }
  }
}
