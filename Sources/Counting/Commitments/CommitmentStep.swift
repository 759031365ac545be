import Storage
import SubscriptionModel

/// One instalment as the `commitments` table counts it: METRICS.md section 5, commitments.
struct CommitmentStep: Hashable {
  /// The event that followed the instalment.
  enum Next: Hashable {
    /// The next instalment of the term continued it, in this month.
    case paid(Month)
    /// The next instalment came late, in this month, and at most 90 days after the end.
    case recovered(Month)
    /// None: it was the last instalment of its term. `isRenewed` is `true` if any charge continued it.
    case complete(isRenewed: Bool)
    /// It was refunded while it was current, which ended the term.
    case refunded
    /// Another product, plan or price was charged in this month instead, which ended the term.
    case changed(Month)
    /// No charge continued it: the term defaults and ends 90 days after the instalment's end.
    case lost
    /// There is no next charge so far; the term may continue.
    case open
    /// The next instalment was charged in this month, before this one ended; as-of lies before that end.
    case replaced(Month)

    // The cases that `lost` and `open` become as of a day; receipts use them directly.
    /// It has not ended. `lastSeen` is the month in which the term leaves the stocks because no later record exists;
    /// `nil` if it does not.
    case running(lastSeen: Month?)
    /// It has ended and has no next charge so far; `lastSeen` is as in `running`.
    case pending(isSuspended: Bool, lastSeen: Month?)
    /// It defaulted; `over` is the month in which the term ends, `nil` if the end is after as-of.
    case defaulted(over: Month?)
  }

  /// The place of an instalment in its term.
  enum Place {
    /// The first instalment of the term.
    case first
    /// A later instalment, and the first one of the term in the data.
    case firstSeen
    /// Any other later instalment.
    case later

    /// Creates the place of an instalment: its index among those of the term in the data, and its position in the term.
    init(_ index: Int, _ position: InstalmentPosition?) {
      self = position?.number == 1 ? .first : index == 0 ? .firstSeen : .later
    }
  }

  /// The currency of the row.
  var currency: Symbol
  /// The currency in which the customer pays.
  var customerCurrency: Symbol
  /// The price of one instalment of the term, and the developer's proceeds from it, in milliunits.
  var price: Int64
  var proceeds: Int64
  /// The number of instalments of the term after this one; `nil` if its position is unknown.
  var remaining: Int?
  /// The first day after it, and the month of that day.
  var end: Day
  var endMonth: Month
  /// The month in which the term ends if nothing continues the instalment: 90 days after its end.
  var retryEndMonth: Month
  var next: Next

  /// Returns whether every later as-of counts the instalment in the same way.
  func isDecided(on asOf: Day) -> Bool {
    switch next {
    case .refunded, .changed, .replaced, .running, .pending, .defaulted: true
    case .paid, .recovered, .complete: end <= asOf
    case .lost, .open: end + ChainBuilder.instalmentRetryDays <= asOf
    }
  }

  /// Returns the counts of the month in which the instalment was charged, and so became the newest of its term.
  func counts(_ place: Place) -> CommitmentCounts {
    var counts = stock
    guard remaining != nil else { return counts }
    switch place {
    case .first: counts.termsStarted = 1
    case .firstSeen: counts.termsSeen = 1
    case .later: break
    }
    return counts
  }

  /// Calls `add` with the counts of the instalment's outcome as of a day, each with its month.
  ///
  /// Stocks are counted as changes: the stock of a month is the sum of all changes up to it.
  func forEachCounts(on asOf: Day, _ add: (CommitmentCounts, Month) -> Void) {
    let isKnown = remaining != nil
    var due = CommitmentCounts(due: 1)
    switch outcome(on: asOf) {
    case .paid(let month):
      due.paid = 1
      if isKnown, end <= asOf { add(due, endMonth) }
      add(-stock, month)
    case .recovered(let month):
      due.recovered = 1
      due.suspended = 1
      if isKnown, end <= asOf {
        add(due, endMonth)
        add(CommitmentCounts(suspended: -1), month)
      }
      add(-stock, month)
    case .complete(let isRenewed):
      if end <= asOf { leave(in: endMonth, isRenewed: isRenewed, add) }
    case .refunded: leave(in: endMonth, add)
    case .changed(let month):
      // If the other charge comes a day or two after the end, the term is suspended until then.
      if isKnown, endMonth < month {
        add(CommitmentCounts(suspended: 1), endMonth)
        add(CommitmentCounts(suspended: -1), month)
      }
      leave(in: month, add)
    case .running(let lastSeen): if let lastSeen { leaveUnseen(in: lastSeen, add) }
    case .pending(let isSuspended, let lastSeen):
      due.pending = 1
      due.suspended = isSuspended ? 1 : 0
      if isKnown { add(due, endMonth) }
      guard let lastSeen else { return }
      if isKnown, isSuspended { add(CommitmentCounts(suspended: -1), lastSeen) }
      leaveUnseen(in: lastSeen, add)
    case .defaulted(let over):
      due.defaulted = 1
      due.suspended = 1
      if isKnown { add(due, endMonth) }
      guard let over else { return }
      if isKnown { add(CommitmentCounts(suspended: -1), over) }
      leave(in: over, add)
    case .replaced(let month): add(-stock, month)
    case .lost, .open: break
    }
  }

  /// Returns the following event as of a day, with `lost` and `open` resolved.
  private func outcome(on asOf: Day) -> Next {
    guard next == .lost || next == .open else { return next }
    if end > asOf { return .running(lastSeen: nil) }
    let isOver = end + ChainBuilder.instalmentRetryDays <= asOf
    if next == .lost || isOver { return .defaulted(over: isOver ? retryEndMonth : nil) }
    // A charge at most two days late still continues the instalment.
    let isSuspended = asOf - end > ChainBuilder.toleranceDays
    return .pending(isSuspended: isSuspended, lastSeen: nil)
  }

  /// Returns what followed the instalment as of a day, for `explain`.
  func explainedOutcome(on asOf: Day) -> InstalmentOutcome {
    switch outcome(on: asOf) {
    case .paid: .paid
    case .recovered: .recovered
    case .complete: .complete
    case .refunded: .refunded
    case .changed: .changed
    case .defaulted, .lost: .defaulted
    case .pending, .open: .pending
    case .running, .replaced: .running
    }
  }

  /// Removes from the stocks a term whose chain has no later records.
  private func leaveUnseen(in month: Month, _ add: (CommitmentCounts, Month) -> Void) {
    var counts = -stock
    if remaining != nil { counts.termsSeen = -1 }
    add(counts, month)
  }

  /// Ends the term and removes it from the stocks.
  private func leave(
    in month: Month, isRenewed: Bool = false, _ add: (CommitmentCounts, Month) -> Void
  ) {
    var counts = -stock
    if remaining != nil {
      counts.termsEnded = 1
      counts.termsRenewed = isRenewed ? 1 : 0
    }
    add(counts, month)
  }

  /// The term's part of the stocks while this instalment is its newest.
  private var stock: CommitmentCounts {
    guard let remaining else { return CommitmentCounts(running: 1, positionUnknown: 1) }
    var counts = CommitmentCounts(running: 1)
    counts.remaining = remaining
    counts.remainingPrice = Int128(price) * Int128(remaining)
    counts.remainingProceeds = Int128(proceeds) * Int128(remaining)
    return counts
  }
}

extension ChainFacts.Instalment {
  /// Returns what a month counts of the instalment, and the sum of the months up to it, which are the stocks, for
  /// `explain`.
  func explainedCounts(
    in month: Month, on asOf: Day
  ) -> (flows: CommitmentCounts, stocks: CommitmentCounts) {
    var (flows, stocks) = (CommitmentCounts(), CommitmentCounts())
    let add = { (counts: CommitmentCounts, day: Month) in
      if day == month { flows.add(counts) }
      if day <= month { stocks.add(counts) }
    }
    add(step.counts(place), start)
    step.forEachCounts(on: asOf, add)
    return (flows, stocks)
  }
}

/// What followed an instalment, as `commitments` counts it.
package enum InstalmentOutcome: Equatable, Sendable, BitwiseCopyable {
  /// It has not ended.
  case running
  /// The next instalment of the term came on time, or late and within 90 days.
  case paid, recovered
  /// It was the last of its term.
  case complete
  /// A refund ended it and the term.
  case refunded
  /// Another product or plan was charged instead at its end.
  case changed
  /// No charge so far, and it may still come.
  case pending
  /// Nothing continued it.
  case defaulted
}
