/// What world to simulate: how many subscribers, which days, which reports.
///
/// The same options always give the same bytes, but for signatures, see ``ReportKind/receipts``.
/// Which reports are written and whether faults are planted changes nothing in what the
/// subscribers do.
public struct WorldOptions: Sendable, Equatable {
  /// What can be written; the raw value is the folder's name.
  public enum ReportKind: String, Sendable, Hashable, CaseIterable {
    /// Summary Sales, 28 columns and those of ``PlanOptions``, aggregated.
    case sales
    /// Subscriber 1_3, 26 columns and those of ``PlanOptions``, one row a transaction.
    case subscriber
    /// Subscription 1_3, 35 columns and those of ``PlanOptions``, the state at the end of a day.
    case subscription
    /// Subscription Event 1_3, 29 columns and those of ``PlanOptions``, aggregated.
    case subscriptionEvent = "subscription-event"
    /// Dumps of receipts: answers of verifyReceipt, Server Notifications, history pages.
    ///
    /// The content is always the same, but ES256 signatures differ each time they are made.
    case receipts
    /// What Apple settles and pays of the sales in its fiscal periods: FINANCE_DETAIL, FINANCIAL by
    /// region and in a single file, and payments.
    case finance

    /// The daily reports: all but the receipts and the finance files.
    public static let reports = allCases.filter { $0 != .receipts && $0 != .finance }
    /// What is written unless something else is said: all but the finance files.
    public static let usual = reports + [.receipts]
  }

  /// The number of memberships (a person in a subscription group), joined before or in the window.
  public let subscribers: Int
  /// The first day with reports, as `2026-01-31`.
  public let firstDay: String
  /// The last day with reports, as `2026-01-31`; included.
  public let lastDay: String
  /// What the world's chances are drawn from.
  public let seed: UInt64
  /// Whether a missing, an empty and a restated day and an unknown event are planted.
  ///
  /// Fewer than seven days are too few for it: nothing is planted then. Without faults receipts
  /// also have the usual layout only, and no testers, family members or errors are among them.
  public let plantsFaults: Bool
  /// The reports to write; the truth is always written.
  public let kinds: Set<ReportKind>
  /// How many customers have signed notifications, history pages and decoded transactions.
  public let notified: Int
  /// The prices that change, beside the catalogue's own.
  public let prices: [PlantedPrice]
  /// Billing plans, contingent prices and commissions.
  public let plans: PlanOptions

  let firstDayNumber: Int
  let lastDayNumber: Int
  let priceSteps: [PriceStep]

  /// The most memberships a world can have.
  public static let subscriberLimit = 20_000_000
  /// How many customers have signed data unless something else is said.
  public static let usualNotified = 24
  /// The most days a world can have.
  public static let dayLimit = 3_700

  /// Creates the description of a world.
  ///
  /// - Parameters:
  ///   - subscribers: The number of memberships, 1 to ``subscriberLimit``.
  ///   - firstDay: The first day with reports, as `2026-01-31`, from 1990 on.
  ///   - lastDay: The last day with reports, at most ``dayLimit`` days in all.
  ///   - seed: What the chances are drawn from.
  ///   - plantsFaults: Whether faults are planted in the reports.
  ///   - kinds: The reports to write; at least one.
  ///   - notified: How many customers have signed data, spread evenly; those beyond the number of
  ///     subscribers do not count. Each event of theirs costs three signatures.
  ///   - prices: Changes of prices, at most ``PlantedPrice/limit``, one a product, country and day;
  ///     with finance files none of them changes the currency.
  ///   - plans: Billing plans, contingent prices and commissions; without them the world has none.
  /// - Throws: ``SimulationError/malformedDay(_:)``, ``SimulationError/reversedDays(first:last:)``,
  ///   ``SimulationError/tooManyDays(_:)``, ``SimulationError/impossibleSubscribers(_:)``,
  ///   ``SimulationError/impossibleNotified(_:)``, ``SimulationError/noReportKinds``,
  ///   ``SimulationError/noFiscalPeriod(first:last:)``,
  ///   ``SimulationError/impossiblePrice(found:expected:)`` or
  ///   ``SimulationError/tooManyPrices(_:)``.
  public init(
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
    priceSteps = try PriceStep.steps(of: prices, in: firstDayNumber...lastDayNumber)
    guard !kinds.isEmpty else { throw .noReportKinds }
    if kinds.contains(.finance) {
      try Self.checkCurrencies(prices)
      try Self.checkPeriods(firstDayNumber, lastDayNumber)
    }
    self.subscribers = subscribers
    self.firstDay = firstDay
    self.lastDay = lastDay
    self.seed = seed
    self.plantsFaults = plantsFaults
    self.kinds = kinds
    self.notified = notified
    self.prices = prices
    self.plans = plans
    self.firstDayNumber = firstDayNumber
    self.lastDayNumber = lastDayNumber
  }

  /// Refuses changes of currency: a store's sales are all settled in one region.
  private static func checkCurrencies(_ prices: [PlantedPrice]) throws(SimulationError) {
    for price in prices {
      guard case .currency(let code) = price.kind else { continue }
      throw .impossiblePrice(found: code, expected: "no other currency beside finance files")
    }
  }

  /// Refuses a window in which no fiscal period begins and ends.
  private static func checkPeriods(_ firstDay: Int, _ lastDay: Int) throws(SimulationError) {
    // The longest period has 35 days: the next one to begin ends in 70.
    let next = FiscalPeriod.all(from: firstDay, to: firstDay + 70).first { firstDay <= $0.firstDay }
    guard let next, next.lastDay > lastDay else { return }
    throw .noFiscalPeriod(
      first: CalendarDay.text(next.firstDay), last: CalendarDay.text(next.lastDay))
  }

  /// Creates the sample's description, whose values are known to be possible.
  private init(sampleFrom firstDayNumber: Int, to lastDayNumber: Int) {
    subscribers = 640
    firstDay = CalendarDay.text(firstDayNumber)
    lastDay = CalendarDay.text(lastDayNumber)
    seed = 2026
    plantsFaults = true
    kinds = Set(ReportKind.usual)
    notified = Self.usualNotified
    prices = []
    plans = PlanOptions(
      commitments: Share(millionths: 800_000), contingent: Share(millionths: 50_000),
      hasCommissions: true)
    priceSteps = []
    self.firstDayNumber = firstDayNumber
    self.lastDayNumber = lastDayNumber
  }

  /// The world in `sample-reports/`: nine months of 2026 with every fault.
  public static let sample = WorldOptions(
    sampleFrom: CalendarDay.number(year: 2026, month: 1, day: 1),
    to: CalendarDay.number(year: 2026, month: 9, day: 30))
}
