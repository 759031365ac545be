import SubscriptionModel

/// Something that happened to a subscription and that tables count.
///
/// Folds derive facts from each source, and every table is a sum of facts. A new source needs a new fold; a new
/// table needs a new sum.
package enum Fact: Int, CaseIterable, Sendable, BitwiseCopyable {
  // Changes of the number of active chains, dated one month later: a chain that becomes active in March is first
  // counted on the last day before April.
  case becameActive, stoppedBeingActive
  /// Active chains on the last day before the month, from a snapshot.
  case snapshotActive

  // Lapses of paid periods, dated by the period's end.
  case lapseRecovered, lapseReactivated, lapseOpenFinal, lapseOpenProvisional
  // Lapses that were not recovered, by reason.
  case churnedVoluntary, churnedBilling, churnedPrice, churnedRefund, churnedRemoved, churnedOther
  case churnedUnknown
  /// Final churn whose renewal was not due, except churn by a refund.
  ///
  /// These are instalments before the last of their term, or of unknown position.
  case churnedInTerm
  /// A paid period that ended at most 2 days before as-of and has no next charge.
  case endedAtEdge

  // Renewals that were due.
  case dueRenewed, dueRecovered, dueLapsed, duePending

  // Flows into and out of the paid chains.
  case started, firstSeen, converted, reactivated, recovered, switchedIn, enteredRetry, switchedOut

  // Trials, by their start.
  case trialConverted, trialNotConverted, trialPending

  // Free periods that begin or cease to cover the days of a chain without a paid one: METRICS.md 11.4.
  case freeTrialBegan, freeTrialEnded, freeOfferBegan, freeOfferEnded
  // Chains of receipts without a period at the end of the month.
  case inGrace, inBillingRetry, isSuspended, isUnresolved

  /// Returns the churn fact of a reason.
  static func churned(_ reason: LapseReason) -> Fact {
    switch reason {
    case .voluntary: .churnedVoluntary
    case .billing: .churnedBilling
    case .price: .churnedPrice
    case .refund: .churnedRefund
    case .removed: .churnedRemoved
    case .other: .churnedOther
    case .unknown: .churnedUnknown
    }
  }

  /// The number of facts.
  static let count = Fact.isUnresolved.rawValue + 1
}
