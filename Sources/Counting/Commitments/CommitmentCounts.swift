import Storage

/// A month's counts for the `commitments` table: METRICS.md section 5, commitments.
///
/// A stock such as `running` is stored as the change of the month; its value is the sum of all changes up to the
/// month.
package struct CommitmentCounts: Summable {
  package var due = 0
  package var paid = 0
  package var recovered = 0
  package var defaulted = 0
  package var pending = 0
  package var termsStarted = 0
  package var termsEnded = 0
  package var termsRenewed = 0
  /// Terms of known position first seen after their first instalment, less those without later records.
  var termsSeen = 0
  /// The change of the stock; so are all fields below.
  package var running = 0
  package var suspended = 0
  package var positionUnknown = 0
  package var remaining = 0
  /// In milliunits, like `remainingProceeds`.
  package var remainingPrice: Int128 = 0
  package var remainingProceeds: Int128 = 0

  package init() {}

  init(due: Int = 0, running: Int = 0, suspended: Int = 0, positionUnknown: Int = 0) {
    self.due = due
    self.running = running
    self.suspended = suspended
    self.positionUnknown = positionUnknown
  }

  private static let numbers: [any WritableKeyPath<CommitmentCounts, Int> & Sendable] = [
    \.due, \.paid, \.recovered, \.defaulted, \.pending, \.termsStarted, \.termsEnded,
    \.termsRenewed, \.termsSeen, \.running, \.suspended, \.positionUnknown, \.remaining,
  ]

  /// Adds other counts, multiplied by a number.
  package mutating func add(_ other: CommitmentCounts, times: Int = 1) {
    for number in Self.numbers { self[keyPath: number] += times * other[keyPath: number] }
    remainingPrice += Int128(times) * other.remainingPrice
    remainingProceeds += Int128(times) * other.remainingProceeds
  }

  package mutating func merge(_ other: CommitmentCounts, _ sign: MergeSign) {
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
    for number in Self.numbers { coder.count(&self[keyPath: number]) }
    coder.wideInteger(&remainingPrice)
    coder.wideInteger(&remainingProceeds)
  }
}

/// A column of `commitments` that counts instalments or terms.
package enum CommitmentColumn: CaseIterable, Hashable, Sendable, BitwiseCopyable {
  case running, suspended, positionUnknown
  case due, paid, recovered, defaulted, pending
  case termsStarted, termsEnded, termsRenewed
  case remaining

  /// Whether it is a stock: the number at the end of the month, not of the events in it.
  package var isStock: Bool {
    switch self {
    case .running, .suspended, .positionUnknown, .remaining: true
    case .due, .paid, .recovered, .defaulted, .pending: false
    case .termsStarted, .termsEnded, .termsRenewed: false
    }
  }
}

extension CommitmentCounts {
  /// Returns the number of a column.
  package func count(_ column: CommitmentColumn) -> Int {
    switch column {
    case .running: running
    case .suspended: suspended
    case .positionUnknown: positionUnknown
    case .due: due
    case .paid: paid
    case .recovered: recovered
    case .defaulted: defaulted
    case .pending: pending
    case .termsStarted: termsStarted
    case .termsEnded: termsEnded
    case .termsRenewed: termsRenewed
    case .remaining: remaining
    }
  }
}
