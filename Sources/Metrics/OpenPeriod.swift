import SubscriptionModel

/// A period of which the day decides what is said, though no row comes.
///
/// A tally keeps how many there are of each kind by the day of their end, and ``Tally/settled(on:)`` says what they are
/// on a day. Example: a monthly charge of 5 March that nothing followed and nobody refunded is running until 7 April, a
/// provisional lapse from 8 April, and a final one from 4 June, 60 days after its end: METRICS.md 2.5 and 2.6. From
/// then on it is decided: no later day makes it anything else, and it is a fact like all others.
struct OpenPeriod: Hashable, Sendable {
  enum Kind: UInt8, CaseIterable, Sendable {
    /// Nothing came after it so far, and it is paid, or a trial.
    case paid, trial
    /// The next charge is known before it is due: a renewal came a day or two early, or rows are dated after
    /// their report.
    case renewed, recovered, reactivated
    /// Retention numbers it, and its chain will be kept there, or lost if nothing comes.
    case kept, lost
    /// It follows a loss, but ended one day before that is decided, for which a period before the loss must be
    /// decided too that ended two days later than it. So it is pending on the day of its end alone.
    case afterLoss
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

  /// Returns whether nothing is said otherwise on a later day of one that ended, or ends, on a day.
  func isDecided(_ end: Day, on asOf: Day) -> Bool {
    switch kind {
    case .paid, .trial, .kept, .lost: isPastRetry(end, on: asOf)
    case .renewed, .recovered, .reactivated: end <= asOf
    case .afterLoss: end < asOf
    }
  }

  /// Hands out the facts that one is said to be.
  ///
  /// - Parameters:
  ///   - end: The first day after it.
  ///   - asOf: The day on which it is said.
  ///   - state: Takes a fact and the month that it is dated by.
  @inline(__always)
  func forEachFact(_ end: Day, on asOf: Day, _ state: (Fact, Month) -> Void) {
    guard kind == .trial || end <= asOf else { return }
    let month = Month(number: number)
    switch kind {
    case .trial: state(isPastRetry(end, on: asOf) ? .trialNotConverted : .trialPending, month)
    case .paid:
      let fate = ChainBuilder.fate(ofOpenPeriodUntil: end, on: asOf)
      state(fate == .openFinal ? .dueLapsed : .duePending, month)
      guard fate != .running else { return state(.endedAtEdge, month) }
      state(fate == .openFinal ? .lapseOpenFinal : .lapseOpenProvisional, month)
      state(.churnedUnknown, month)
      state(.stoppedBeingActive, month + 1)
    case .renewed: state(.dueRenewed, month)
    case .recovered: state(.dueRecovered, month)
    case .reactivated: state(.dueLapsed, month)
    case .kept, .lost, .afterLoss: break
    }
  }

  /// Hands out how retention counts one.
  ///
  /// - Parameters:
  ///   - end: The first day after it; after one before it, if that ended later.
  ///   - asOf: The day on which it is counted.
  ///   - count: Takes counts and their k.
  func forEachSurvival(_ end: Day, on asOf: Day, _ count: (SurvivalCounts, Int) -> Void) {
    guard end <= asOf else { return }
    let k = Int(number)
    switch kind {
    case .kept, .lost:
      guard isPastRetry(end, on: asOf) else { return count(SurvivalCounts(pending: 1), k) }
      count(kind == .kept ? SurvivalCounts(kept: 1) : SurvivalCounts(lost: 1), k)
      // Until then it was kept at the one before.
      if k > 1 { count(SurvivalCounts(kept: -1), k - 1) }
    case .afterLoss: if end == asOf { count(SurvivalCounts(pending: 1), k) }
    case .paid, .trial, .renewed, .recovered, .reactivated: break
    }
  }

  private func isPastRetry(_ end: Day, on asOf: Day) -> Bool {
    end + ChainBuilder.retryDays <= asOf
  }
}
