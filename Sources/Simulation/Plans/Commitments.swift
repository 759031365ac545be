/// The commitments of a world: twelve monthly instalments for a product of one year.
struct Commitments {
  /// A term that goes on.
  private struct Running {
    var record: CommitmentRecord
    /// The first day of the instalments that were paid in time one after another.
    var runStart: Int
    /// How many of them there are.
    var runCount: Int
    /// Whether the customer has said that it shall not be renewed.
    var endsWithTerm = false
  }

  /// For how many days the store tries to collect an instalment.
  static let retryDays = 90
  /// The places of the storefronts that do not sell instalments.
  private static let excluded = Set(
    Catalog.storefronts.indices.filter { ["US", "SG"].contains(Catalog.storefronts[$0].code) })

  /// What the chances of those who pay instalments are drawn from.
  var random: SeededRandom
  private let share: Share
  private let timeline: Timeline
  /// The first day on which instalments were sold.
  private let firstDay: Int
  private var running: [Int: Running] = [:]
  private var ended: [CommitmentRecord] = []

  /// Creates the commitments of a world; nothing for a world without.
  init?(options: WorldOptions, timeline: Timeline) {
    guard options.plans.commitments != .none else { return nil }
    share = options.plans.commitments
    self.timeline = timeline
    random = SeededRandom(seed: options.seed, stream: 41)
    firstDay = CalendarDay.number(year: 2026, month: 4, day: 27) - timeline.base
  }

  /// Draws whether somebody who begins to pay for a product pays instalments.
  mutating func isChosen(for product: Int, storefront: UInt8, on day: Int) -> Bool {
    guard Catalog.products[product].term.months == 12, day >= firstDay,
      !Self.excluded.contains(Int(storefront))
    else { return false }
    return share.happens(&random)
  }

  /// Adds a charge: it begins or continues a term, or ends it.
  ///
  /// - Parameters:
  ///   - member: The number of the member.
  ///   - terms: The terms of the charge.
  ///   - amounts: Its amounts.
  ///   - subscriberID: The member's number in reports.
  ///   - day: The day of the charge.
  /// - Returns: The day on which an instalment's period is over; nothing for other charges.
  mutating func add(
    _ member: Int, _ terms: ChargeTerms, _ amounts: Amounts, subscriberID: Int, on day: Int
  ) -> Int? {
    if terms.instalment <= 1, var term = running.removeValue(forKey: member) {
      term.record.endBefore(terms, on: day)
      ended.append(term.record)
    }
    guard terms.instalment > 0 else { return nil }
    var term =
      running[member]
      ?? Running(
        record: CommitmentRecord(subscriberID: subscriberID, terms: terms, amounts: amounts),
        runStart: day, runCount: 0)
    if term.runCount > 0, day - term.record.paidEnd > 2 {
      term.runStart = day
      term.runCount = 0
    }
    term.runCount += 1
    let end = timeline.end(ofMonths: term.runCount, from: term.runStart)
    term.record.instalments.append(
      CommitmentRecord.Instalment(day: day, end: end, proceeds: amounts.proceeds))
    running[member] = term
    return end
  }

  /// Ends somebody's term, if there is one; one whose twelve instalments are paid is complete.
  mutating func end(_ member: Int, _ ending: CommitmentRecord.Ending, on day: Int) {
    guard var term = running.removeValue(forKey: member) else { return }
    if term.record.isPaidUp, ending != .refunded {
      term.record.end(.complete, on: term.record.paidEnd)
    } else {
      term.record.end(ending, on: day)
    }
    ended.append(term.record)
  }

  /// Returns the day on which somebody's term is over if the instalments to come are paid in time.
  func scheduledEnd(_ member: Int) -> Int? {
    running[member].map { term in
      let left = CommitmentRecord.length - term.record.instalments.count
      return timeline.end(ofMonths: term.runCount + left, from: term.runStart)
    }
  }

  /// Whether somebody's term shall not be renewed.
  func endsWithTerm(_ member: Int) -> Bool { running[member]?.endsWithTerm ?? false }

  /// Says that somebody's term shall not be renewed.
  mutating func turnOffRenewal(_ member: Int) { running[member]?.endsWithTerm = true }

  /// All terms as they are on the last day, in the order of their beginnings.
  var records: [(record: CommitmentRecord, scheduledEnd: Int)] {
    var records = ended.map { (record: $0, scheduledEnd: $0.endDay) }
    for (member, term) in running {
      var record = term.record
      if record.isPaidUp, record.paidEnd <= timeline.lastDay {
        record.end(.complete, on: record.paidEnd)
      }
      records.append((record: record, scheduledEnd: scheduledEnd(member) ?? 0))
    }
    return records.sorted { left, right in
      let (first, second) = (left.record.instalments[0].day, right.record.instalments[0].day)
      return (first, left.record.subscriberID, left.record.terms.product)
        < (second, right.record.subscriberID, right.record.terms.product)
    }
  }
}

extension CommitmentRecord {
  /// Ends the term because of a charge that is none of its instalments.
  fileprivate mutating func endBefore(_ next: ChargeTerms, on day: Int) {
    guard isPaidUp else {
      end(.changed, on: day)
      return
    }
    if next.product != terms.product, day < paidEnd - 2 {
      end(.complete, on: day)
      renewal = .product
      return
    }
    end(.complete, on: paidEnd)
    if day - paidEnd <= 2 { renewal = renewal(by: next) }
  }
}

extension Timeline {
  /// Returns the day so many calendar months after a day, clamped to the month's end.
  func end(ofMonths months: Int, from day: Int) -> Int {
    CalendarDay.adding(months: months, to: base + day) - base
  }
}
