import SubscriptionModel

/// An event name, classified by its words (METRICS.md section 4).
///
/// Apple's names are composed of words, and have changed over time, so there is no complete list of
/// them. A name that matches no rule is ``EventClass/unknown``, never an error.
struct EventWords: Equatable {
  /// The class, by the first rule that matches.
  let eventClass: EventClass
  /// Whether the event is a change to a lower level, which takes effect at renewal.
  let isDowngrade: Bool
  /// Whether the name is `Renew`, apart from an ending such as `with Upgrade`.
  let isPlainRenewal: Bool
  /// Whether a lapse followed billing retry or a grace period, or a retry followed a grace period.
  let isFromRetryOrGrace: Bool

  /// Classifies a name.
  ///
  /// - Parameter name: The name as in a report.
  init(_ name: String) {
    let words = Self.normalized(name)
    let kind = Self.eventClass(of: words)
    eventClass = kind
    isDowngrade = kind == .change && words.hasPrefix("downgrade")
    isPlainRenewal = words == "renew"
    let isFromGrace = words.contains("from grace period")
    switch kind {
    case .lapse: isFromRetryOrGrace = isFromGrace || words.contains("from billing retry")
    case .retry: isFromRetryOrGrace = isFromGrace
    default: isFromRetryOrGrace = false
    }
  }

  /// Returns a name in lower case and in Apple's current words, without an ending such as
  /// `with Upgrade`.
  private static func normalized(_ name: String) -> String {
    var words = comparableName(name)
      .replacing("cancelled", with: "canceled")
      .replacing("introductory price", with: "introductory offer")
      .replacing("billing grace period", with: "grace period")
    for change in changes where words.hasSuffix(" with " + change) {
      words.removeLast(" with ".count + change.count)
      break
    }
    return words
  }

  private static func eventClass(of words: String) -> EventClass {
    if words == "refund" { return .refund }
    if words.hasPrefix("cancel") { return .lapse }
    if words.hasPrefix("billing retry") { return .retry }
    if words.hasPrefix("grace period") { return .grace }
    if words.hasPrefix("reactivat") { return .reactivation }
    if words.contains("from billing retry") || words.contains("from grace period") {
      return .recovery
    }
    if words == "subscribe" || words == "opt-in" || words.hasPrefix("start ") { return .start }
    if words.hasPrefix("paid subscription from") || isChangeFromOffer(words) { return .conversion }
    if changes.contains(where: words.hasPrefix) { return .change }
    if words == "renew" || isOfferFromPaidOrOffer(words) { return .renewal }
    return .unknown
  }

  private static func isChangeFromOffer(_ words: String) -> Bool {
    changes.contains { change in
      offers.contains { words.hasPrefix("\(change) from \($0)") }
    }
  }

  private static func isOfferFromPaidOrOffer(_ words: String) -> Bool {
    offers.contains { target in
      (offers + ["paid subscription"]).contains { words == "\(target) from \($0)" }
    }
  }

  private static let changes = ["upgrade", "downgrade", "crossgrade"]

  private static let offers = [
    "introductory offer", "free trial", "opt-in", "promotional offer", "offer code",
    "win-back offer",
  ]
}

extension LapseReason {
  /// Creates a reason from a Cancellation Reason; other text is `unknown`.
  ///
  /// - Parameter words: The text in the report; blank without a reason.
  init(_ words: String) {
    switch comparableName(words) {
    case "canceled", "cancelled": self = .voluntary
    case "billing issue": self = .billing
    case "removed from sale": self = .removed
    case "other": self = .other
    case let words where words.hasPrefix("price increase"): self = .price
    default: self = .unknown
    }
  }
}
