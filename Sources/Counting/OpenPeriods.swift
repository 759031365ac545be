import Storage
package import SubscriptionModel

/// Counts of open periods by cohort, kind and end, and of late outcomes by cohort, kind and day.
package struct OpenPeriods: Sendable {
  private struct Key: QuickHashable {
    var period: OpenPeriod
    package var cohort: Int32
    /// The number of the 32-day span that contains the end.
    var span: Int32

    /// Hashes all fields.
    ///
    /// A chain looks up about five keys per view; with Swift's own hash that took 5 % of a run.
    var quickHash: UInt32 {
      let bits = UInt64(UInt32(bitPattern: cohort)) << 32 | period.bits
      return (bits ^ UInt64(UInt32(bitPattern: span)) &* 0xD6E8_FEB8_6659_FD93).quickHash
    }

    var firstDay: Day { Day(number: span << spanBits) }
  }

  /// A span has 32 days: one for each bit of a `UInt32`, and about a month.
  private static let spanBits = Int32(5)
  private static let daysOfSpan = 1 << Int(spanBits)
  private static let possibleSpans =
    Day.possibleNumbers.lowerBound >> spanBits...Day.possibleNumbers.upperBound >> spanBits

  private var keys = NumberedValues<Key>()
  /// The number of periods that end on each day of a key's span, or of outcomes that came late on it.
  ///
  /// All keys share one list, because a list per key would be scattered over memory.
  private var counts: [UInt32] = []

  /// Adds open periods with their end, or late outcomes with their day.
  mutating func add(_ period: OpenPeriod, until end: Day, count: Int = 1, cohort: Int) {
    let span = end.number >> Self.spanBits
    let first = indexOfFirstCount(of: Key(period: period, cohort: Int32(cohort), span: span))
    counts[first + Int(end.number & Int32(Self.daysOfSpan - 1))] &+= UInt32(
      truncatingIfNeeded: count)
  }

  /// Returns the index of a key's first count, adding the key if new.
  private mutating func indexOfFirstCount(of key: Key) -> Int {
    let first = keys.number(of: key) * Self.daysOfSpan
    if first == counts.count {
      counts.append(contentsOf: repeatElement(0, count: Self.daysOfSpan))
    }
    return first
  }

  /// Adds the open periods of another part, or subtracts them; `cohorts` has its cohorts' indices here.
  mutating func merge(_ other: OpenPeriods, cohorts: [Int], _ sign: MergeSign) {
    for (number, key) in other.keys.values.enumerated() {
      var own = key
      own.cohort = Int32(cohorts[Int(key.cohort)])
      let first = indexOfFirstCount(of: own)
      for offset in 0..<Self.daysOfSpan {
        let count = other.counts[number * Self.daysOfSpan + offset]
        // Only counts that were added before are subtracted, so none falls below 0.
        counts[first + offset] &+= sign == .plus ? count : 0 &- count
      }
    }
  }

  /// Calls `body` with some open periods and late outcomes; `isWanted` is called once for all ends of a period in
  /// a span.
  package func forEach(
    where isWanted: (OpenPeriod) -> Bool,
    _ body: (OpenPeriod, _ end: Day, _ count: Int, _ cohort: Int) -> Void
  ) {
    for (number, key) in keys.values.enumerated() where isWanted(key.period) {
      for offset in 0..<Self.daysOfSpan {
        let count = counts[number * Self.daysOfSpan + offset]
        guard count != 0 else { continue }
        body(key.period, key.firstDay + offset, Int(count), Int(key.cohort))
      }
    }
  }

  /// Calls `body` with all periods, decided or not as of a day, and with no late outcomes.
  ///
  /// Days of a span whose periods count alike on the day are passed once, with the last end and the sum: most periods of
  /// retention are decided.
  func forEachOpen(
    on asOf: Day, _ body: (OpenPeriod, _ end: Day, _ count: Int, _ cohort: Int) -> Void
  ) {
    for (number, key) in keys.values.enumerated() where !key.period.isLate {
      var (sum, last) = (0, key.firstDay)
      for offset in 0..<Self.daysOfSpan {
        let count = counts[number * Self.daysOfSpan + offset]
        guard count != 0 else { continue }
        let end = key.firstDay + offset
        if sum != 0, !key.period.countsAlike(last, end, on: asOf) {
          body(key.period, last, sum, Int(key.cohort))
          sum = 0
        }
        sum += Int(count)
        last = end
      }
      if sum != 0 { body(key.period, last, sum, Int(key.cohort)) }
    }
  }

  /// Removes the periods that are decided on a day, but no late outcomes.
  mutating func removeDecided(on asOf: Day) { removeAll { $0.isDecided($1, on: asOf) } }

  /// Keeps only the late outcomes.
  mutating func removeAllButLate() { removeAll { period, _ in !period.isLate } }

  private mutating func removeAll(where isRemoved: (OpenPeriod, Day) -> Bool) {
    for (number, key) in keys.values.enumerated() {
      for offset in 0..<Self.daysOfSpan where isRemoved(key.period, key.firstDay + offset) {
        counts[number * Self.daysOfSpan + offset] = 0
      }
    }
  }

  /// Writes or reads all counts other than 0.
  mutating func code<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    // The days of a key's span with counts, one bit for each.
    let daysOf = { (counts: [UInt32], number: Int) in
      (0..<Self.daysOfSpan).reduce(into: UInt32(0)) { days, offset in
        if counts[number * Self.daysOfSpan + offset] != 0 { days |= 1 << UInt32(offset) }
      }
    }
    let numbered = keys.values.enumerated().map { (key: $1, days: daysOf(counts, $0), number: $0) }
    var entries = numbered.filter { $0.days != 0 }
    let blank = Key(period: OpenPeriod(.kept, k: 0), cohort: 0, span: 0)
    coder.list(&entries, blank: (blank, 0, 0)) { entry, coder in
      coder.integer(&entry.key.cohort)
      coder.integer(&entry.key.span)
      coder.word(&entry.key.period.kind)
      coder.integer(&entry.key.period.number)
      coder.integer(&entry.days)
      let isPossible =
        (0..<cohorts).contains(Int(entry.key.cohort))
        && Month.possibleNumbers.contains(entry.key.period.number)
        && Self.possibleSpans.contains(entry.key.span)
      guard isPossible else { return coder.fail() }
      let first =
        coder.isReading ? indexOfFirstCount(of: entry.key) : entry.number * Self.daysOfSpan
      for offset in 0..<Self.daysOfSpan where entry.days >> UInt32(offset) & 1 == 1 {
        coder.integer(&counts[first + offset])
      }
    }
    // A damaged entry may have a key twice.
    if coder.isReading, keys.values.count != entries.count { coder.fail() }
  }
}

/// A period that a later as-of may count differently even without new rows, or a late outcome.
///
/// A tally holds the number of open periods of each kind by the day of their end; ``Tally/settled(on:)`` turns
/// them into facts. Example: the period of a monthly charge of 5 March, without a later charge and without a
/// refund, is running until 7 April. From 8 April on it is a provisional lapse, and from 4 June on, 60 days after
/// its end, a final one: METRICS.md 2.5 and 2.6. Then it is decided: no later as-of changes it.
///
/// A *late outcome* is an outcome that came after the month of its period. Example: the charge of 5 March lapsed on
/// 5 April and was recovered on 10 May. At the end of April it counted as churned, so ``ViewTally/rateCounts(of:on:)``
/// returns for April one churned chain more on days before 10 May. Both are counted by kind and day.
package struct OpenPeriod: Hashable, Sendable {
  package enum Kind: UInt8, CaseIterable, Sendable {
    /// A paid period or a trial that has no next charge so far.
    case paid, trial
    /// An instalment that has no next charge so far: the last of its term, which is due, or an earlier one, which is
    /// not due.
    case lastInstalment, instalment
    /// A due period that ends after as-of and already has its next charge.
    ///
    /// The renewal was charged a day or two early, or a row is dated after its report.
    case renewed, recovered, reactivated
    /// For retention: a paid period after which the chain was kept, or is lost if no charge follows.
    case kept, lost
    /// For retention: the same for a term of instalments, by its scheduled end.
    case keptTerm, lostTerm
    /// For retention: period k is pending from this day on, or no longer pending.
    ///
    /// Used after a period that is decided later, such as a term of instalments, and after a loss.
    case pending, noLongerPending
    /// Late outcomes, by the day on which they happened: a lapse, its recovery, a renewal, a converted trial, a full
    /// refund by the month of its sale.
    case lateLapse, lateRecovery, lateRenewal, lateConversion, lateRefund
    /// For receipts: a refund after the end of a period, because of which the period counts as neither due nor
    /// renewed.
    case lateNotDue, lateNotRenewed
    /// A free trial or another free period that has no next charge so far; it ceases to count when it is a lapse.
    case freeTrial, freeOffer
  }

  package var kind: Kind
  /// The number of the month in which it counts: that of its end, for a trial that of its start; for retention, k.
  package var number: Int32

  init(_ kind: Kind, _ month: Month) {
    self.kind = kind
    number = month.number
  }

  init(_ kind: Kind, k: Int) {
    self.kind = kind
    number = Int32(clamping: k)
  }

  /// A number that is unique unless months are millions of years away.
  var bits: UInt64 { UInt64(kind.rawValue) << 24 ^ UInt64(UInt32(bitPattern: number)) }

  /// Returns whether every later as-of counts the period in the same way; `end` is the first day after it.
  func isDecided(_ end: Day, on asOf: Day) -> Bool {
    switch kind {
    case .paid, .lastInstalment, .instalment, .trial, .kept, .lost, .keptTerm, .lostTerm:
      isPastRetry(end, on: asOf)
    case .renewed, .recovered, .reactivated, .pending, .noLongerPending: end <= asOf
    case .freeTrial, .freeOffer: ChainBuilder.lapseDay(ofPeriodUntil: end) <= asOf
    case .lateLapse, .lateRecovery, .lateRenewal, .lateConversion, .lateRefund, .lateNotDue,
      .lateNotRenewed:
      false
    }
  }

  /// Returns whether retention counts two ends of the period in the same way on a day; false for other tables.
  func countsAlike(_ first: Day, _ second: Day, on asOf: Day) -> Bool {
    isOfSurvival && (first <= asOf) == (second <= asOf)
      && isDecided(first, on: asOf) == isDecided(second, on: asOf)
  }

  /// Whether this is a late outcome, not an open period.
  var isLate: Bool {
    kind.rawValue >= Kind.lateLapse.rawValue && kind.rawValue <= Kind.lateNotRenewed.rawValue
  }

  /// Whether the period counts as a lapse from the third day after its end on.
  @inline(__always)
  var lapses: Bool { kind == .paid || kind == .lastInstalment || kind == .instalment }

  /// The days from the period's end until it is decided: 60, or 90 for instalments.
  private var retryDays: Int {
    switch kind {
    case .lastInstalment, .instalment, .keptTerm, .lostTerm: ChainBuilder.instalmentRetryDays
    default: ChainBuilder.retryDays
    }
  }

  /// Whether the period counts in retention, not in the other tables.
  var isOfSurvival: Bool {
    switch kind {
    case .kept, .lost, .keptTerm, .lostTerm, .pending, .noLongerPending: true
    default: false
    }
  }

  /// Calls `add` with each fact of the period and its month, as of a day; `end` is the first day after the period.
  @inline(__always)
  func forEachFact(_ end: Day, on asOf: Day, _ add: (Fact, Month) -> Void) {
    guard kind == .trial || end <= asOf else { return }
    let month = Month(number: number)
    switch kind {
    case .trial: add(isPastRetry(end, on: asOf) ? .trialNotConverted : .trialPending, month)
    case .paid, .lastInstalment, .instalment:
      let fate = ChainBuilder.fate(ofOpenPeriodUntil: end, on: asOf, retryDays: retryDays)
      let isDue = kind != .instalment
      if isDue { add(fate == .openFinal ? .dueLapsed : .duePending, month) }
      guard fate != .running else { return add(.endedAtEdge, month) }
      add(fate == .openFinal ? .lapseOpenFinal : .lapseOpenProvisional, month)
      add(.churnedUnknown, month)
      if !isDue, fate == .openFinal { add(.churnedInTerm, month) }
      add(.stoppedBeingActive, month + 1)
    case .renewed: add(.dueRenewed, month)
    case .recovered: add(.dueRecovered, month)
    case .reactivated: add(.dueLapsed, month)
    case .freeTrial, .freeOffer:
      guard isDecided(end, on: asOf) else { return }
      add(kind == .freeTrial ? .freeTrialEnded : .freeOfferEnded, month)
    default: break
    }
  }

  /// Calls `count` with the counts that the period adds to retention as of a day, and their k; `end` may be later than
  /// the period's if an earlier period delays the decision.
  func forEachSurvival(_ end: Day, on asOf: Day, _ count: (SurvivalCounts, Int) -> Void) {
    guard end <= asOf else { return }
    let k = Int(number)
    switch kind {
    case .kept, .lost, .keptTerm, .lostTerm:
      guard isPastRetry(end, on: asOf) else { return count(SurvivalCounts(pending: 1), k) }
      let isKept = kind == .kept || kind == .keptTerm
      count(isKept ? SurvivalCounts(kept: 1) : SurvivalCounts(lost: 1), k)
      // The chain was counted as kept at k - 1, its last decided period until now: take that back.
      if k > 1 { count(SurvivalCounts(kept: -1), k - 1) }
    case .pending: count(SurvivalCounts(pending: 1), k)
    case .noLongerPending: count(SurvivalCounts(pending: -1), k)
    default: break
    }
  }

  private func isPastRetry(_ end: Day, on asOf: Day) -> Bool { end + retryDays <= asOf }
}
