/// The true counts of commitments, by month and currency, in the terms of METRICS.md.
struct CommitmentTruth {
  struct Key: Hashable {
    let month: Int
    let currency: Int
  }

  struct Cell {
    // State at the end of the month's last day, or of the last day of the world.
    var running = 0
    var suspended = 0
    var remaining = 0
    var remainingPrice = 0
    var remainingProceeds = 0
    // Counts within the month.
    var due = 0
    var paid = 0
    var recovered = 0
    var defaulted = 0
    var pending = 0
    var started = 0
    var ended = 0
    var renewed = 0
  }

  private(set) var cells: [Key: Cell] = [:]
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

  private mutating func count(
    _ record: CommitmentRecord, on day: Int, _ change: (inout Cell) -> Void
  ) {
    guard (timeline.firstDay...timeline.lastDay).contains(day) else { return }
    let key = Key(month: timeline.month(of: day), currency: record.amounts.currency)
    change(&cells[key, default: Cell()])
  }

  private mutating func addFlows(_ record: CommitmentRecord) {
    count(record, on: record.instalments[0].day) { $0.started += 1 }
    count(record, on: record.endDay) { cell in
      cell.ended += 1
      if record.renewal != nil { cell.renewed += 1 }
    }
  }

  /// Adds the second to the twelfth instalment, each dated at the end of the one before.
  private mutating func addDue(_ record: CommitmentRecord) {
    for (earlier, later) in zip(record.instalments, record.instalments.dropFirst()) {
      count(record, on: earlier.end) { cell in
        cell.due += 1
        if later.day - earlier.end <= 2 { cell.paid += 1 } else { cell.recovered += 1 }
      }
    }
    guard !record.isPaidUp else { return }
    switch record.ending {
    case .running:
      count(record, on: record.paidEnd) { cell in
        cell.due += 1
        cell.pending += 1
      }
    case .defaulted:
      count(record, on: record.paidEnd) { cell in
        cell.due += 1
        cell.defaulted += 1
      }
    case .complete, .refunded, .changed: break
    }
  }

  private mutating func addStocks(_ record: CommitmentRecord) {
    for day in monthEnds where record.instalments[0].day <= day && day < record.endDay {
      let isSuspended = isSuspended(record, on: day)
      let charged = record.instalments.prefix { $0.day <= day }
      let remaining = CommitmentRecord.length - charged.count
      count(record, on: day) { cell in
        cell.running += 1
        if isSuspended { cell.suspended += 1 }
        cell.remaining += remaining
        cell.remainingPrice += remaining * record.amounts.price
        cell.remainingProceeds += remaining * (charged.last?.proceeds ?? 0)
      }
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
