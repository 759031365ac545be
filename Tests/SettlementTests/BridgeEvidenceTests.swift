import Settlement
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("The evidence of a bridge")
struct BridgeEvidenceTests {
  /// A world with a payments CSV of each period.
  private static func world(_ seed: UInt64) -> FinanceWorldBuilder {
    var random = RandomFinance(seed: seed)
    var world = random.make()
    for period in Set(world.records.statements.map(\.period)).sorted() {
      world.pay(.made(&world, period, owed: 12_345))
    }
    return world
  }

  @Test(arguments: seeds(40))
  func `adds up to every amount, every count and every range`(seed: UInt64) {
    let world = Self.world(seed)
    let found = world.reconciliation
    for bridge in found.bridges + found.productBridges {
      let evidence = found.evidence(of: bridge)
      for entry in bridge.entries {
        let place = "\(bridge.name(world)) \(bridge.product ?? 0) \(entry.line.name) \(entry.cause)"
        let contributions = evidence.contributions(to: entry)
        let bounds = [BridgeEvidence.Bound.low, .high].map { bound in
          evidence.contributions(to: bound, of: entry).reduce(0) { $0 + $1.amount }
        }
        #expect(bounds == [entry.low ?? 0, entry.high ?? 0], "\(place)")
        guard let amount = entry.amount else {
          #expect(contributions.isEmpty, "\(place)")
          continue
        }
        #expect(contributions.reduce(0) { $0 + $1.amount } == amount, "\(place)")
        if let count = entry.count {
          #expect(contributions.reduce(0) { $0 + $1.count } == count, "\(place)")
        }
      }
    }
  }

  @Test(arguments: seeds(40))
  func `names rows of the input, and pairs only units of one key`(seed: UInt64) throws {
    let world = Self.world(seed)
    let found = world.reconciliation
    for bridge in found.bridges {
      let evidence = found.evidence(of: bridge)
      for contribution in bridge.entries.flatMap(evidence.contributions) {
        for sold in contribution.sold {
          let units = try #require(world.records.sales[sold.sale])
          #expect(sold.units > 0 && sold.units <= abs(units))
          #expect(contribution.product == sold.sale.product)
        }
        guard let settled = contribution.settled else { continue }
        let row = try #require(world.row(at: settled.place))
        #expect(contribution.product == row.product && contribution.country == row.country)
        #expect(contribution.sold.reduce(0) { $0 + $1.units } <= Int(row.quantity.magnitude))
        for sale in contribution.sold.map(\.sale) {
          #expect(sale.product == row.product && sale.country == row.country)
          #expect(sale.currency == row.currency && sale.customerPrice == row.customerPrice)
          #expect(sale.isReturn == row.isReturn)
        }
      }
    }
  }

  /// A lost unit is line 23, its settlement that nobody sold line 29, each with its row.
  @Test
  func `names units without a partner`() throws {
    let period = FiscalPeriod(fiscalYear: 2026, period: 3)
    var world = FinanceWorldBuilder()
    world.openDays(period...period + 2)
    let day = period.firstDay + 5
    let item = FinanceWorldBuilder.Item()
    let other = item.with { $0.price = 4_990 }
    world.sell(item, day, units: 2)
    let paired = world.row(item, sold: day, settled: day + 1)
    let alien = world.row(other, units: 2, sold: day, settled: day + 1)
    world.add(.detail, period, [paired, alien])
    // Both later periods have details, so that the open unit is never settled.
    for later in [period + 1, period + 2] {
      let row = world.row(item, sold: later.firstDay, settled: later.firstDay)
      world.sell(item, later.firstDay)
      world.add(.detail, later, [row])
    }
    let found = world.reconciliation
    let bridge = try #require(found.bridges.first { $0.period == period })
    let evidence = found.evidence(of: bridge)
    let lost = evidence.contributions(to: try #require(bridge.entries(of: .notCollected).first))
    #expect(lost.map(\.reason) == [.notCollected] && lost.map(\.amount) == [-6_990])
    #expect(lost.first?.sold.map(\.units) == [1] && lost.first?.sold.first?.sale.day == day)
    let rest = evidence.contributions(
      to: try #require(bridge.entries(of: .unexplainedSales).first))
    #expect(rest.map(\.reason) == [.withoutSale] && rest.map(\.amount) == [13_980])
    #expect(rest.first?.settled?.place == place(0, alien))
  }

  @Test
  func `pairs a settled row with its sale across the end of a period`() throws {
    let period = FiscalPeriod(fiscalYear: 2026, period: 3)
    var world = FinanceWorldBuilder()
    world.openDays(period...period + 1)
    let item = FinanceWorldBuilder.Item()
    world.sell(item, period.lastDay)
    let row = world.row(
      item.with { $0.share = 8_490 }, sold: period.lastDay, settled: period.lastDay + 2)
    let first = world.row(item, sold: period.firstDay, settled: period.firstDay)
    world.sell(item, period.firstDay)
    world.add(.detail, period, [first])
    world.add(.detail, period + 1, [row])
    let found = world.reconciliation
    let contribution = { (period: FiscalPeriod, line: Bridge.Line) throws -> BridgeContribution in
      let bridge = try #require(found.bridges.first { $0.period == period })
      let entry = try #require(bridge.entries(of: line).first)
      let all = found.evidence(of: bridge).contributions(to: entry)
      try #require(all.count == 1)
      return all[0]
    }
    let out = try contribution(period, .cutoffOut)
    #expect(out.reason == .settledIn(period + 1) && out.amount == -8_490)
    #expect(out.settled?.place == place(1, row))
    #expect(out.sold.map(\.sale.day) == [period.lastDay])
    let into = try contribution(period + 1, .cutoffIn)
    #expect(into.reason == .countsIn(period) && into.amount == 8_490)
    #expect(into.sold == out.sold)
    let share = try contribution(period, .shareDifference)
    #expect(share.reason == .shareDifference && share.amount == 1_500)
    #expect(share.sold == out.sold)
  }

  /// FINANCIAL, which counts, has 1.23 more than FINANCE_DETAIL: no row is behind the difference.
  @Test
  func `of a remainder without rows is the lines it is the rest of`() throws {
    let period = FiscalPeriod(fiscalYear: 2026, period: 3)
    var world = FinanceWorldBuilder()
    world.openDays(period...period)
    let item = FinanceWorldBuilder.Item()
    world.sell(item, period.firstDay)
    let row = world.row(item, sold: period.firstDay, settled: period.firstDay)
    let plain = world.row(item)
    world.add(.detail, period, [row])
    world.add(.single, period, [plain])
    world.change(1, by: 1_230)
    let found = world.reconciliation
    let bridge = try #require(found.bridges.first)
    let entry = try #require(bridge.entries(of: .unexplainedSales).first)
    #expect(entry.amount == 1_230)
    let parts = found.evidence(of: bridge).contributions(to: entry)
    #expect(
      parts.map(\.reason) == [
        .line(.financeShare, cause: ""), .line(.salesGross, cause: ""),
      ])
    #expect(parts.map(\.amount) == [8_220, -6_990])
  }
}

private func place(_ fileIndex: Int, _ row: FinanceRow) -> BridgeContribution.Place {
  BridgeContribution.Place(fileIndex: fileIndex, line: Int(row.line))
}

extension FinanceWorldBuilder {
  /// Returns the settled row at a place.
  fileprivate func row(at place: BridgeContribution.Place) -> FinanceRow? {
    records.statements.first { $0.fileIndex == place.fileIndex }?.rows.first {
      Int($0.line) == place.line
    }
  }
}
