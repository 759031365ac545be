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
  ///   - records: The commitments.
  ///   - timeline: The world's timeline.
  ///   - tolerance: The number of days that a charge may be late and still continue a period: 2 in
  ///     reports, 0 in receipts.
  init(_ records: [CommitmentRecord], timeline: Timeline, tolerance: Int) {
    self.timeline = timeline
    self.tolerance = tolerance
    monthEnds = (timeline.firstDay...timeline.lastDay).filter {
      timeline.endsMonth($0) || $0 == timeline.lastDay
    }
    for record in records {
      addFlows(record)
      addDue(record)
      addStocks(record)
    }
  }

  private mutating func add(
    _ count: Int = 1, to column: Column, _ record: CommitmentRecord, on day: Int
  ) {
    guard (timeline.firstDay...timeline.lastDay).contains(day) else { return }
    counts.add(count, to: column, month: timeline.month(of: day), item: record.amounts.currency)
  }

  private mutating func addFlows(_ record: CommitmentRecord) {
    add(to: .started, record, on: record.instalments[0].day)
    add(to: .ended, record, on: record.endDay)
    if record.renewal != nil { add(to: .renewed, record, on: record.endDay) }
  }

  /// Adds the second to the twelfth instalment, each dated at the end of the one before.
  private mutating func addDue(_ record: CommitmentRecord) {
    for (earlier, later) in zip(record.instalments, record.instalments.dropFirst()) {
      add(to: .due, record, on: earlier.end)
      add(to: later.day - earlier.end <= 2 ? .paid : .recovered, record, on: earlier.end)
    }
    guard !record.isPaidUp, record.ending == .running || record.ending == .defaulted else { return }
    add(to: .due, record, on: record.paidEnd)
    add(to: record.ending == .running ? .pending : .defaulted, record, on: record.paidEnd)
  }

  private mutating func addStocks(_ record: CommitmentRecord) {
    for day in monthEnds where record.instalments[0].day <= day && day < record.endDay {
      add(to: .running, record, on: day)
      if isSuspended(record, on: day) { add(to: .suspended, record, on: day) }
      let charged = record.instalments.prefix { $0.day <= day }
      let remaining = CommitmentRecord.length - charged.count
      let proceeds = charged.last?.proceeds ?? 0
      add(remaining, to: .remaining, record, on: day)
      add(remaining * record.amounts.price, to: .remainingPrice, record, on: day)
      add(remaining * proceeds, to: .remainingProceeds, record, on: day)
    }
  }

  /// Returns whether an instalment is missing at the end of a day while the term runs.
  private func isSuspended(_ record: CommitmentRecord, on day: Int) -> Bool {
    let charged = record.instalments.prefix { $0.day <= day }
    guard charged.count < CommitmentRecord.length, let last = charged.last, last.end <= day
    else { return false }
    if let next = record.instalments.dropFirst(charged.count).first {
      return next.day - last.end > 2
    }
    return record.ending != .running
      || record.isSuspended(until: timeline.lastDay, tolerance: tolerance)
  }
}
