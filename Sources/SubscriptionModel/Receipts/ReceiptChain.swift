/// Everything one customer did in one subscription group: METRICS.md section 3.
public struct ReceiptChain: Sendable {
  /// What was bought.
  public enum Kind: String, Sendable {
    case autoRenewable = "auto-renewable"
    case nonRenewing = "non-renewing"
    /// A free subscription without an end.
    case free
  }

  /// The state of a chain at as-of: METRICS.md 3.11.
  public enum State: String, Sendable {
    case refunded, active
    case willNotRenew = "active, will not renew"
    case endsWithTerm = "active, will end with the term"
    case grace
    case billingRetry = "billing retry"
    /// An instalment before the last of its term failed: no access, and Apple retries for 90 days.
    case suspended
    case unresolved, lapsed
    case durationUnknown = "duration unknown"

    /// Whether the customer is subscribed: active, in a grace period, in billing retry or suspended.
    public var isRunning: Bool {
      switch self {
      case .active, .willNotRenew, .endsWithTerm, .grace, .billingRetry, .suspended: true
      case .refunded, .unresolved, .lapsed, .durationUnknown: false
      }
    }
  }

  /// What was bought.
  public var kind: Kind
  /// The bundle id.
  public var app: Symbol
  /// The subscription group's id; blank when it is unknown, and for purchases without a group.
  public var group: Symbol
  /// Who owns it; never missing.
  public var ownership: TransactionCopy.Ownership
  /// The chain's charges in order, as indices into the history's periods.
  public var periods: Range<Int>
  /// The time up to which the chain's data reach: METRICS.md 3.7.
  public var asOf: Instant
  /// Whether the first charge is the first ever: METRICS.md 3.12.
  public var isStartKnown: Bool
  /// How many active periods it has.
  public var activePeriodCount = 0
  /// Seconds covered by its periods, without gaps.
  public var coveredSeconds = 0
  /// Its state at as-of.
  public var state = State.unresolved
  /// Why it is lapsed or refunded; `nil` in other states.
  public var reason: LapseReason?
  /// The win-back offers that Apple names, joined by `;`.
  ///
  /// `nil` if the renewal info that decides the state has no list.
  public var winBackOffers: Symbol?
  /// Whether any purchase in it used an introductory offer, refunded or not.
  public var usedIntroductoryOffer = false

  /// Whether it counts in rates: bought by the customer, and able to renew.
  public var isInRates: Bool { kind == .autoRenewable && ownership == .purchased }
}

/// One charge of a receipt and the time it bought.
public struct ReceiptPeriod: Sendable {
  /// What ended a period before its expiry.
  public enum Cut: String, Sendable {
    case upgrade, refund, revoke
  }

  /// A refund, or a loss of family access.
  public enum Refund: String, Sendable {
    case full, partial
    /// A member's access to what the family shares; no money.
    case revoked
  }

  /// What came after a period: METRICS.md 3.8 and 3.9.
  public enum Fate: String, Sendable {
    /// Its end is not known.
    case none
    /// It is still running at the chain's as-of, as far as the records show.
    case current
    /// Another charge continued it.
    case renewed
    /// Another product replaced it: no lapse, and not due.
    case upgraded
    /// A lapse; the next charge came at most 60 days (instalments: 90) after the end.
    case recovered
    /// A lapse; the next charge came more than 60 days (instalments: 90) after the end.
    case reactivated
    /// A lapse with no later charge, 60 days old or more (instalments: 90), or refunded.
    case openFinal = "final"
    /// A lapse with no later charge, less than 60 days old (instalments: 90).
    case openProvisional = "provisional"
  }

  /// The event.
  public var event: ReceiptEvent
  /// How the product is paid.
  public var plan = BillingPlan.upfront
  /// Its place in the term, where it is an instalment.
  public var position: InstalmentPosition?
  /// Whether it is the first instalment of its term in the data.
  public var beginsTerm = false
  /// When it actually ended; lapses and renewals are dated by it; `nil` when it is not known.
  public var end: Instant?
  /// What ended it before its expiry.
  public var cut: Cut?
  /// Its refund or loss of family access, before or after its end.
  public var refund: Refund?
  /// Whether another product replaced it.
  public var isUpgraded = false
  /// Seconds from the latest earlier end, negative for an overlap; `nil` for the first.
  public var gapBefore: Int?
  /// The number of its active period in the chain, from 1; `nil` without one.
  public var activePeriod: Int?
  /// Whether it is the last of its active period, so that no period of the chain continues it.
  public var endsCoverage = false
  /// What came after it.
  public var fate = Fate.none
  /// Why it lapsed; `nil` when it did not.
  public var reason: LapseReason?
  /// Seconds from its end to the chain's next charge; only of lapses that were recovered or reactivated.
  public var gapAfter: Int?

  /// When it began.
  public var start: Instant { event.purchase }

  /// Whether it is an instalment: a paid charge of a commitment.
  public var isInstalment: Bool { plan == .commitment && event.isPaid }

  /// Seconds for which Apple retries billing after it.
  public var retrySeconds: Int {
    isInstalment ? ReceiptSettings.instalmentRetrySeconds : ReceiptSettings.retrySeconds
  }

  /// Whether it is a lapse.
  public var isLapse: Bool {
    switch fate {
    case .recovered, .reactivated, .openFinal, .openProvisional: true
    case .none, .current, .renewed, .upgraded: false
    }
  }

  /// Whether a charge was given back, fully or in part.
  public var isRefunded: Bool { refund == .full || refund == .partial }

  /// Whether it ended when it began.
  public var hasNoLength: Bool { end == start }

  /// Whether it has no length and another charge continued it; it is not counted as a period.
  public var isPassedOver: Bool { hasNoLength && fate == .renewed }

  /// Whether its renewal was due: METRICS.md 3.8, section 5, and 10.4 for instalments.
  public var wasDue: Bool { !isRefunded && wasDueUnlessRefunded }

  /// Whether its renewal was due as long as no refund was known.
  public var wasDueUnlessRefunded: Bool {
    !isUpgraded && !isPassedOver && end != nil && (!isInstalment || position?.isLast == true)
  }

  /// Whether it covers an instant.
  func covers(_ instant: Instant) -> Bool {
    start <= instant && (end.map { instant < $0 } ?? true)
  }
}
