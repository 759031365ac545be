import Storage
package import SubscriptionModel

/// The bridge as METRICS.md section 7 tells it, one unit at a time: slow and obvious.
package struct ReferenceBridge {
  /// A line of a bridge, without its words.
  package struct Line: Equatable, Sendable {
    /// The step, such as 21.
    package var step: Int
    /// `70/85` or `other` in line 24, the other bridge in line 25, else blank.
    package var part = ""
    /// In milliunits; `nil` when not known.
    package var amount: Int128?
    /// `exact`, `estimate` or `unknown`.
    package var status = "exact"
    /// The range of an estimate.
    package var low: Int128?
    /// The range of an estimate.
    package var high: Int128?

    init(_ step: Int, _ amount: Int128?, part: String = "") {
      self.step = step
      self.amount = amount
      self.part = part
      if amount == nil { status = "unknown" }
    }

    mutating func estimate(_ low: Int128? = nil, _ high: Int128? = nil) {
      status = "estimate"
      (self.low, self.high) = (low, high)
    }

    /// Makes it an estimate where it may be anything but one amount.
    mutating func hold(_ low: Int128, _ high: Int128) {
      if low != high { estimate(low, high) }
    }
  }

  /// One unit, sold or settled.
  final class Unit {
    let day: Day
    let product, country, currency: Symbol
    let price, share: Int64
    /// Whether it is settled as a return; a credit for completing a bundle is no refund.
    let isReturn, isRefund: Bool
    /// The file's period and the Settlement Date of a settled unit.
    let settled: (period: FiscalPeriod, day: Day)?
    let place: (Int, Int32)
    var partner: Unit?
    /// The period in which a settled unit counts: that of its sale, else its own.
    var counts: FiscalPeriod { partner?.period ?? period }
    /// The day that decides in which region a settled unit counts.
    var countedDay: Day { partner?.day ?? day }

    init(_ sale: SaleKey) {
      (day, product, country, currency) = (sale.day, sale.product, sale.country, sale.currency)
      (price, share, isRefund) = (sale.customerPrice, sale.proceeds, sale.isRefund)
      (settled, place) = (nil, (0, 0))
      isReturn = sale.isRefund || sale.isCredit
      period = FiscalPeriod(containing: day)
    }

    init(_ row: FinanceRow, _ statement: FinanceStatement, _ sold: Day, _ settledDay: Day) {
      (day, product, country, currency) = (sold, row.product, row.country, row.currency)
      (price, share) = (row.customerPrice, row.partnerShare)
      (settled, place) = ((statement.period, settledDay), (statement.fileIndex, row.line))
      (isReturn, isRefund) = (row.quantity < 0, false)
      period = FiscalPeriod(containing: day)
    }

    var value: Int128 { Int128(isReturn ? -share : share) }
    let period: FiscalPeriod

    func isLike(_ other: Unit) -> Bool {
      product == other.product && country == other.country && currency == other.currency
        && price == other.price && isReturn == other.isReturn
    }
  }

  /// What was found before: the reference asks for the same again and again.
  final class Known {
    var regions: [[UInt32]: String] = [:]
    var destinations: [[UInt32]: Name?] = [:]
  }

  let known = Known()
  let records: FinanceData
  let regions: FinanceRegions
  let texts: [String]
  private(set) var sold: [Unit] = []
  private(set) var settled: [Unit] = []
  /// Settled units of days without a SALES report: taken out before counting.
  private(set) var unseen: [Unit] = []
  /// Whether the two reports agree on days wherever that can be seen.
  private(set) var areDaysEqual = false

  /// Pairs the units of records.
  package init(_ records: FinanceData, regions: FinanceRegions, texts: [String]) {
    (self.records, self.regions, self.texts) = (records, regions, texts)
    for (sale, units) in records.sales {
      for _ in 0..<abs(units) { sold.append(Unit(sale)) }
    }
    sold.sort { ($0.day, $0.share) < ($1.day, $1.share) }
    for statement in records.statements {
      for row in statement.rows where row.partnerShare != 0 {
        guard let day = row.transactionDay, let settledDay = row.settlementDay else { continue }
        for _ in 0..<abs(row.quantity) {
          let unit = Unit(row, statement, day, settledDay)
          if records.salesDays.contains(day) { settled.append(unit) } else { unseen.append(unit) }
        }
      }
    }
    settled.sort { left, right in
      let (first, second) = (left.settled?.day ?? left.day, right.settled?.day ?? right.day)
      return (first, left.day, left.share, left.place.0, left.place.1)
        < (second, right.day, right.share, right.place.0, right.place.1)
    }
    areDaysEqual = foundEqualDays()
    pairUnits()
  }

  // MARK: What there is

  func statements(_ period: FiscalPeriod) -> [FinanceStatement] {
    records.statements.filter { $0.period == period }
  }

  func hasDetail(_ period: FiscalPeriod) -> Bool {
    statements(period).contains { $0.form == .detail }
  }

  func days(_ period: FiscalPeriod) -> [Day] {
    (period.firstDay.number...period.lastDay.number).map { Day(number: $0) }
  }
}
