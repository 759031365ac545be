import SubscriptionModel

/// One instalment as the `commitments` table counts it: METRICS.md 10.5.
struct CommitmentStep: Hashable {
  /// What came after the instalment.
  enum Next: Hashable {
    /// The next instalment of the term continued it, in this month.
    case paid(Month)
    /// The next instalment came late, in this month, and at most 90 days after the end.
    case recovered(Month)
    /// It is the last of its term; whether any charge continued it.
    case complete(isRenewed: Bool)
    /// It was given back while it was current: the term ended with it.
    case refunded
    /// Something else was charged in its place, in this month: the term ended then.
    case changed(Month)
    /// Nothing continued it, and the term is over 90 days later.
    case lost
    /// Nothing followed so far; its term goes on.
    case open
    /// The next instalment was charged before this one was over, in this month; as-of lies between.
    case replaced(Month)

    // What the last two are on a day.
    /// It is not over; its chain was not seen any more since this month.
    case running(lastSeen: Month?)
    /// It is over, and nothing continued it so far; its chain was not seen any more since this month.
    case pending(isSuspended: Bool, lastSeen: Month?)
    /// Nothing continued it, and nothing will; the term is over in this month, `nil` if that is to come.
    case defaulted(over: Month?)
  }

  /// Where it stands in its term.
  enum Place {
    /// The first of the term.
    case first
    /// A later one, before which the data have none.
    case firstSeen
    /// A later one.
    case later

    /// Where an instalment stands.
    ///
    /// - Parameters:
    ///   - index: Its place among the instalments of the term that the data have, from 0.
    ///   - position: Its position in the term.
    init(_ index: Int, _ position: InstalmentPosition?) {
      self = position?.number == 1 ? .first : index == 0 ? .firstSeen : .later
    }
  }

  /// The currency of the row.
  var currency: Symbol
  /// The currency that the customer pays in.
  var customerCurrency: Symbol
  /// What one instalment of the term costs, and what of it the developer gets: milliunits.
  var price: Int64
  var proceeds: Int64
  /// How many instalments of the term are to come after this one; `nil` when its position is not known.
  var remaining: Int?
  /// The first day after it, and the month of that day.
  var end: Day
  var endMonth: Month
  /// The month in which the term is over if nothing continues the instalment: 90 days after its end.
  var retryEndMonth: Month
  var next: Next

  /// Whether no later as-of changes what it counts as.
  func isDecided(on asOf: Day) -> Bool {
    switch next {
    case .refunded, .changed, .replaced, .running, .pending, .defaulted: true
    case .paid, .recovered, .complete: end <= asOf
    case .lost, .open: end + ChainBuilder.instalmentRetryDays <= asOf
    }
  }

  /// What it adds in the month in which it begins to be the newest of its term.
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

  /// Hands out what it adds when it is over, as far as as-of has come.
  ///
  /// Stocks are counted by their changes: a month's is the sum of all changes up to it.
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
      // It may have come a day or two after the end: until then nothing continued the instalment.
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

  /// Returns what an instalment is on a day that nothing continued.
  private func outcome(on asOf: Day) -> Next {
    guard next == .lost || next == .open else { return next }
    if end > asOf { return .running(lastSeen: nil) }
    let isOver = end + ChainBuilder.instalmentRetryDays <= asOf
    if next == .lost || isOver { return .defaulted(over: isOver ? retryEndMonth : nil) }
    // Until two days later it may still be continued.
    let isSuspended = asOf - end > ChainBuilder.toleranceDays
    return .pending(isSuspended: isSuspended, lastSeen: nil)
  }

  /// Takes a term out of the stocks of which nothing was seen any more.
  private func leaveUnseen(in month: Month, _ add: (CommitmentCounts, Month) -> Void) {
    var counts = -stock
    if remaining != nil { counts.termsSeen = -1 }
    add(counts, month)
  }

  /// Ends the term.
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

  /// What it adds to the stocks while it is the newest of its term.
  private var stock: CommitmentCounts {
    guard let remaining else { return CommitmentCounts(running: 1, positionUnknown: 1) }
    return CommitmentCounts(
      running: 1, remaining: remaining, remainingPrice: Int128(price) * Int128(remaining),
      remainingProceeds: Int128(proceeds) * Int128(remaining))
  }
}
