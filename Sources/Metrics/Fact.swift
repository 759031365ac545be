import SubscriptionModel

/// What can happen to a subscription, as far as tables count it.
///
/// Both kinds of source, chains and events, end in these facts; every table is a sum over them. A new
/// source is a new way to state facts, a new table a new way to add them up.
public enum Fact: Int, CaseIterable, Sendable {
  // Stock: changes of the number of active chains between the last days of two months. The change
  // of a month is what happened in the month before it.
  case becameActive, stoppedBeingActive
  /// Active chains on the last day before the month, read off a snapshot.
  case snapshotActive

  // Lapses of paid periods, dated by the period's end.
  case lapseRecovered, lapseReactivated, lapseOpenFinal, lapseOpenProvisional
  // Why paid chains churned: lapses that were not recovered.
  case churnedVoluntary, churnedBilling, churnedPrice, churnedRefund, churnedRemoved, churnedOther
  case churnedUnknown
  /// Of the finally churned those whose renewal was not due: instalments before the last of their term, or of unknown
  /// position, that no refund ended.
  case churnedInTerm
  /// A paid period that ended at most 2 days before as-of with nothing after it.
  case endedAtEdge

  // Renewals that were due.
  case dueRenewed, dueRecovered, dueLapsed, duePending

  // Flows into and out of the paid chains.
  case started, firstSeen, converted, reactivated, recovered, switchedIn, enteredRetry, switchedOut

  // Trials, by their start.
  case trialConverted, trialNotConverted, trialPending

  /// Returns the fact that a paid chain churned for a reason.
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

  /// How many facts there are: the last one's number and one more.
  static let count = Fact.trialPending.rawValue + 1
}
