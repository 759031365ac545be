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
    let list = { (row: UInt64) in row == 0 ? [] : [row] }
    let isLostBefore = if case .notAtRisk(.lost) = leftOut { true } else { false }
    let isNextLate = period.flatMap { own in own.nextStart.map { $0 > own.end } }
    return EvidenceRows(
      own: list(rows.own), before: list(rows.before), refund: list(rows.refund),
      next: list(rows.next), isNextLate: isNextLate ?? false,
      isContinued: period?.fate == .continued, decidesNotAtRisk: isLostBefore, outcome: outcome
    ).evidence(of: counted)
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
