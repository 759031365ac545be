import SubscriptionModel

/// A month's counts for the `commitments` table: METRICS.md section 5, commitments.
///
/// A stock such as `running` is stored as the change of the month; its value is the sum of all changes up to the
/// month.
struct CommitmentCounts: Summable {
  var due = 0
  var paid = 0
  var recovered = 0
  var defaulted = 0
  var pending = 0
  var termsStarted = 0
  var termsEnded = 0
  var termsRenewed = 0
  /// Terms of known position first seen after their first instalment, less those without later records.
  var termsSeen = 0
  /// The change of the stock; so are all fields below.
  var running = 0
  var suspended = 0
  var positionUnknown = 0
  var remaining = 0
  /// In milliunits, like `remainingProceeds`.
  var remainingPrice: Int128 = 0
  var remainingProceeds: Int128 = 0

  private static let numbers: [any WritableKeyPath<CommitmentCounts, Int> & Sendable] = [
    \.due, \.paid, \.recovered, \.defaulted, \.pending, \.termsStarted, \.termsEnded,
    \.termsRenewed, \.termsSeen, \.running, \.suspended, \.positionUnknown, \.remaining,
  ]

  /// Adds other counts, multiplied by a number.
  mutating func add(_ other: CommitmentCounts, times: Int = 1) {
    for number in Self.numbers { self[keyPath: number] += times * other[keyPath: number] }
    remainingPrice += Int128(times) * other.remainingPrice
    remainingProceeds += Int128(times) * other.remainingProceeds
  }

  mutating func merge(_ other: CommitmentCounts, _ sign: MergeSign) {
    add(other, times: sign.factor)
  }

  static prefix func - (counts: CommitmentCounts) -> CommitmentCounts {
    var negative = CommitmentCounts()
    negative.add(counts, times: -1)
    return negative
  }
}

extension CommitmentCounts {
  mutating func code(with coder: inout some ValueCoder) {
    for number in Self.numbers { coder.integer(&self[keyPath: number]) }
    coder.wideInteger(&remainingPrice)
    coder.wideInteger(&remainingProceeds)
  }
}
