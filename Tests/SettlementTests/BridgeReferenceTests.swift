import Settlement
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("The bridge and its reference")
struct BridgeReferenceTests {
  @Test(arguments: seeds(100))
  func `agree on every line`(seed: UInt64) {
    var random = RandomFinance(seed: seed)
    let world = random.make()
    let reference = ReferenceBridge(world.records, regions: .apple, texts: world.texts)
    let found = world.reconciliation
    for bridge in found.bridges {
      let name = ReferenceBridge.Name(
        period: bridge.period, region: bridge.region, currency: bridge.currency)
      let expected = reference.lines(name)
      let entries = bridge.entries.filter { $0.line.rawValue <= 30 }
      #expect(entries.map(\.line.rawValue) == expected.map(\.step), "\(bridge.name(world))")
      for (entry, line) in zip(entries, expected) {
        let place = "\(bridge.name(world)), line \(line.step) \(line.part)"
        #expect(entry.amount == line.amount, "\(place)")
        #expect(entry.status.rawValue == line.status, "\(place)")
        if [24, 25].contains(line.step) {
          #expect(line.part.isEmpty || entry.cause == line.part, "\(place)")
        }
        #expect(entry.low == line.low, "\(place)")
        #expect(entry.high == line.high, "\(place)")
      }
    }
  }

  @Test(arguments: seeds(50))
  func `have a bridge for everything sold and settled`(seed: UInt64) {
    var random = RandomFinance(seed: seed)
    let world = random.make()
    let found = world.reconciliation
    for period in Set(world.records.statements.map(\.period)) {
      let bridges = found.bridges.filter { $0.period == period }
      let units = bridges.compactMap { $0.entries(of: .salesGross).first?.count }.reduce(0, +)
      let sold = world.records.sales.filter { sale, _ in
        !sale.isRefund && FiscalPeriod(containing: sale.day) == period
      }
      let isAllMissing = bridges.contains { $0.amount(of: .salesGross) == nil }
      #expect(isAllMissing || units == sold.values.reduce(0, +))
    }
  }
}

extension FinanceWorldBuilder {
  /// The bridges of the world, with Apple's regions.
  var reconciliation: Reconciliation { reconciliation(.shipped) }

  /// The bridges of the world, with Apple's regions and other commissions.
  func reconciliation(_ commissions: Commissions) -> Reconciliation {
    Reconciliation(records, regions: .apple, commissions: commissions, texts: texts)
  }
}

extension Bridge {
  func name(_ world: FinanceWorldBuilder) -> String {
    "\(period) \(region) \(world.texts[Int(currency)])"
  }
}
