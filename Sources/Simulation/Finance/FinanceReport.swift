/// Settles and pays the sales: writes the finance files of each fiscal period.
///
/// Only periods that lie wholly in the window have files. A period's files are written on its last
/// day; until then its rows are kept aggregated, so memory does not grow with the number of subscribers.
struct FinanceReport {
  private let timeline: Timeline
  private let folder: ReportFolder
  private let periods: [FiscalPeriod]
  /// The index in ``periods`` of each day from ``firstDay`` on.
  private let places: [Int]
  /// The first day whose sales may be settled in a period that has files.
  private let firstDay: Int
  private var downloads: Downloads
  private var settlement: Settlement
  private var payouts: Payouts
  /// The units settled in periods that are not over, by the index of the period.
  private var open: [Int: [SettledRow: Int]] = [:]
  private var truth: FinanceTruth

  init(
    options: WorldOptions, timeline: Timeline, prices: PriceBook, folder: ReportFolder
  ) throws(SimulationError) {
    self.timeline = timeline
    self.folder = folder
    firstDay = timeline.firstDay - Settlement.longestLag
    let lastDay = timeline.lastDay + Settlement.longestLag
    let days = (timeline.base + firstDay)...(timeline.base + lastDay)
    let periods = FiscalPeriod.all(from: days.lowerBound, to: days.upperBound)
    self.periods = periods
    places = days.map { day in periods.firstIndex { day <= $0.lastDay } ?? 0 }
    downloads = Downloads(seed: options.seed)
    settlement = Settlement(options: options, prices: prices)
    payouts = Payouts(options: options)
    truth = FinanceTruth(periodCount: periods.count)
    for form in SettlementFiles.folders { try folder.makeFolder("finance/" + form) }
  }

  /// The true sums of the periods that have files.
  var bridges: [(period: FiscalPeriod, cells: [FinanceTruth.Cell])] {
    zip(periods, truth.cells).filter { hasFiles($0.0) }.map { (period: $0, cells: $1) }
  }

  private func hasFiles(_ period: FiscalPeriod) -> Bool {
    timeline.base + timeline.firstDay <= period.firstDay
      && period.lastDay <= timeline.base + timeline.lastDay
  }

  /// Settles a charge or refund; it may be from before the window.
  mutating func add(_ transaction: Transaction) {
    guard transaction.day >= firstDay, transaction.amounts.price > 0 else { return }
    let item = SettledRow.Item(
      product: Int32(transaction.terms.product), storefront: Int32(transaction.terms.storefront),
      price: Int32(transaction.amounts.price), share: Int32(transaction.amounts.proceeds),
      currency: Int8(transaction.amounts.currency), isReturn: transaction.kind != .charge)
    for _ in 0..<transaction.copies {
      let outcome = settlement.outcome(of: transaction, in: places[transaction.day - firstDay])
      settle(item, on: transaction.day, outcome, hasNewShares: transaction.terms.commission > 0)
    }
  }

  private mutating func settle(
    _ item: SettledRow.Item, on day: Int, _ outcome: Settlement.Outcome?, hasNewShares: Bool = false
  ) {
    let unit = FinanceTruth.Unit(
      period: places[day - firstDay], region: item.region, proceeds: Int(item.share),
      isReturn: item.isReturn, hasNewShares: hasNewShares)
    guard let outcome else {
      truth.addNotCollected(unit)
      return
    }
    let place = places[day + outcome.lag - firstDay]
    var item = item
    item.share = Int32(outcome.share)
    item.currency = Int8(outcome.currency)
    truth.add(unit, settledIn: place, region: item.region, share: outcome.share)
    let row = SettledRow(soldDay: Int32(day), settledDay: Int32(day + outcome.lag), item: item)
    open[place, default: [:]][row, default: 0] += 1
  }

  /// Settles the day's editions, and writes the files of a period that ends on this day.
  mutating func endDay(_ day: Int) throws(SimulationError) {
    let edition = SettledRow.Item(
      product: Int32(Catalog.products.count), storefront: 0,
      price: Int32(Downloads.Edition.amounts.price),
      share: Int32(Downloads.Edition.amounts.proceeds),
      currency: Int8(Downloads.Edition.amounts.currency), isReturn: false)
    for _ in 0..<downloads.nextDay().editions {
      let outcome = Settlement.Outcome(
        lag: settlement.lag(Int(edition.storefront)), share: Int(edition.share),
        currency: Int(edition.currency))
      settle(edition, on: day, outcome)
    }
    let place = places[day - firstDay]
    let period = periods[place]
    guard period.lastDay == timeline.base + day else { return }
    let rows = open.removeValue(forKey: place) ?? [:]
    guard hasFiles(period) else { return }
    try write(rows, period, place)
  }

  private mutating func write(
    _ rows: [SettledRow: Int], _ period: FiscalPeriod, _ place: Int
  ) throws(SimulationError) {
    let isPending = period.paymentDay > timeline.base + timeline.lastDay
    let payouts = payouts.next(truth.cells[place].map { $0[.settled] })
    truth.add(payouts, of: place, isPending: isPending)
    let files = SettlementFiles(period: period, base: timeline.base, rows: rows, folder: folder)
    try files.write(payouts, isPending: isPending)
  }
}
