import Counting

/// The rows that may decide a fact: of a file, or of a receipt.
///
/// That nothing followed a period has no row: the reason says on which day the data end.
struct EvidenceRows<Row: Hashable> {
  /// Those of the charge.
  var own: [Row]
  /// Those of the charge before it.
  var before: [Row]
  /// The row with its refund, revocation or upgrade.
  var refund: [Row]
  /// Those of the charge after it.
  var next: [Row]
  /// The renewal info with the reason of the lapse.
  var reason: [Row] = []
  /// Those of the charge whose price the instalments to come have.
  var priced: [Row] = []
  /// Whether the charge after it came after the period's end, and whether it continued the period.
  var isNextLate: Bool
  var isContinued: Bool
  /// Whether what followed decides that retention does not count the chain.
  var decidesNotAtRisk: Bool
  /// What followed an instalment, in commitments.
  var outcome: InstalmentOutcome?

  /// Returns the rows that a fact of the period rests on, in the order of time.
  func evidence(of counted: Counted) -> [Row] {
    let all: [Row] =
      switch counted {
      case .charge, .instalment: own
      case .refund: own + refund
      case .fact(let fact): evidence(of: fact)
      case .activeBefore, .activeAtEnd: isNextLate && isContinued ? own + next : own
      case .atRisk, .kept, .lost: own + refund + next
      case .notAtRisk: decidesNotAtRisk ? own + refund + next : own
      case .commitment(let column): evidence(of: column)
      }
    var rows: [Row] = []
    for row in all where !rows.contains(row) { rows.append(row) }
    return rows
  }

  private func evidence(of fact: Fact) -> [Row] {
    switch fact {
    case .started, .firstSeen: own
    case .converted, .reactivated, .recovered, .switchedIn: before + own
    case .dueRenewed, .dueRecovered, .dueLapsed, .duePending, .switchedOut, .trialConverted,
      .trialNotConverted, .trialPending:
      own + refund + next
    // What followed the period, or that nothing did; a lapse also has a reason.
    default: own + refund + reason + next
    }
  }

  private func evidence(of column: CommitmentColumn) -> [Row] {
    switch column {
    case .running: isNextLate && (outcome == .paid || outcome == .recovered) ? own + next : own
    case .positionUnknown, .termsStarted: own
    case .remaining: own + priced
    // What followed the instalment, or that nothing did.
    case .suspended, .due, .paid, .recovered, .defaulted, .pending, .termsRenewed: own + next
    case .termsEnded: outcome == .complete ? own : own + refund + next
    }
  }
}
