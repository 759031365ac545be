package import Storage
package import SubscriptionModel

/// The counts of a view's commitments by cohort, month and currency.
///
/// Grids of parts of the input merge.
package struct CommitmentGrid: Sendable {
  /// The key of counts.
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

  /// Adds an instalment.
  ///
  /// - Parameters:
  ///   - step: The instalment.
  ///   - start: The month in which it was charged.
  ///   - place: Its place in its term.
  ///   - cohort: The cohort's index.
  ///   - asOf: The day up to which the data are complete.
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

  /// Adds the counts of open instalments as of a day.
  ///
  /// - Parameters:
  ///   - asOf: The day.
  ///   - onlyDecided: Whether instalments that a later day may count differently stay open.
  mutating func countOpen(on asOf: Day, onlyDecided: Bool) {
    let counted = open.filter { !onlyDecided || $0.key.step.isDecided(on: asOf) }
    for (key, count) in counted {
      key.step.forEachCounts(on: asOf) { add($0, times: count, key, $1) }
      open[key] = nil
    }
  }

  /// Adds another grid, or subtracts it.
  ///
  /// - Parameters:
  ///   - other: The other grid.
  ///   - cohorts: For each cohort of the other grid, its index here.
  ///   - sign: Add or subtract.
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
