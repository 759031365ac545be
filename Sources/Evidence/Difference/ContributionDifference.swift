import SubscriptionModel
import Tables

/// A contribution that only one side has, or two contributions of a subscription with other values.
struct ContributionDifference: Sendable {
  /// The kind of change of a contribution between the earlier side and the later one.
  enum Kind: Sendable {
    case came, went, changed
  }

  let after: Contribution?
  let before: Contribution?
  /// The value on the later side, less the one on the earlier side.
  let value: Int128
  /// The places of the subscription's first row and of the first row that the contribution rests on.
  let first: UInt64
  let firstEvidence: UInt64

  init?(
    _ after: Contribution?, _ before: Contribution?, _ measure: Measure, _ sideAfter: FoldedSide,
    _ sideBefore: FoldedSide
  ) {
    (self.after, self.before) = (after, before)
    value = (after?.value(measure) ?? 0) - (before?.value(measure) ?? 0)
    if let after {
      (first, firstEvidence) = (
        sideAfter.place(after.rows.first), sideAfter.place(after.firstEvidence)
      )
    } else if let before {
      (first, firstEvidence) = (
        sideBefore.place(before.rows.first), sideBefore.place(before.firstEvidence)
      )
    } else {
      return nil
    }
  }

  var kind: Kind { after == nil ? .went : before == nil ? .came : .changed }

  /// Returns whether a difference is listed before another: by the subscription's first row, then by time.
  static func precedes(_ left: ContributionDifference, _ right: ContributionDifference) -> Bool {
    let places = { (one: ContributionDifference) in
      let main = one.after ?? one.before
      return (
        one.first, main?.period?.start ?? main?.refundDay ?? .first, one.firstEvidence,
        main?.rows.refund ?? 0, main?.period?.end ?? .first, one.after == nil ? 0 : 1
      )
    }
    return places(left) < places(right)
  }

  /// Returns whether a difference is listed before another: by file and line of the first row it rests on.
  static func precedesByEvidence(
    _ left: ContributionDifference, _ right: ContributionDifference
  ) -> Bool {
    let (own, other) = (left.firstEvidence, right.firstEvidence)
    return own == other ? precedes(left, right) : own < other
  }
}

/// What one subscription adds to a cell on both sides, in pairs.
///
/// Contributions of the same value are in both sides, first those of the same day. Of the others two and two make a
/// change, in the order of time, and the rest came or went. Example: 4 charges of 2.99 in July, and 4 of 2.99 and one of
/// 3.99 in August: 4 are in both, and one came.
struct ContributionPairs {
  private(set) var inBoth = 0
  /// The pairs with other values, and what only one side has.
  private(set) var differences: [(after: Contribution?, before: Contribution?)] = []

  init(_ after: [Contribution], _ before: [Contribution], _ measure: Measure) {
    var after = after.sorted(by: Contribution.precedes)
    var before = before.sorted(by: Contribution.precedes)
    let haveSameDay = { (own: Contribution, other: Contribution) in own.day == other.day }
    let haveSameValue = { (own: Contribution, other: Contribution) in
      own.value(measure) == other.value(measure)
    }
    let same =
      Self.takePairs(&after, &before) { haveSameDay($0, $1) && haveSameValue($0, $1) }
      + Self.takePairs(&after, &before, haveSameValue)
    inBoth = same.count
    let changed =
      Self.takePairs(&after, &before, haveSameDay)
      + Self.takePairs(&after, &before) { _, _ in true }
    differences = changed.map { ($0, $1) } + after.map { ($0, nil) } + before.map { (nil, $0) }
  }

  /// Removes pairs that match from both lists; each contribution is in one pair at most.
  private static func takePairs(
    _ after: inout [Contribution], _ before: inout [Contribution],
    _ match: (Contribution, Contribution) -> Bool
  ) -> [(Contribution, Contribution)] {
    var pairs: [(Contribution, Contribution)] = []
    var rest: [Contribution] = []
    for own in after {
      if let place = before.firstIndex(where: { match(own, $0) }) {
        pairs.append((own, before.remove(at: place)))
      } else {
        rest.append(own)
      }
    }
    after = rest
    return pairs
  }
}

extension Contribution {
  /// The day of the refund, or the first day of the period.
  fileprivate var day: Day? { refundDay ?? period?.start }
}
