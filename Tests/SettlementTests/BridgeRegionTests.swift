import Settlement
import SubreportTestSupport
import SubscriptionModel
import Testing

/// Worked examples of Sri Lanka, which moves from `WW` to `AP` on 26 October 2024, within FY2025-P01; Kenya stays in `WW`.
@Suite("A country that moves to another region")
struct BridgeRegionTests {
  typealias Item = FinanceWorldBuilder.Item
  static let period = FiscalPeriod(fiscalYear: 2025, period: 1)
  static let move = FiscalPeriod(fiscalYear: 2025, period: 1).firstDay + 27
  static let lanka = Item().with { ($0.country, $0.price, $0.share) = ("LK", 2_990, 2_100) }
  static let kenya = Item().with { ($0.country, $0.price, $0.share) = ("KE", 2_990, 2_100) }

  /// What was sold and, one day later, settled.
  typealias Sale = (item: Item, day: Day, units: Int)

  /// One unit before the move and two after it, in the period; and one in the next one.
  static let sales: [Sale] = [
    (lanka, move - 16, 1), (kenya, move - 11, 1), (lanka, move + 2, 2), (lanka, move + 10, 1),
  ]

  static func region(_ sale: Sale) -> String {
    sale.item.country == "KE" || sale.day < move ? "WW" : "AP"
  }

  /// A world of two periods.
  static func world(
    _ sales: [Sale] = sales, hasDetail: Bool = true, hasSingle: Bool = false,
    regions: [String] = []
  ) -> FinanceWorldBuilder {
    var world = FinanceWorldBuilder()
    world.openDays(period - 1...period + 1)
    for sale in sales { world.sell(sale.item, sale.day, units: sale.units) }
    for period in [period, period + 1] {
      let own = sales.filter { FiscalPeriod(containing: $0.day + 1) == period }
      if hasDetail {
        let rows = own.map {
          world.row($0.item, units: Int64($0.units), sold: $0.day, settled: $0.day + 1)
        }
        world.add(.detail, period, rows)
      }
      if hasSingle {
        world.add(.single, period, own.map { world.row($0.item, units: Int64($0.units)) })
      }
      for region in regions {
        let rows = own.filter { Self.region($0) == region }
          .map { world.row($0.item, units: Int64($0.units)) }
        if !rows.isEmpty { world.add(.region(region), period, rows) }
      }
    }
    return world
  }

  static func bridge(
    _ world: FinanceWorldBuilder, _ region: String, _ period: FiscalPeriod = period
  ) throws -> Bridge {
    try BridgeLineTests.bridge(world, period, region: region)
  }

  static let forms: [(hasDetail: Bool, hasSingle: Bool, regions: [String])] = [
    (true, false, []), (true, true, []), (true, false, ["WW", "AP"]), (true, false, ["WW"]),
    (true, false, ["AP"]), (true, true, ["AP"]), (false, false, ["WW", "AP"]),
  ]

  @Test(arguments: forms)
  func `has bridges in both`(hasDetail: Bool, hasSingle: Bool, regions: [String]) throws {
    let world = Self.world(hasDetail: hasDetail, hasSingle: hasSingle, regions: regions)
    for (region, amount) in [("WW", Int128(4_200)), ("AP", 4_200)] {
      let bridge = try Self.bridge(world, region)
      #expect(
        BridgeLineTests.amounts(bridge, .salesGross, .financeShare) == [amount, amount], "\(region)"
      )
      #expect(bridge.amount(of: .unexplainedSales) == (hasDetail ? 0 : nil))
      #expect(bridge.entries(of: .otherRegion).map(\.amount) == [0])
    }
    let found = world.reconciliation
    #expect(found.formsChecks.allSatisfy { !$0.differs(tolerance: 0) })
    let next = try Self.bridge(world, "AP", Self.period + 1)
    #expect(BridgeLineTests.amounts(next, .salesGross, .financeShare) == [2_100, 2_100])
  }

  @Test
  func `has no known settlement where a file cannot tell the regions`() throws {
    let world = Self.world(hasDetail: false, hasSingle: true)
    for region in ["WW", "AP"] {
      let bridge = try Self.bridge(world, region)
      #expect(bridge.amount(of: .salesGross) == 4_200)
      #expect(bridge.amount(of: .financeShare) == nil)
      #expect(
        bridge.entries(of: .financeShare).first?.cause
          == "needs FINANCE_DETAIL: LK moved to another region in this period")
    }
    // All sales of the period were after the move.
    let known = Self.world(
      Array(Self.sales.dropFirst()), hasDetail: false, hasSingle: true)
    #expect(try Self.bridge(known, "WW").amount(of: .financeShare) == 2_100)
    #expect(try Self.bridge(known, "AP").amount(of: .financeShare) == 4_200)
  }

  @Test
  func `settles in the region of the sale, also in the next period`() throws {
    let last = Self.period.lastDay
    var world = FinanceWorldBuilder()
    world.openDays(Self.period...Self.period + 1)
    world.sell(Self.lanka, Self.move - 1)
    world.sell(Self.lanka, last + 5)
    let late = world.row(Self.lanka, sold: Self.move - 1, settled: last + 3)
    let next = world.row(Self.lanka, sold: last + 5, settled: last + 6)
    world.add(.detail, Self.period, [])
    world.add(.detail, Self.period + 1, [late, next])
    world.add(.region("WW"), Self.period + 1, [world.row(Self.lanka)])
    let sold = try Self.bridge(world, "WW")
    #expect(BridgeLineTests.amounts(sold, .salesGross, .cutoffOut) == [2_100, -2_100])
    let settled = try Self.bridge(world, "WW", Self.period + 1)
    #expect(
      BridgeLineTests.amounts(settled, .cutoffIn, .unexplainedSales, .financeShare)
        == [2_100, 0, 2_100])
    // The only file with the country has what was sold before; the sales after are not in its region.
    let own = try Self.bridge(world, "AP", Self.period + 1)
    #expect(BridgeLineTests.amounts(own, .salesGross, .unexplainedSales) == [2_100, 0])
  }

  @Test
  func `a region file's name decides for its whole period where the country does not move`() throws
  {
    let period = Self.period + 5
    var world = FinanceWorldBuilder()
    world.openDays(period...period)
    world.sell(Self.lanka, period.firstDay)
    world.add(.region("WW"), period, [world.row(Self.lanka)])
    world.add(
      .detail, period, [world.row(Self.lanka, sold: period.firstDay, settled: period.firstDay)])
    let bridge = try Self.bridge(world, "WW", period)
    #expect(BridgeLineTests.amounts(bridge, .salesGross, .unexplainedSales) == [2_100, 0])
    #expect(world.reconciliation.bridges.map(\.region) == ["WW"])
  }

  @Test
  func `a pair at both sides of the move leaves one bridge and enters the other`() throws {
    var world = FinanceWorldBuilder()
    world.openDays(Self.period...Self.period + 1)
    let dear = Self.lanka.with { $0.share = 2_550 }
    world.sell(Self.lanka, Self.move - 1, units: 2)
    world.sell(Self.kenya, Self.move - 9)
    world.add(
      .detail, Self.period,
      [
        world.row(dear, units: 2, sold: Self.move, settled: Self.move + 1),
        world.row(Self.kenya, sold: Self.move - 8, settled: Self.move - 8),
      ])
    world.add(.detail, Self.period + 1, [])
    let left = try Self.bridge(world, "WW")
    #expect(left.entries(of: .otherRegion).map(\.cause) == ["AP USD"])
    #expect(
      BridgeLineTests.amounts(
        left, .salesGross, .shareDifference, .otherRegion, .notCollected, .unexplainedSales)
        == [6_300, 900, -5_100, 0, 0])
    let entered = try Self.bridge(world, "AP")
    #expect(entered.entries(of: .otherRegion).map(\.cause) == ["WW USD"])
    #expect(
      BridgeLineTests.amounts(entered, .otherRegion, .unexplainedSales, .financeShare)
        == [5_100, 0, 5_100])
    let evidence = world.reconciliation.evidence(of: left)
    let rows = evidence.contributions(to: left.entries(of: .otherRegion)[0])
    #expect(rows.map(\.amount) == [-5_100])
    #expect(rows.first?.sold.map(\.units) == [2])
    #expect(rows.first?.settled?.transactionDay == Self.move)
  }

  @Test
  func `an uncollected sale before the move does not cancel with a settled unit after it`() throws {
    var world = FinanceWorldBuilder()
    world.openDays(Self.period...Self.period + 1)
    world.sell(Self.lanka, Self.move - 10)
    world.add(
      .detail, Self.period, [world.row(Self.lanka, sold: Self.move + 3, settled: Self.move + 3)])
    world.add(.detail, Self.period + 1, [])
    world.add(.detail, Self.period + 2, [])
    #expect(try Self.bridge(world, "WW").amount(of: .notCollected) == -2_100)
    #expect(try Self.bridge(world, "AP").amount(of: .unexplainedSales) == 2_100)
  }

  @Test
  func `a retired region is the country's own, and is named`() throws {
    let period = FiscalPeriod(fiscalYear: 2022, period: 12)
    let kuna = Item().with { ($0.country, $0.currency, $0.share) = ("HR", "HRK", 34_940) }
    let euro = Item().with { ($0.country, $0.currency) = ("HR", "EUR") }
    var world = FinanceWorldBuilder()
    world.openDays(period...period)
    let day = period.firstDay
    world.sell(kuna, day)
    world.sell(euro, day)
    world.add(
      .detail, period,
      [kuna, euro].map { world.row($0, sold: day, settled: day) })
    let found = world.reconciliation
    #expect(found.bridges.map { $0.name(world) } == ["\(period) HR EUR", "\(period) HR HRK"])
    #expect(found.bridges.allSatisfy { $0.amount(of: .unexplainedSales) == 0 })
    #expect(found.guessedRegions == ["HR HRK: put into HR"])
  }
}
