import Counting
import SubscriptionModel

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
