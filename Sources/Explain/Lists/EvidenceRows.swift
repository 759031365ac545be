import Counting
import SubscriptionModel

/// A row of a file, or none; or the rows of a transaction in receipts.
protocol RowList: Sendable {
  associatedtype Row: RowPlace
  /// No row.
  init()
  var all: [Row] { get }
}

/// The row of a charge, as ``ChargeRecord/order`` has it; 0 for none.
struct ChargeRow: RowList, BitwiseCopyable {
  var row: UInt64 = 0
  var all: [UInt64] { row == 0 ? [] : [row] }
}

extension [ReceiptPlace]: RowList {
  var all: [ReceiptPlace] { self }
}

extension ReceiptPlace: RowPlace {
  var listNumber: UInt64 { UInt64(file) << 32 | UInt64(row) }

  func inFiles(_ places: [UInt64]) -> ReceiptPlace {
    var place = self
    place.file = UInt32(places[Int(file)])
    return place
  }
}

/// The rows that may decide a fact: of a file, or of a receipt.
///
/// That nothing followed a period has no row: the reason says on which day the data end.
struct EvidenceRows<List: RowList>: Sendable {
  /// The first row of the chain.
  var first: List.Row
  /// Those of the charge.
  var own = List()
  /// Those of the charge before it.
  var before = List()
  /// The row with its refund, revocation or upgrade.
  var refund = List()
  /// Those of the charge after it.
  var next = List()
  /// The renewal info with the reason of the lapse.
  var reason = List()
  /// Those of the charge whose price the instalments to come have.
  var priced = List()
  /// Whether the charge after it came after the period's end, and whether it continued the period.
  var isNextLate = false
  var isContinued = false
  /// Whether what followed decides that retention does not count the chain.
  var decidesNotAtRisk = true

  /// The row of the refund as a number; 0 for none.
  var refundNumber: Int { refund.all.first.map { Int($0.listNumber) } ?? 0 }

  /// Returns the rows that a fact of the period rests on, in the order of time.
  func evidence(of counted: Counted, _ outcome: InstalmentOutcome?) -> [List.Row] {
    let all: [List] =
      switch counted {
      case .charge, .instalment: [own]
      case .refund: [own, refund]
      case .fact(let fact): evidence(of: fact)
      case .activeBefore, .activeAtEnd: isNextLate && isContinued ? [own, next] : [own]
      case .atRisk, .kept, .lost: [own, refund, next]
      case .notAtRisk: decidesNotAtRisk ? [own, refund, next] : [own]
      case .commitment(let column): evidence(of: column, outcome)
      case .recurring, .lifetime, .status, .other, .changedProduct: [before, own, refund, next]
      }
    return all.flatMap(\.all).unique
  }

  private func evidence(of fact: Fact) -> [List] {
    switch fact {
    case .started, .firstSeen: [own]
    case .converted, .reactivated, .recovered, .switchedIn: [before, own]
    case .dueRenewed, .dueRecovered, .dueLapsed, .duePending, .switchedOut, .trialConverted,
      .trialNotConverted, .trialPending:
      [own, refund, next]
    // What followed the period, or that nothing did; a lapse also has a reason.
    default: [own, refund, reason, next]
    }
  }

  private func evidence(of column: CommitmentColumn, _ outcome: InstalmentOutcome?) -> [List] {
    switch column {
    case .running:
      isNextLate && (outcome == .paid || outcome == .recovered) ? [own, next] : [own]
    case .positionUnknown, .termsStarted: [own]
    case .remaining: [own, priced]
    // What followed the instalment, or that nothing did.
    case .suspended, .due, .paid, .recovered, .defaulted, .pending, .termsRenewed: [own, next]
    case .termsEnded: outcome == .complete ? [own] : [own, refund, next]
    }
  }
}

extension EvidenceRows: BitwiseCopyable where List: BitwiseCopyable, List.Row: BitwiseCopyable {}
