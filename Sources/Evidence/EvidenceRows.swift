import Counting
import SubscriptionModel

extension Contribution {
  /// The rows that the contribution rests on, in the order of time: the charge, and those that decide its fact.
  var evidence: [UInt64] {
    let all: [UInt64] =
      switch counted {
      case .fact(let fact): evidence(of: fact)
      case .activeBefore, .activeAtEnd: isContinuedLate ? [rows.own, rows.next] : [rows.own]
      case .charge, .instalment: [rows.own]
      case .atRisk, .kept, .lost: [rows.own, rows.refund, rows.next]
      case .notAtRisk: isLostBefore ? [rows.own, rows.refund, rows.next] : [rows.own]
      case .commitment(let column): evidence(of: column)
      case .refund: [rows.own, rows.refund]
      }
    var rows: [UInt64] = []
    for row in all where row != 0 && !rows.contains(row) { rows.append(row) }
    return rows
  }

  /// Whether the next charge came after the period's end and continued it, so that the chain was active in between.
  private var isContinuedLate: Bool {
    guard let period, let next = period.nextStart else { return false }
    return period.fate == .continued && next > period.end
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
