/// The description of a simulated world: its subscribers, its days and its reports.
///
/// The same options always give the same bytes, except for signatures, see ``ReportKind/receipts``.
/// The choice of reports and faults does not change what the subscribers do.
package struct WorldOptions: Sendable, Equatable {
  /// The kinds of files; the raw value is the folder's name.
  package enum ReportKind: String, Sendable, Hashable, CaseIterable {
    /// Summary Sales, 28 columns and those of ``PlanOptions``, aggregated.
    case sales
    /// Subscriber 1_3, 26 columns and those of ``PlanOptions``, one row for each transaction.
    case subscriber
    /// Subscription 1_3, 35 columns and those of ``PlanOptions``, the state at the end of a day.
    case subscription
    /// Subscription Event 1_3, 29 columns and those of ``PlanOptions``, aggregated.
    case subscriptionEvent = "subscription-event"
    /// Dumps of receipts: answers of verifyReceipt, Server Notifications, history pages.
    ///
    /// The content is always the same, but ES256 signatures differ each time they are made.
    case receipts
    /// Settlements and payments by fiscal period.
    ///
    /// FINANCE_DETAIL, FINANCIAL by region and in a single file, and payments.
    case finance

    /// The daily reports: all but the receipts and the finance files.
    package static let reports = allCases.filter { $0 != .receipts && $0 != .finance }
    /// The kinds written by default: all but the finance files.
    package static let usual = reports + [.receipts]
  }

  /// The number of memberships (a person in a subscription group), joined before or in the window.
  package let subscribers: Int
  /// The seed of the world's random numbers.
  package let seed: UInt64
  /// Whether a missing, an empty and a restated day and an unknown event are planted.
  ///
  /// Nothing is planted in fewer than seven days. Without faults, receipts have the usual layout only, and
  /// there are no testers, family members or errors among them.
  package let plantsFaults: Bool
  /// The reports to write; the truth is always written.
  package let kinds: Set<ReportKind>
  /// The number of customers with signed notifications, history pages and decoded transactions.
  package let notified: Int
  /// The price changes beside the catalogue's own.
  package let prices: [PlantedPrice]
  /// Billing plans, contingent prices and commissions.
  package let plans: PlanOptions

  let firstDayNumber: Int
  let lastDayNumber: Int
  let priceSteps: [PriceStep]

  /// The first day with reports, such as `2026-01-31`.
  package var firstDay: String { CalendarDay.text(firstDayNumber) }
  /// The last day with reports, such as `2026-01-31`; included.
  package var lastDay: String { CalendarDay.text(lastDayNumber) }

  /// The largest number of memberships in a world.
  package static let subscriberLimit = 20_000_000
  /// The default number of customers with signed data.
  package static let usualNotified = 24
  package static let dayLimit = 3_700

  /// The world in `sample-reports/`: nine months of 2026 with all faults.
  package static let sample = WorldOptions(
    subscribers: 640, seed: 2026, plantsFaults: true, kinds: Set(ReportKind.usual),
    notified: usualNotified, prices: [],
    plans: PlanOptions(
      commitments: Share(millionths: 800_000), contingent: Share(millionths: 50_000),
      hasCommissions: true),
    firstDayNumber: CalendarDay.number(year: 2026, month: 1, day: 1),
    lastDayNumber: CalendarDay.number(year: 2026, month: 9, day: 30), priceSteps: [])
}

extension WorldOptions {
  /// Creates the description of a world; the days are such as `2026-01-31`, from 1990 on, at most ``dayLimit``.
  ///
  /// There are 1 to ``subscriberLimit`` memberships, at least one kind, and at most ``PlantedPrice/limit`` prices,
  /// one for each product, country and day; with finance files none of them changes the currency. The `notified`
  /// customers, spread evenly, have signed data: each event takes three signatures.
  package init(
    subscribers: Int, firstDay: String, lastDay: String, seed: UInt64,
    plantsFaults: Bool = true, kinds: Set<ReportKind> = Set(ReportKind.usual),
    notified: Int = usualNotified, prices: [PlantedPrice] = [],
    plans: PlanOptions = PlanOptions()
  ) throws(SimulationError) {
    guard let firstDayNumber = CalendarDay.parsed(firstDay) else {
      throw .malformedDay(firstDay)
    }
    guard let lastDayNumber = CalendarDay.parsed(lastDay) else { throw .malformedDay(lastDay) }
    guard firstDayNumber <= lastDayNumber else {
      throw .reversedDays(first: firstDay, last: lastDay)
    }
    let days = lastDayNumber - firstDayNumber + 1
    guard days <= Self.dayLimit else { throw .tooManyDays(days) }
    guard (1...Self.subscriberLimit).contains(subscribers) else {
      throw .impossibleSubscribers(subscribers)
    }
    guard notified >= 0 else { throw .impossibleNotified(notified) }
    let priceSteps = try PriceStep.steps(of: prices, in: firstDayNumber...lastDayNumber)
    guard !kinds.isEmpty else { throw .noReportKinds }
    if kinds.contains(.finance) {
      try Self.checkCurrencies(prices)
      try Self.checkPeriods(firstDayNumber, lastDayNumber)
    }
    self.init(
      subscribers: subscribers, seed: seed, plantsFaults: plantsFaults, kinds: kinds,
      notified: notified, prices: prices, plans: plans, firstDayNumber: firstDayNumber,
      lastDayNumber: lastDayNumber, priceSteps: priceSteps)
  }

  /// Refuses changes of currency, because all sales of a store are settled in one region.
  private static func checkCurrencies(_ prices: [PlantedPrice]) throws(SimulationError) {
    for price in prices {
      guard case .currency(let code) = price.kind else { continue }
      throw .impossiblePrice(found: code, expected: "no other currency beside finance files")
    }
  }

  /// Refuses a window without a whole fiscal period.
  private static func checkPeriods(_ firstDay: Int, _ lastDay: Int) throws(SimulationError) {
    // The longest period has 35 days, so the next one to begin ends within 70.
    let next = FiscalPeriod.all(from: firstDay, to: firstDay + 70).first { firstDay <= $0.firstDay }
    guard let next, next.lastDay > lastDay else { return }
    throw .noFiscalPeriod(
      first: CalendarDay.text(next.firstDay), last: CalendarDay.text(next.lastDay))
  }
}
