import Settlement
import SubreportTestSupport
import SubscriptionModel
import Testing

/// Worked examples: one monthly product at 9.99 USD, of which the developer gets 6.99.
///
/// The period is 2026-03, 30 November to 27 December 2025; money is in milliunits.
@Suite("A line of the bridge")
struct BridgeLineTests {
  typealias Item = FinanceWorldBuilder.Item
  static let period = FiscalPeriod(fiscalYear: 2026, period: 3)
  static let first = period.firstDay
  static let last = period.lastDay

  /// A world with SALES of three periods and, unless it is said, FINANCE_DETAIL of three.
  static func world(
    details: Int = 3, _ fill: (inout FinanceWorldBuilder, inout [FinanceRow]) -> Void
  ) -> FinanceWorldBuilder {
    var world = FinanceWorldBuilder()
    world.openDays(period...period + 2)
    var rows: [FinanceRow] = []
    fill(&world, &rows)
    for offset in 0..<details {
      let own = rows.filter { row in
        row.settlementDay.map { FiscalPeriod(containing: $0) } == period + offset
      }
      world.add(.detail, period + offset, own)
    }
    return world
  }

  static func bridge(
    _ world: FinanceWorldBuilder, _ period: FiscalPeriod = period, region: String = "US",
    _ commissions: Commissions = .shipped
  ) throws -> Bridge {
    try #require(
      world.reconciliation(commissions).bridges.first { $0.period == period && $0.region == region }
    )
  }

  /// The amounts of some lines.
  static func amounts(_ bridge: Bridge, _ lines: Bridge.Line...) -> [Int128?] {
    lines.map { bridge.amount(of: $0) }
  }

  @Test
  func `sales and refunds that settle at once leave nothing to explain`() throws {
    let day = Self.first + 5
    let world = Self.world { world, rows in
      world.sell(Item(), day, units: 3)
      world.sell(Item(), day + 1, isRefund: true)
      rows.append(world.row(Item(), units: 3, sold: day, settled: day + 1))
      rows.append(world.row(Item(), isReturn: true, sold: day + 1, settled: day + 2))
    }
    let bridge = try Self.bridge(world)
    #expect(Self.amounts(bridge, .salesGross, .salesRefunds) == [20_970, -6_990])
    #expect(
      Self.amounts(bridge, .cutoffIn, .cutoffOut, .refundTiming, .notCollected, .shareDifference)
        == [0, 0, 0, 0, 0])
    #expect(Self.amounts(bridge, .unexplainedSales, .financeShare) == [0, 13_980])
    #expect(bridge.entries(of: .salesRefunds).first?.count == -1)
    #expect(bridge.entries(of: .financeShare).first?.evidence == "FINANCE_DETAIL")
    let isExact = bridge.entries.filter { $0.line.rawValue <= 30 }.allSatisfy {
      $0.status == .exact && $0.low == nil
    }
    #expect(isExact)
  }

  @Test
  func `a sale on the last day that settles in the next period is cut off`() throws {
    let world = Self.world { world, rows in
      world.sell(Item(), Self.last, units: 2)
      world.sell(Item(), Self.last, isRefund: true)
      rows.append(world.row(Item(), units: 2, sold: Self.last, settled: Self.last + 1))
      rows.append(world.row(Item(), isReturn: true, sold: Self.last, settled: Self.last + 2))
    }
    let bridge = try Self.bridge(world)
    #expect(Self.amounts(bridge, .cutoffOut, .refundTiming) == [-13_980, 6_990])
    #expect(Self.amounts(bridge, .unexplainedSales, .financeShare) == [0, 0])
    let next = try Self.bridge(world, Self.period + 1)
    #expect(Self.amounts(next, .cutoffIn, .refundTiming) == [13_980, -6_990])
    #expect(Self.amounts(next, .unexplainedSales, .financeShare) == [0, 6_990])
  }

  @Test
  func `a sale that is never settled was not collected; exact once two more periods are there`()
    throws
  {
    for (details, status) in [(3, Bridge.Status.exact), (2, .estimate)] {
      let world = Self.world(details: details) { world, rows in
        world.sell(Item(), Self.first + 3, units: 4)
        rows.append(world.row(Item(), units: 3, sold: Self.first + 3, settled: Self.first + 3))
      }
      let bridge = try Self.bridge(world)
      let entry = try #require(bridge.entries(of: .notCollected).first)
      #expect(entry.amount == -6_990)
      #expect(entry.count == -1)
      #expect(entry.status == status)
      #expect(entry.low == (status == .estimate ? -6_990 : nil))
      #expect(entry.high == (status == .estimate ? 0 : nil))
      #expect(bridge.amount(of: .unexplainedSales) == 0)
    }
  }

  @Test
  func `without the next period, open sales of the last days go to the cut-off`() throws {
    let world = Self.world(details: 1) { world, rows in
      world.sell(Item(), Self.first + 3, units: 2)
      world.sell(Item(), Self.first + 9)
      world.sell(Item(), Self.last - 1)
      // The longest lag seen is 2 days, so of the open sales only the last may still settle.
      rows.append(world.row(Item(), units: 2, sold: Self.first + 3, settled: Self.first + 5))
    }
    let bridge = try Self.bridge(world)
    let cutoff = try #require(bridge.entries(of: .cutoffOut).first)
    let open = try #require(bridge.entries(of: .notCollected).first)
    // At 85 instead of 70 % the two would be 16.9757.
    #expect([cutoff.amount, cutoff.low, cutoff.high] == [-6_990, -16_976, 0])
    #expect([open.amount, open.low, open.high] == [-6_990, -13_980, 0])
    #expect([cutoff.status, open.status] == [.estimate, .estimate])
    #expect(bridge.amount(of: .unexplainedSales) == 0)
  }

  @Test
  func
    `without the next period, open returns of the last days go to the timing, older ones do not`()
    throws
  {
    let world = Self.world(details: 1) { world, rows in
      world.sell(Item(), Self.last, isRefund: true)
      world.sell(Item(), Self.first + 2, isRefund: true)
      rows.append(world.row(Item(), sold: Self.first - 1, settled: Self.first + 5))
      rows.append(
        world.row(Item(), isReturn: true, sold: Self.first - 1, settled: Self.first + 3))
    }
    let bridge = try Self.bridge(world)
    let timing = try #require(bridge.entries(of: .refundTiming).first)
    // The return of before is in; both open ones may follow, at 85 instead of 70 %.
    #expect([timing.amount, timing.low, timing.high] == [0, -6_990, -6_990 + 16_976])
    #expect(timing.status == .estimate)
    let open = try #require(bridge.entries(of: .notCollected).first)
    #expect([open.amount, open.low, open.high] == [6_990, 0, 13_980])
    #expect(Self.amounts(bridge, .cutoffOut, .unexplainedSales) == [0, 0])
    #expect(bridge.entries(of: .unexplainedSales).first?.status == .exact)
  }

  @Test(arguments: [1, 2])
  func `open units may settle at the other rate, up or down`(details: Int) throws {
    let world = Self.world(details: details) { world, rows in
      world.sell(Item(), Self.first, units: 2)
      rows.append(
        world.row(Item().with { $0.share = 8_490 }, sold: Self.first, settled: Self.first))
    }
    let differences = try Self.bridge(world).entries(of: .shareDifference)
    #expect(differences.map(\.status) == [.estimate, .exact])
    // 6.99 at 70/85 is 1.234 less, at 85/70 1.498 more.
    #expect(differences[0].low == 266)
    #expect(differences[0].high == 2_998)
    #expect(differences[1].low == nil)
  }

  @Test
  func `a settled unit without a sale stays unexplained while a sale of its period is open`() throws
  {
    for (details, unexplained) in [(1, 6_990), (2, 0)] as [(Int, Int128)] {
      let world = Self.world(details: details) { world, rows in
        world.sell(Item(), Self.last)
        rows.append(world.row(Item(), sold: Self.first, settled: Self.first + 1))
      }
      let bridge = try Self.bridge(world)
      #expect(bridge.amount(of: .unexplainedSales) == unexplained)
      #expect(world.reconciliation.findings(tolerance: 0).count == (unexplained == 0 ? 0 : 1))
    }
  }

  @Test
  func `with a day missing, what is not collected and shared is an estimate`() throws {
    let world = Self.world { world, rows in world.loseDay(Self.first + 2) }
    var copy = world
    copy.add(.single, Self.period, [copy.row(Item())])
    let estimates = try Self.bridge(copy).entries.filter { $0.status == .estimate }
    #expect(Set(estimates.map(\.line.rawValue)) == [10, 11, 12, 23, 24, 25])
  }

  @Test
  func `where days differ, a settled unit beside a day without a report is that day's`() throws {
    let world = Self.world { world, rows in
      world.sell(Item(), Self.first + 10)
      rows.append(world.row(Item(), sold: Self.first + 11, settled: Self.first + 11))
      world.loseDay(Self.first + 4)
      let other = Item().with { $0.product = "6002" }
      rows.append(world.row(other, sold: Self.first + 5, settled: Self.first + 5))
      rows.append(world.row(other, sold: Self.first + 7, settled: Self.first + 7))
    }
    #expect(
      Self.amounts(try Self.bridge(world), .missingDays, .unexplainedSales) == [6_990, 6_990])
  }

  @Test
  func `a settled share that SALES has at the other rate is a difference of rates`() throws {
    let world = Self.world { world, rows in
      world.sell(Item(), Self.first, units: 2)
      // 8.49 is 6.99 × 85/70 less 0.02 %.
      rows.append(
        world.row(Item().with { $0.share = 8_490 }, sold: Self.first, settled: Self.first))
      rows.append(world.row(Item(), sold: Self.first, settled: Self.first))
      let dear = Item().with { $0.price = 19_990 }
      world.sell(dear, Self.first)
      rows.append(
        world.row(dear.with { $0.share = 7_100 }, sold: Self.first, settled: Self.first))
    }
    let bridge = try Self.bridge(world)
    let differences = bridge.entries(of: .shareDifference)
    #expect(differences.map(\.cause) == ["70/85", "other"])
    #expect(differences.map(\.amount) == [1_500, 110])
    #expect(bridge.amount(of: .unexplainedSales) == 0)
  }

  @Test(arguments: [8_520, 8_540] as [Int64])
  func `half a percent is put up with at the other rate, no more`(share: Int64) throws {
    // 6.99 × 85/70 is 8.48786, and half a percent more is 8.53030.
    let world = Self.world { world, rows in
      world.sell(Item(), Self.first)
      rows.append(
        world.row(Item().with { $0.share = share }, sold: Self.first, settled: Self.first))
    }
    let differences = try Self.bridge(world).entries(of: .shareDifference).map(\.amount)
    #expect(differences == (share == 8_520 ? [1_530, 0] : [0, 1_550]))
  }

  /// The rates of a storefront that explain a share, in the storefront's own pair, the usual one, or neither.
  static let regionalShares: [(country: String, currency: String, settled: Int64, cause: String)] =
    [
      // 7.00 of 10.00 is 70 %; 8.80 of a sale at 75 % would be 7.50 × 88/75.
      ("CN", "CNY", 8_213, "75/88"), ("CN", "CNY", 8_500, "70/85"), ("US", "USD", 8_213, "other"),
      ("BR", "BRL", 8_041, "74/85"),
    ]

  @Test(arguments: regionalShares)
  func `a storefront's own pair of rates explains a share`(
    country: String, currency: String, settled: Int64, cause: String
  ) throws {
    let item = Item().with { ($0.country, $0.currency, $0.share) = (country, currency, 7_000) }
    let start = Commissions(
      [.init(countries: ["CN"], validFrom: Self.first, pair: .init(75, 88), source: "test")]
        + [.init(countries: ["BR"], validFrom: Self.first + 1, pair: .init(74, 85), source: "test")]
    )
    let world = Self.world { world, rows in
      world.sell(item, Self.first)
      rows.append(
        world.row(item.with { $0.share = settled }, sold: Self.first, settled: Self.first))
    }
    let found = try Self.bridge(world, region: country, start).entries(of: .shareDifference)
    #expect(found.filter { $0.amount != 0 }.map(\.cause) == [cause])
    let rates = found.filter { $0.cause == "other" }.map(\.evidence)
    #expect(rates == [cause == "other" ? "US: 82.1 % where SALES has 70 % (1 unit)" : ""])
  }

  static let roundedShares: [(currency: String, sold: Int64, settled: Int64, isRate: Bool)] = [
    ("USD", 580, 700, true), ("USD", 700, 580, true), ("USD", 580, 720, false),
    ("JPY", 64_000, 77_000, true), ("JPY", 64_000, 79_000, false),
  ]

  @Test(arguments: roundedShares)
  func `shares of both rates are rounded, so below 1.00 half a percent is too little`(
    currency: String, sold: Int64, settled: Int64, isRate: Bool
  ) throws {
    let country = currency == "JPY" ? "JP" : "US"
    let item = Item().with { ($0.country, $0.currency, $0.share) = (country, currency, sold) }
    let world = Self.world { world, rows in
      world.sell(item, Self.first)
      rows.append(
        world.row(item.with { $0.share = settled }, sold: Self.first, settled: Self.first))
    }
    let found = try Self.bridge(world, region: country).entries(of: .shareDifference)
    #expect(found.map { $0.amount != 0 } == [isRate, !isRate])
  }

  @Test
  func `a unit of the same day is settled before one of the day before`() throws {
    let world = Self.world { world, rows in
      world.sell(Item(), Self.first + 1)
      world.sell(Item().with { $0.share = 7_000 }, Self.first + 2)
      let settled = Item().with { $0.share = 6_500 }
      rows.append(world.row(settled, sold: Self.first + 2, settled: Self.first + 2))
    }
    let bridge = try Self.bridge(world)
    #expect(Self.amounts(bridge, .notCollected, .shareDifference) == [-6_990, -500])
  }

  @Test
  func `days without a SALES report are named, and what was settled of them is set apart`() throws {
    let world = Self.world { world, rows in
      for day in [Self.first + 2, Self.first + 4, Self.first + 5, Self.first + 6] {
        world.loseDay(day)
      }
      world.sell(Item(), Self.first + 3)
      rows.append(world.row(Item(), sold: Self.first + 3, settled: Self.first + 3))
      rows.append(world.row(Item(), units: 2, sold: Self.first + 4, settled: Self.first + 6))
      rows.append(world.row(Item(), sold: Self.first + 5, settled: Self.last + 3))
    }
    let bridge = try Self.bridge(world)
    #expect(Self.amounts(bridge, .salesGross, .missingDays) == [6_990, 20_970])
    #expect(Self.amounts(bridge, .cutoffOut, .unexplainedSales) == [-6_990, 0])
    let gross = try #require(bridge.entries(of: .salesGross).first)
    #expect(gross.status == .estimate)
    #expect(gross.cause == "no SALES report: 2025-12-02, 2025-12-04 to 2025-12-06")
  }

  @Test
  func `without any SALES report of the period sales are unknown, never 0`() throws {
    let world = Self.world { world, rows in
      for day in 0...27 { world.loseDay(Self.first + day) }
      rows.append(world.row(Item(), sold: Self.first + 4, settled: Self.first + 6))
    }
    let bridge = try Self.bridge(world)
    #expect(Self.amounts(bridge, .salesGross, .salesRefunds) == [nil, nil])
    #expect(Self.amounts(bridge, .missingDays, .unexplainedSales) == [6_990, 0])
    #expect(
      bridge.entries(of: .unexplainedSales).map(\.cause)
        == ["not checked: no SALES report of this period"])
  }

  /// A unit whose days differ in the two reports, so that days may differ everywhere.
  static func shift(_ world: inout FinanceWorldBuilder, _ rows: inout [FinanceRow]) {
    let other = Item().with { $0.product = "6009" }
    world.sell(other, first + 20)
    rows.append(world.row(other, sold: first + 21, settled: first + 21))
  }

  @Test
  func `units at both sides of a period's end are one sale, of the sale's period`() throws {
    let world = Self.world { world, rows in
      Self.shift(&world, &rows)
      world.sell(Item(), Self.last)
      rows.append(world.row(Item(), sold: Self.last + 1, settled: Self.last + 1))
    }
    let bridge = try Self.bridge(world)
    #expect(Self.amounts(bridge, .cutoffOut, .notCollected) == [-6_990, 0])
    let next = try Self.bridge(world, Self.period + 1)
    #expect(Self.amounts(next, .cutoffIn, .unexplainedSales) == [6_990, 0])
    // It may also be the settlement of a sale on the first day of the next period.
    for (bridge, line, range) in [
      (bridge, Bridge.Line.cutoffOut, [-6_990, 0] as [Int128?]), (next, .cutoffIn, [0, 6_990]),
    ] {
      let estimates = bridge.entries.filter { $0.status == .estimate }
      #expect(estimates.map(\.line) == [line])
      #expect(estimates.map { [$0.low, $0.high] } == [range])
      let evidence = world.reconciliation.evidence(of: bridge)
      for (bound, amount) in zip([BridgeEvidence.Bound.low, .high], range) {
        let contributions = evidence.contributions(to: bound, of: estimates[0])
        #expect(contributions.reduce(0) { $0 + $1.amount } == amount)
      }
    }
  }

  @Test
  func `where all days agree, units of two days are never one sale across a period's end`() throws {
    let world = Self.world { world, rows in
      world.sell(Item(), Self.last)
      rows.append(world.row(Item(), sold: Self.last + 1, settled: Self.last + 1))
    }
    #expect(Self.amounts(try Self.bridge(world), .notCollected, .unexplainedSales) == [-6_990, 0])
    let next = try Self.bridge(world, Self.period + 1)
    #expect(Self.amounts(next, .cutoffIn, .unexplainedSales) == [0, 6_990])
  }

  @Test
  func `passes that leave a pair apart are mended, the nearest units first`() throws {
    let world = Self.world(details: 1) { world, rows in
      // The settled unit of day 5 takes the sale of day 5, which leaves day 6 without one; two pairs are
      // possible within a day, so days 4 and 6 are one as well.
      world.sell(Item(), Self.first + 4)
      world.sell(Item(), Self.first + 5)
      rows.append(world.row(Item(), sold: Self.first + 5, settled: Self.first + 5))
      rows.append(world.row(Item(), sold: Self.first + 6, settled: Self.first + 6))
    }
    #expect(Self.amounts(try Self.bridge(world), .notCollected, .unexplainedSales) == [0, 0])
  }

  @Test
  func `across a period's end the same share is paired first`() throws {
    let dear = Item().with { $0.share = 8_490 }
    let world = Self.world { world, rows in
      Self.shift(&world, &rows)
      world.sell(Item(), Self.last)
      world.sell(dear, Self.last)
      rows.append(world.row(dear, sold: Self.last + 1, settled: Self.last + 1))
    }
    let bridge = try Self.bridge(world)
    #expect(
      Self.amounts(bridge, .cutoffOut, .notCollected, .shareDifference) == [-8_490, -6_990, 0])
  }

  @Test
  func `a country that is settled in another currency leaves one bridge and enters the other`()
    throws
  {
    let sold = Item().with { $0.country = "BR" }
    let world = Self.world { world, rows in
      world.sell(sold, Self.first + 3, units: 2)
      let settled = sold.with { ($0.currency, $0.share) = ("BRL", 30_000) }
      rows.append(world.row(settled, units: 2, sold: Self.first + 3, settled: Self.first + 4))
    }
    let left = try Self.bridge(world, region: "WW")
    #expect(left.entries(of: .otherRegion).map(\.cause) == ["BR BRL"])
    #expect(Self.amounts(left, .otherRegion, .notCollected) == [-13_980, 0])
    #expect(Self.amounts(left, .unexplainedSales, .financeShare) == [0, 0])
    let entered = try Self.bridge(world, region: "BR")
    #expect(entered.entries(of: .otherRegion).map(\.cause) == ["WW USD"])
    #expect(Self.amounts(entered, .otherRegion, .unexplainedSales) == [60_000, 0])
  }

  @Test
  func `credits for a bundle count as sales, and are settled as returns`() throws {
    // On the same day somebody buys the app whose price is credited.
    let app = Item().with { ($0.price, $0.share) = (4_990, 3_490) }
    let bundle = Item().with { $0.product = "6005" }
    let day = Self.first + 5
    let world = Self.world { world, rows in
      world.sell(bundle, day, units: 2)
      world.sell(app, day, units: 2, isCredit: true)
      world.sell(app, day, units: 3)
      world.sell(app, day, isRefund: true)
      rows.append(world.row(bundle, units: 2, sold: day, settled: day + 1))
      rows.append(world.row(app, units: 3, isReturn: true, sold: day, settled: day + 1))
      rows.append(world.row(app, units: 3, sold: day, settled: day + 1))
    }
    let bridge = try Self.bridge(world)
    #expect(
      Self.amounts(bridge, .salesGross, .salesRefunds, .notCollected, .unexplainedSales)
        == [17_470, -3_490, 0, 0])
    #expect(bridge.entries(of: .salesGross).first?.count == 3)
    #expect(bridge.amount(of: .financeShare) == 13_980)
  }

  @Test
  func `a credit that is settled in the next period is a return of the timing`() throws {
    let world = Self.world(details: 2) { world, rows in
      world.sell(Item(), Self.last, isCredit: true)
      world.sell(Item(), Self.first + 2, isCredit: true)
      rows.append(world.row(Item(), isReturn: true, sold: Self.last, settled: Self.last + 1))
    }
    let bridge = try Self.bridge(world)
    #expect(
      Self.amounts(
        bridge, .salesGross, .salesRefunds, .cutoffOut, .refundTiming, .notCollected,
        .unexplainedSales) == [-13_980, 0, 0, 6_990, 6_990, 0])
    let open = try #require(bridge.entries(of: .notCollected).first)
    #expect([open.low, open.high] == [0, 6_990])
    let evidence = world.reconciliation.evidence(of: bridge)
    let high = evidence.contributions(to: .high, of: open)
    #expect(high.map(\.amount) == [6_990])
    #expect(high.first?.sold.first?.sale.isCredit == true)
  }

  /// A unit sold at the standard share before a storefront's commission changes, one after it, and the pairs of rates
  /// at which both are settled at the reduced share.
  private static let changes:
    [(country: String, currency: String, day: Int, sold: [Int64], settled: Int64, causes: [String])] =
      [
        ("JP", "JPY", 18, [700_000, 740_000], 850_000, ["70/85", "74/85"]),
        ("CN", "CNY", 105, [47_600, 51_000], 51_000, ["70/75"]),
      ]

  @Test(arguments: changes)
  func `each unit has the pair of rates of its own sale`(
    country: String, currency: String, day: Int, sold: [Int64], settled: Int64, causes: [String]
  ) throws {
    let change = Self.first + day
    let period = FiscalPeriod(containing: change)
    let item = Item().with { ($0.country, $0.currency) = (country, currency) }
    var world = FinanceWorldBuilder()
    world.openDays(period...period)
    var rows: [FinanceRow] = []
    for (offset, share) in sold.enumerated() {
      let day = change + (offset == 0 ? -1 : 2)
      world.sell(item.with { $0.share = share }, day)
      rows.append(world.row(item.with { $0.share = settled }, sold: day, settled: day))
    }
    world.add(.detail, period, rows)
    world.add(.detail, period + 1, [])
    let bridge = try Self.bridge(world, period, region: country)
    let parts = bridge.entries(of: .shareDifference).filter { $0.amount != 0 }
    #expect(parts.map(\.cause) == causes)
    let differences = sold.map { Int128(settled - $0) }.filter { $0 != 0 }
    #expect(parts.map(\.amount) == differences.map(Optional.some))
    let evidence = world.reconciliation.evidence(of: bridge)
    for (part, share) in zip(parts, sold) {
      let rows = evidence.contributions(to: part)
      #expect(rows.flatMap(\.sold).map(\.sale.proceeds) == [share])
    }
  }
}
