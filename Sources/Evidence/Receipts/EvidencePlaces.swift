import Counting
import SubscriptionModel

/// The rows of receipts that may decide a fact.
struct EvidencePlaces {
  /// The charge.
  let own: [ReceiptPlace]
  /// The copy of the charge with its refund, revocation or upgrade.
  let cancellation: ReceiptPlace?
  /// The charge before it.
  let before: [ReceiptPlace]
  /// The charge after it, and whether it came after the period's end.
  let next: [ReceiptPlace]
  let isNextLate: Bool
  /// The renewal info with the reason of the lapse.
  let reason: ReceiptPlace?
  /// The charge whose price the instalments to come have.
  var priced: [ReceiptPlace] = []
  /// What followed an instalment, in commitments.
  var outcome: InstalmentOutcome?

  /// Returns the rows that a fact of a period rests on, in the order of time.
  func evidence(of counted: Counted, _ period: ExplainedPeriod) -> [ReceiptPlace] {
    let refund = cancellation.map { [$0] } ?? []
    let all: [ReceiptPlace] =
      switch counted {
      case .charge, .instalment: own
      case .refund: own + refund
      case .fact(let fact): evidence(of: fact, refund)
      case .activeBefore, .activeAtEnd: isNextLate && period.fate == .renewed ? own + next : own
      case .atRisk, .kept, .lost: own + refund + next
      // Why retention leaves a subscription out may depend on what followed.
      case .notAtRisk: own + refund + next
      case .commitment(let column): evidence(of: column, refund)
      }
    var seen: Set<ReceiptPlace> = []
    return all.filter { seen.insert($0).inserted }
  }

  private func evidence(
    of column: CommitmentColumn, _ refund: [ReceiptPlace]
  ) -> [ReceiptPlace] {
    switch column {
    case .running: isNextLate && (outcome == .paid || outcome == .recovered) ? own + next : own
    case .positionUnknown, .termsStarted: own
    case .remaining: own + priced
    // What followed the instalment, or that nothing did.
    case .suspended, .due, .paid, .recovered, .defaulted, .pending, .termsRenewed: own + next
    case .termsEnded: outcome == .complete ? own : own + refund + next
    }
  }

  private func evidence(of fact: Fact, _ refund: [ReceiptPlace]) -> [ReceiptPlace] {
    switch fact {
    case .started, .firstSeen: own
    case .converted, .reactivated, .recovered, .switchedIn: before + own
    case .dueRenewed, .dueRecovered, .dueLapsed, .duePending, .switchedOut, .trialConverted,
      .trialNotConverted, .trialPending:
      own + refund + next
    // What followed the period, or that nothing did; a lapse also has a reason.
    default: own + refund + (reason.map { [$0] } ?? []) + next
    }
  }
}
