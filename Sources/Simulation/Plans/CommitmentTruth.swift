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
  /// `tolerance` is the number of days that a charge may be late and still continue a period: 2 in reports, 0 in
  /// receipts.
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

/// The truth tables of billing plans and contingent prices, written only in a world with them.
extension TruthWriter {
  /// Returns all commitments, sorted by their first day.
  func terms(_ terms: [(commitment: CommitmentHistory, scheduledEnd: Int)]) -> String {
    let seen = terms.filter { $0.commitment.endDay >= timeline.firstDay }
    let rows = seen.map { commitment, scheduledEnd in
      let item = place(Int(commitment.terms.product), Int(commitment.terms.storefront))
      let currency = Catalog.currencies[commitment.amounts.currency]
      let start = CalendarDay.text(timeline.base + commitment.instalments[0].day)
      let endDay = commitment.ending == .running ? scheduledEnd : commitment.endDay
      let end = CalendarDay.text(timeline.base + endDay)
      let missed = commitment.missed(until: timeline.lastDay)
      let counts = Self.fields([commitment.instalments.count, missed, commitment.recovered])
      return
        "\(commitment.subscriberID),\(item),\(currency),\(hundredths: commitment.amounts.price),"
        + "\(start),\(end),\(commitment.ending.rawValue),\(counts),\(commitment.renewal?.rawValue ?? "")"
    }
    return table(
      "subscriber,product,country,currency,price,start,end,ended,instalments,missed,recovered,"
        + "renewal", rows)
  }

  /// Returns the outcome of the instalments, by month and currency.
  func commitments(_ truth: CommitmentTruth) -> String {
    table(
      "month,currency,\(truth.counts.header)",
      truth.counts.rows.map { month, currency, values in
        let key = "\(timeline.monthText(month)),\(Catalog.currencies[currency])"
        let amounts = values.suffix(2).map { "\(hundredths: $0)" }.joined(separator: ",")
        return "\(key),\(Self.fields(values.dropLast(2))),\(amounts)"
      })
  }

  static let readmeOfCommitments = """

    With commitments (a year in twelve monthly instalments) there are two tables more. Each instalment
    is a charge and a period of one month in all other tables. In `churned.csv` and `receipts.csv` 90
    days stand for 60 where an instalment's period ended. An instalment's period ends so many months
    after the first one that was paid in time with it: not later because it was charged a day late.

    - `terms.csv`: each commitment that went on in the window. `ended` is `complete` (the twelfth
      instalment's period is over), `defaulted` (90 days after the end of the last one paid),
      `refunded` (the current instalment was given back), `changed` (another product was bought before
      the twelfth instalment) or `running`; `end` is the first day after it, for a running one as far
      as it will be paid in time. `instalments` were paid, `missed` were not paid on the day or within
      two days, and `recovered` of these later. `renewal` is what continued a complete one within two
      days: another `commitment`, the year `upfront`, or another `product`.
    - `commitments.csv`: instalments and terms by month and currency, with the columns and words of the
      tool's own table. Terms that began before the window are counted too: the tool cannot count what
      it has not seen, so compare windows that begin before 2026-04-27, when the first were sold.
    - `receipt_commitments.csv`, with receipts: the same by the days of receipts, whose periods end when
      the next one begins; without proceeds. Only signed data state the plan, so the tool finds all of it
      where all customers have some (`--notified`).

    """

  static let readmeOfContingentPrices = """

    - `contingent.csv`: paid charges at a contingent price, which are also in `charges.csv`.

    """

  static let readmeOfCommissions = """

    The developer's share of a price without tax is that of the storefront on the day of the sale: 70 %
    and after a year 85 %, but 74 % and 85 % in Japan from 2025-12-18, in Brazil from 2026-06-18, in
    Germany and France from 2026-10-01.

    """
}
