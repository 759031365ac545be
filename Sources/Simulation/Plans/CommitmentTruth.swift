/// The true counts of commitments, by month and currency, in the terms of METRICS.md.
struct CommitmentTruth {
  /// The columns of `truth/commitments.csv`; the last two are amounts, in hundredths.
  enum Column: String, CaseIterable {
    // State at the end of the month's last day, or of the last day of the world.
    case running, suspended
    // Counts within the month.
    case due, paid, recovered, defaulted, pending
    case started = "terms_started"
    case ended = "terms_ended"
    case renewed = "terms_renewed"
    // State again.
    case remaining
    case remainingPrice = "remaining_price"
    case remainingProceeds = "remaining_proceeds"
  }

  private(set) var counts = CountTable<Column>()
  private let timeline: Timeline
  /// The last day of each month; for the last month, the last day of the world.
  private let monthEnds: [Int]
  /// The number of days that a charge may be late and still continue a period.
  private let tolerance: Int

  /// Creates the counts of all commitments.
  ///
  /// - Parameters:
  ///   - commitments: The commitments.
  ///   - timeline: The world's timeline.
  ///   - tolerance: The number of days that a charge may be late and still continue a period: 2 in
  ///     reports, 0 in receipts.
  init(_ commitments: [CommitmentHistory], timeline: Timeline, tolerance: Int) {
    self.timeline = timeline
    self.tolerance = tolerance
    monthEnds = (timeline.firstDay...timeline.lastDay).filter {
      timeline.endsMonth($0) || $0 == timeline.lastDay
    }
    for commitment in commitments {
      addFlows(commitment)
      addDue(commitment)
      addStocks(commitment)
    }
  }

  private mutating func add(
    _ count: Int = 1, to column: Column, _ commitment: CommitmentHistory, on day: Int
  ) {
    guard (timeline.firstDay...timeline.lastDay).contains(day) else { return }
    counts.add(count, to: column, month: timeline.month(of: day), item: commitment.amounts.currency)
  }

  private mutating func addFlows(_ commitment: CommitmentHistory) {
    add(to: .started, commitment, on: commitment.instalments[0].day)
    add(to: .ended, commitment, on: commitment.endDay)
    if commitment.renewal != nil { add(to: .renewed, commitment, on: commitment.endDay) }
  }

  /// Adds the second to the twelfth instalment, each dated at the end of the one before.
  private mutating func addDue(_ commitment: CommitmentHistory) {
    for (earlier, later) in zip(commitment.instalments, commitment.instalments.dropFirst()) {
      add(to: .due, commitment, on: earlier.end)
      add(to: later.day <= earlier.latest ? .paid : .recovered, commitment, on: earlier.end)
    }
    guard !commitment.isPaidUp, commitment.ending == .running || commitment.ending == .defaulted
    else { return }
    add(to: .due, commitment, on: commitment.paidEnd)
    add(
      to: commitment.ending == .running ? .pending : .defaulted, commitment, on: commitment.paidEnd)
  }

  private mutating func addStocks(_ commitment: CommitmentHistory) {
    for day in monthEnds where commitment.instalments[0].day <= day && day < commitment.endDay {
      add(to: .running, commitment, on: day)
      if isSuspended(commitment, on: day) { add(to: .suspended, commitment, on: day) }
      let charged = commitment.instalments.prefix { $0.day <= day }
      let remaining = CommitmentHistory.length - charged.count
      let proceeds = charged.last?.proceeds ?? 0
      add(remaining, to: .remaining, commitment, on: day)
      add(remaining * commitment.amounts.price, to: .remainingPrice, commitment, on: day)
      add(remaining * proceeds, to: .remainingProceeds, commitment, on: day)
    }
  }

  /// Returns whether an instalment is missing at the end of a day while the term runs.
  private func isSuspended(_ commitment: CommitmentHistory, on day: Int) -> Bool {
    let charged = commitment.instalments.prefix { $0.day <= day }
    guard charged.count < CommitmentHistory.length, let last = charged.last, last.end <= day
    else { return false }
    if let next = commitment.instalments.dropFirst(charged.count).first {
      return next.day > last.latest
    }
    return commitment.ending != .running
      || commitment.isSuspended(until: timeline.lastDay, tolerance: tolerance)
  }
}
