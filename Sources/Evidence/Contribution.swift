import Counting
import SubscriptionModel
import Tables

/// A period or a refund that a cell counts, with the rows that it rests on.
struct Contribution: ListedContribution, BitwiseCopyable {
  /// Places of rows in the run, as ``ChargeRecord/order`` has them; 0 for none.
  struct Rows: Equatable, Sendable, BitwiseCopyable {
    /// The first row of the chain.
    var first: UInt64 = 0
    var before: UInt64 = 0
    var own: UInt64 = 0
    var refund: UInt64 = 0
    var next: UInt64 = 0
  }

  var counted: Counted
  /// The number that it adds to a count; the amounts that it adds to money, in milliunits.
  var count: Int
  var price: Int64
  var proceeds: Int64
  var key: ChainKey
  var subscriber: UInt64
  /// The index of the terms of the period; of those of the refund, when its charge is not in the input.
  var terms: UInt32
  /// The period; `nil` for a refund whose charge is not in the input.
  var period: Period?
  /// The chain's period before, and the terms of the one after.
  var before: Period?
  var nextTerms: UInt32?
  var refundDay: Day?
  var rows = Rows()
  /// What followed an instalment, in commitments.
  var outcome: InstalmentOutcome?
  /// Why the cell does not count the contribution; `nil` if it counts.
  var leftOut: LeftOutRule?
  /// The first of the rows that it rests on.
  var firstEvidence: UInt64 = 0

  /// Returns the number that the contribution adds to a cell.
  func value(_ measure: Measure) -> Int128 {
    switch measure {
    case .count: Int128(count)
    case .price: Int128(price)
    case .proceeds: Int128(proceeds)
    case .rank: Int128(period?.gapDays ?? 0)
    }
  }

  var listPlace: UInt64 { rows.first }
  var evidencePlace: UInt64 { firstEvidence }

  static func makeStore() -> ElementStore<Contribution>? { .file() }

  /// Returns whether a contribution is listed before another: by the first row of the chain, then by time.
  ///
  /// The fold's own order depends on a hash and, for ids that are no numbers, on threads.
  static func precedes(_ left: Contribution, _ right: Contribution) -> Bool {
    let places = { (one: Contribution) in
      // Of two units of one row, the charge without a length comes first.
      (
        one.rows.first, one.period?.start ?? one.refundDay ?? .first, one.rows.own,
        one.rows.refund, one.period?.end ?? .first
      )
    }
    return places(left) < places(right)
  }

  /// Returns whether a contribution is listed before another: by file and line of the first row it rests on.
  static func precedesByEvidence(_ left: Contribution, _ right: Contribution) -> Bool {
    let (own, other) = (left.firstEvidence, right.firstEvidence)
    return own == other ? precedes(left, right) : own < other
  }
}

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

/// The order of contributions to a cell.
package enum ContributionOrder: Sendable {
  /// By the first row of the subscription, then by time.
  case subscription
  /// By file and line of the first row that a contribution rests on.
  case evidence
  /// By the size of what a contribution adds, whatever its sign: the largest first. Values of a rank keep their order.
  case value
}
