import SubscriptionModel

/// A period that a later as-of may count differently, although no new row has come.
///
/// A tally holds the number of open periods of each kind by the day of their end; ``Tally/settled(on:)`` turns them into
/// facts. Example: the period of a monthly charge of 5 March, without a later charge and without a refund, is running
/// until 7 April. From 8 April on it is a provisional lapse, and from 4 June on, 60 days after its end, a final one:
/// METRICS.md 2.5 and 2.6. Then it is decided: every later as-of counts it in the same way.
struct OpenPeriod: Hashable, Sendable {
  enum Kind: UInt8, CaseIterable, Sendable {
    /// Nothing came after it so far, and it is paid, or a trial.
    case paid, trial
    /// The same for an instalment: the last of its term, which is due, and any other, which is not.
    case lastInstalment, instalment
    /// The next charge is known before it is due: a renewal came a day or two early, or rows are dated after
    /// their report.
    case renewed, recovered, reactivated
    /// Retention numbers it, and its chain will be kept there, or lost if nothing comes.
    case kept, lost
    /// The same for a term of instalments, by its scheduled end.
    case keptTerm, lostTerm
    /// Retention numbers it: it is pending from this day on, or no longer pending.
    ///
    /// Of a period that follows one which is decided later than it, such as a term of instalments or a loss.
    case pending, noLongerPending
  }

  var kind: Kind
  /// The number of the month that it is dated by, a paid one by its end and a trial by its start; retention's k.
  var number: Int32

  init(_ kind: Kind, _ month: Month) {
    self.kind = kind
    number = month.number
  }

  init(_ kind: Kind, k: Int) {
    self.kind = kind
    number = Int32(clamping: k)
  }

  /// A number that other periods do not have, unless their months are millions of years away.
  var bits: UInt64 { UInt64(kind.rawValue) << 24 ^ UInt64(UInt32(bitPattern: number)) }

  /// Returns whether every later as-of counts a period in the same way as this one.
  ///
  /// - Parameters:
  ///   - end: The first day after the period.
  ///   - asOf: As-of.
  /// - Returns: Whether it is decided.
  func isDecided(_ end: Day, on asOf: Day) -> Bool {
    switch kind {
    case .paid, .lastInstalment, .instalment, .trial, .kept, .lost, .keptTerm, .lostTerm:
      isPastRetry(end, on: asOf)
    case .renewed, .recovered, .reactivated, .pending, .noLongerPending: end <= asOf
    }
  }

  /// Days after its end on which it is decided.
  private var retryDays: Int {
    switch kind {
    case .lastInstalment, .instalment, .keptTerm, .lostTerm: ChainBuilder.instalmentRetryDays
    default: ChainBuilder.retryDays
    }
  }

  /// Whether retention counts it, rather than the other tables.
  var isOfSurvival: Bool {
    switch kind {
    case .kept, .lost, .keptTerm, .lostTerm, .pending, .noLongerPending: true
    default: false
    }
  }

  /// Hands out the facts of a period.
  ///
  /// - Parameters:
  ///   - end: The first day after it.
  ///   - asOf: As-of.
  ///   - state: Takes a fact and the month that it is dated by.
  @inline(__always)
  func forEachFact(_ end: Day, on asOf: Day, _ state: (Fact, Month) -> Void) {
    guard kind == .trial || end <= asOf else { return }
    let month = Month(number: number)
    switch kind {
    case .trial: state(isPastRetry(end, on: asOf) ? .trialNotConverted : .trialPending, month)
    case .paid, .lastInstalment, .instalment:
      let fate = ChainBuilder.fate(ofOpenPeriodUntil: end, on: asOf, retryDays: retryDays)
      let isDue = kind != .instalment
      if isDue { state(fate == .openFinal ? .dueLapsed : .duePending, month) }
      guard fate != .running else { return state(.endedAtEdge, month) }
      state(fate == .openFinal ? .lapseOpenFinal : .lapseOpenProvisional, month)
      state(.churnedUnknown, month)
      if !isDue, fate == .openFinal { state(.churnedInTerm, month) }
      state(.stoppedBeingActive, month + 1)
    case .renewed: state(.dueRenewed, month)
    case .recovered: state(.dueRecovered, month)
    case .reactivated: state(.dueLapsed, month)
    case .kept, .lost, .keptTerm, .lostTerm, .pending, .noLongerPending: break
    }
  }

  /// Hands out how retention counts one.
  ///
  /// - Parameters:
  ///   - end: The first day after it; of one that is decided later than by its own end, as if it had ended later.
  ///   - asOf: The day on which it is counted.
  ///   - count: Takes counts and their k.
  func forEachSurvival(_ end: Day, on asOf: Day, _ count: (SurvivalCounts, Int) -> Void) {
    guard end <= asOf else { return }
    let k = Int(number)
    switch kind {
    case .kept, .lost, .keptTerm, .lostTerm:
      guard isPastRetry(end, on: asOf) else { return count(SurvivalCounts(pending: 1), k) }
      let isKept = kind == .kept || kind == .keptTerm
      count(isKept ? SurvivalCounts(kept: 1) : SurvivalCounts(lost: 1), k)
      // Until then it was kept at the one before.
      if k > 1 { count(SurvivalCounts(kept: -1), k - 1) }
    case .pending: count(SurvivalCounts(pending: 1), k)
    case .noLongerPending: count(SurvivalCounts(pending: -1), k)
    default: break
    }
  }

  private func isPastRetry(_ end: Day, on asOf: Day) -> Bool {
    end + retryDays <= asOf
  }
}
