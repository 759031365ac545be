package import Storage
package import SubscriptionModel

/// The counts of a view's commitments by cohort, month and currency.
///
/// Grids of parts of the input merge.
package struct CommitmentGrid: Sendable {
  package struct Key: Hashable, Sendable {
    package var cohort: Int32
    package var month: Month
    /// The currency of the row.
    package var currency: Symbol
    /// The currency in which customers pay.
    package var customerCurrency: Symbol
  }

  private struct OpenKey: Hashable, Sendable {
    var cohort: Int32
    var step: CommitmentStep
  }

  package private(set) var counts: [Key: CommitmentCounts] = [:]
  /// The numbers of instalments that a later day may count differently.
  private var open: [OpenKey: Int] = [:]
  /// The number of instalments, also of those whose counts are all 0: a merge drops such counts.
  private var instalmentCount = 0

  /// Whether no instalment was added.
  var isEmpty: Bool { instalmentCount == 0 }

  /// Adds an instalment that was charged in the month `start`, with its place in its term.
  mutating func add(
    _ step: CommitmentStep, from start: Month, _ place: CommitmentStep.Place, cohort: Int, asOf: Day
  ) {
    let key = OpenKey(cohort: Int32(cohort), step: step)
    instalmentCount += 1
    add(step.counts(place), key, start)
    if step.isDecided(on: asOf) {
      step.forEachCounts(on: asOf) { add($0, key, $1) }
    } else {
      open[key, default: 0] += 1
    }
  }

  private mutating func add(
    _ added: CommitmentCounts, times: Int = 1, _ key: OpenKey, _ month: Month
  ) {
    let countsKey = Key(
      cohort: key.cohort, month: month, currency: key.step.currency,
      customerCurrency: key.step.customerCurrency)
    counts[countsKey, default: CommitmentCounts()].add(added, times: times)
  }

  /// Adds the counts of open instalments as of a day; with `onlyDecided` those that a later day may count differently
  /// stay open.
  mutating func countOpen(on asOf: Day, onlyDecided: Bool) {
    let counted = open.filter { !onlyDecided || $0.key.step.isDecided(on: asOf) }
    for (key, count) in counted {
      key.step.forEachCounts(on: asOf) { add($0, times: count, key, $1) }
      open[key] = nil
    }
  }

  /// Adds another grid, or subtracts it; `cohorts` has its cohorts' indices here.
  mutating func merge(_ other: CommitmentGrid, cohorts: [Int], _ sign: MergeSign) {
    instalmentCount += sign.factor * other.instalmentCount
    for (key, added) in other.counts {
      var own = key
      own.cohort = Int32(cohorts[Int(key.cohort)])
      counts.add(added, to: own, sign)
    }
    for (key, count) in other.open {
      var own = key
      own.cohort = Int32(cohorts[Int(key.cohort)])
      open.add(count, to: own, sign)
    }
  }
}

// MARK: Coding

extension CommitmentGrid {
  mutating func code<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    coder.count(&instalmentCount)
    let blank = Key(cohort: 0, month: Month(number: 0), currency: .blank, customerCurrency: .blank)
    coder.dictionary(&counts, blank: (blank, CommitmentCounts())) { key, counts, coder in
      coder.integer(&key.cohort)
      coder.month(&key.month)
      coder.symbol(&key.currency)
      coder.symbol(&key.customerCurrency)
      counts.code(with: &coder)
    }
    coder.dictionary(&open, blank: (OpenKey(cohort: 0, step: .blank), 0)) { key, count, coder in
      coder.integer(&key.cohort)
      key.step.code(with: &coder)
      coder.count(&count)
    }
    let used = counts.keys.map(\.cohort) + open.keys.map(\.cohort)
    if !used.allSatisfy({ (0..<cohorts).contains(Int($0)) }) { coder.fail() }
  }
}

extension CommitmentStep {
  fileprivate static let blank = CommitmentStep(
    currency: .blank, customerCurrency: .blank, price: 0, proceeds: 0, remaining: nil,
    end: Day(number: 0), endMonth: Month(number: 0), retryEndMonth: Month(number: 0), next: .open)

  fileprivate mutating func code(with coder: inout some ValueCoder) {
    coder.symbol(&currency)
    coder.symbol(&customerCurrency)
    coder.integer(&price)
    coder.integer(&proceeds)
    coder.optional(&remaining, blank: 0) { $1.count(&$0) }
    coder.day(&end)
    coder.month(&endMonth)
    coder.month(&retryEndMonth)
    next.code(with: &coder)
  }
}

extension CommitmentStep.Next {
  /// Writes or reads the case; cases that are never open are written as `open`.
  fileprivate mutating func code(with coder: inout some ValueCoder) {
    var (number, month): (UInt8, Month) = (0, Month(number: 0))
    switch self {
    case .open, .refunded, .changed, .replaced, .running, .pending, .defaulted: number = 0
    case .lost: number = 1
    case .paid(let own): (number, month) = (2, own)
    case .recovered(let own): (number, month) = (3, own)
    case .complete(isRenewed: false): number = 4
    case .complete(isRenewed: true): number = 5
    }
    coder.integer(&number)
    coder.month(&month)
    switch number {
    case 0: self = .open
    case 1: self = .lost
    case 2: self = .paid(month)
    case 3: self = .recovered(month)
    case 4: self = .complete(isRenewed: false)
    case 5: self = .complete(isRenewed: true)
    default: coder.fail()
    }
  }
}

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
