import Counting
import SubscriptionModel

extension Contribution {
  /// The name of the fact: METRICS.md section 4 and rules 2.4 and 2.5.
  var factName: String {
    if case .commitment(let column) = counted { return column.factName(outcome) }
    if counted == .fact(.switchedOut), period?.ending == .transferred { return "transfer" }
    return counted.factName ?? period?.factName ?? ""
  }
}

extension Counted {
  /// The name of the fact; `nil` for one that has the name of its period's outcome, and for instalments.
  var factName: String? {
    switch self {
    case .fact(let fact): fact.ownName
    case .activeBefore, .activeAtEnd: "active"
    case .charge: "charge"
    case .atRisk: "at risk"
    case .kept: "kept"
    case .lost: "lost"
    case .notAtRisk: "not at risk"
    case .commitment, .instalment: nil
    case .refund(let isFull): isFull ? "refund" : "refund partial"
    }
  }
}

extension Fact {
  /// The name of a fact that does not depend on the outcome of its period.
  fileprivate var ownName: String? {
    switch self {
    case .started: "start"
    case .firstSeen: "first seen"
    case .converted: "conversion"
    case .reactivated: "reactivation"
    case .recovered: "recovery"
    case .switchedIn, .switchedOut: "change"
    case .trialConverted: "trial converted"
    case .trialNotConverted: "trial not converted"
    case .trialPending: "trial pending"
    default: nil
    }
  }
}

extension Period {
  /// The name of what followed: a charge that continues a period is a renewal only if the period ran to its end.
  fileprivate var factName: String {
    guard fate == .continued else { return ending == .transferred ? "transfer" : fate.name }
    return switch ending {
    case .fullEnd, .oldBillingDay: fate.name
    case .changedProduct: "change"
    case .boughtAgainSameDay: "second purchase"
    case .refunded: "refund"
    case .transferred: "transfer"
    }
  }

  /// What ended a period whose app moved to another account.
  package static let movedAway =
    "its app moved to another account, where Apple gave its subscribers new ids"
}

extension Period.Fate {
  /// The fate's name in explanations.
  package var name: String {
    switch self {
    case .continued: "renewal"
    case .recovered: "lapse recovered"
    case .reactivated: "lapse reactivated"
    case .openFinal: "lapse open final"
    case .openProvisional: "lapse open provisional"
    case .running: "running"
    }
  }
}
