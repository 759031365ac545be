import Counting
import SubscriptionModel

extension Contribution {
  /// The rows that the contribution rests on, in the order of time: the charge, and those that decide its fact.
  var evidence: [UInt64] {
    let all: [UInt64] =
      switch counted {
      case .fact(let fact): evidence(of: fact)
      case .activeBefore, .activeAtEnd: [rows.own]
      case .charge: [rows.own]
      case .refund: [rows.own, rows.refund]
      }
    var seen: Set<UInt64> = [0]
    return all.filter { seen.insert($0).inserted }
  }

  private func evidence(of fact: Fact) -> [UInt64] {
    switch fact {
    case .started, .firstSeen: [rows.own]
    case .converted, .reactivated, .recovered, .switchedIn: [rows.before, rows.own]
    // What followed the period, or that nothing did.
    default: [rows.own, rows.refund, rows.next]
    }
  }
}
