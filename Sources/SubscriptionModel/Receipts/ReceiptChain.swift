package import Storage

/// The purchases and periods of one customer in one subscription group: METRICS.md section 3.
package struct ReceiptChain: Sendable {
  /// The kind of subscription.
  package enum Kind: String, Sendable {
    case autoRenewable = "auto-renewable"
    case nonRenewing = "non-renewing"
    /// A free subscription, which has no end.
    case free
  }

  /// The state of a chain at as-of: METRICS.md 3.11.
  package enum State: String, Sendable {
    case refunded, active
    case willNotRenew = "active, will not renew"
    case endsWithTerm = "active, will end with the term"
    case grace
    case billingRetry = "billing retry"
    /// An instalment before the last of its term failed: no access, and Apple retries for 90 days.
    case suspended
    case unresolved, lapsed
    case durationUnknown = "duration unknown"

    /// Whether the subscription is active, in a grace period, in billing retry or suspended.
    package var isRunning: Bool {
      switch self {
      case .active, .willNotRenew, .endsWithTerm, .grace, .billingRetry, .suspended: true
      case .refunded, .unresolved, .lapsed, .durationUnknown: false
      }
    }
  }

  /// The kind of subscription.
  package var kind: Kind
  /// The bundle id.
  package var app: Symbol
  /// The subscription group's id; blank if it is unknown, and for purchases without a group.
  package var group: Symbol
  /// Whether the customer bought the subscription or gets it by Family Sharing; never missing.
  package var ownership: TransactionCopy.Ownership
  /// The chain's charges in order, as indices into the history's periods.
  package var periods: Range<Int>
  /// The time up to which the chain's data are complete: METRICS.md 3.7.
  package var asOf: Instant
  /// Whether the first charge in the data is the first of the subscription: METRICS.md 3.12.
  package var isStartKnown: Bool
  /// How many active periods the chain has: METRICS.md 3.9.
  package var activePeriodCount = 0
  /// Seconds covered by periods, without gaps.
  package var coveredSeconds = 0
  /// The state at as-of.
  package var state = State.unresolved
  /// Why the chain is lapsed or refunded; `nil` in other states.
  package var reason: LapseReason?
  /// The ids of win-back offers for which the customer is eligible, joined by `;`.
  ///
  /// From the renewal info that determines the state; `nil` if it has no such list.
  package var winBackOffers: Symbol?
  /// Whether any purchase, refunded or not, used an introductory offer.
  package var usedIntroductoryOffer = false

  /// Whether the chain counts in rates: auto-renewable, and bought by the customer.
  package var isInRates: Bool { kind == .autoRenewable && ownership == .purchased }
}

/// One purchase in receipts and the time that it bought.
package struct ReceiptPeriod: Sendable {
  /// Why a period ended before its expiry.
  package enum Cut: String, Sendable {
    case upgrade, refund, revoke
  }

  /// A refund, or a loss of family access.
  package enum Refund: String, Sendable {
    case full, partial
    /// A family member lost shared access; no money was refunded.
    case revoked
  }

  /// What followed a period: METRICS.md 3.8 and 3.9.
  package enum Fate: String, Sendable {
    /// Not determined, because the end of the period is not known.
    case none
    /// The period is still running at the chain's as-of.
    case current
    /// Another charge continued the period.
    case renewed
    /// Another product replaced the period: no lapse, and no renewal was due.
    case upgraded
    /// A lapse; the next charge was at most 60 days (instalments: 90) after the end.
    case recovered
    /// A lapse; the next charge was more than 60 days (instalments: 90) after the end.
    case reactivated
    /// A lapse with no later charge, 60 days old or more (instalments: 90), or refunded.
    case openFinal = "final"
    /// A lapse with no later charge, less than 60 days old (instalments: 90).
    case openProvisional = "provisional"
  }

  /// The event.
  package var event: ReceiptEvent
  /// The billing plan.
  package var plan = BillingPlan.upfront
  /// The position in the term, if the period is an instalment.
  package var position: InstalmentPosition?
  /// Whether the period is the first instalment of its term in the data.
  package var beginsTerm = false
  /// The actual end, which is the date of the lapse or renewal; `nil` if it is not known.
  package var end: Instant?
  /// Why the period ended before its expiry; `nil` if it did not.
  package var cut: Cut?
  /// The refund or the loss of family access, before or after the end.
  package var refund: Refund?
  /// Whether another product replaced the period.
  package var isUpgraded = false
  /// The earliest purchase that replaced the period, by a notification or by overlap; `nil` without one.
  var replacedAt: Instant?
  /// Seconds since the latest end of an earlier period, negative for an overlap; `nil` for the
  /// first.
  package var gapBefore: Int?
  /// The number in the chain of the active period that it belongs to, from 1; `nil` without one.
  package var activePeriod: Int?
  /// Whether the period is the last of its active period.
  package var endsCoverage = false
  /// What followed the period.
  package var fate = Fate.none
  /// Why the period lapsed; `nil` if it did not.
  package var reason: LapseReason?
  /// Seconds from the end to the chain's next charge, for lapses that were recovered or
  /// reactivated.
  package var gapAfter: Int?

  /// When the period began.
  package var start: Instant { event.purchase }

  /// Whether the period is an instalment: a paid charge of a commitment.
  package var isInstalment: Bool { plan == .commitment && event.isPaid }

  /// Seconds for which Apple retries billing after the period.
  package var retrySeconds: Int {
    isInstalment ? ReceiptSettings.instalmentRetrySeconds : ReceiptSettings.retrySeconds
  }

  /// Whether the period is a lapse.
  package var isLapse: Bool {
    switch fate {
    case .recovered, .reactivated, .openFinal, .openProvisional: true
    case .none, .current, .renewed, .upgraded: false
    }
  }

  /// Whether the charge was refunded, fully or in part.
  package var isRefunded: Bool { refund == .full || refund == .partial }

  /// Whether the period ended when it began.
  package var hasNoLength: Bool { end == start }

  /// Whether another product replaced the period before it began: it belongs to no active period by itself.
  package var isReplacedAtOnce: Bool { isUpgraded && hasNoLength }

  /// Whether the period is not counted, because it has no length and another charge continued or replaced it.
  package var isPassedOver: Bool { hasNoLength && (fate == .renewed || fate == .upgraded) }

  /// Whether a renewal was due at the end: METRICS.md 3.8, section 5, and 10.4 for instalments.
  package var wasDue: Bool { !isRefunded && wasDueUnlessRefunded }

  /// Whether a renewal was due at the end, apart from refunds.
  package var wasDueUnlessRefunded: Bool {
    !isUpgraded && !isPassedOver && end != nil && (!isInstalment || position?.isLast == true)
  }

  /// Returns whether an instant is inside the period.
  func covers(_ instant: Instant) -> Bool {
    start <= instant && (end.map { instant < $0 } ?? true)
  }
}
