import Settlement
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("The identities of the bridge")
struct BridgeIdentityTests {
  @Test(arguments: seeds(100))
  func `hold to the milliunit`(seed: UInt64) throws {
    var random = RandomFinance(seed: seed)
    var world = random.make()
    for period in Set(world.records.statements.map(\.period)).sorted() {
      world.pay(.made(&world, period, owed: 12_345))
    }
    for bridge in world.reconciliation.bridges {
      let place = "\(bridge.name(world))"
      let sum = { (steps: ClosedRange<Int>) in
        bridge.entries.filter { steps.contains($0.line.rawValue) }.compactMap(\.amount)
          .reduce(0, +)
      }
      if bridge.amount(of: .unexplainedSales) != nil {
        #expect(sum(10...29) == bridge.amount(of: .financeShare), "\(place)")
        let units = bridge.entries.filter { (10...29).contains($0.line.rawValue) }
          .compactMap(\.count).reduce(0, +)
        #expect(units == bridge.entries(of: .financeShare).first?.count, "\(place)")
      }
      if bridge.amount(of: .financeShare) != nil {
        #expect(sum(30...49) == bridge.amount(of: .totalOwed), "\(place)")
      }
      for entry in bridge.entries {
        if let low = entry.low, let high = entry.high {
          let isInside = entry.amount.map { low <= $0 && $0 <= high } ?? (low <= high)
          // A mean over all lags may lie outside the range of the usual ones.
          #expect(
            isInside || entry.cause.hasPrefix("settlement lag"), "\(place) \(entry.line.name)")
        }
        let isKnown = entry.status != .unknown
        #expect((entry.amount != nil) == isKnown, "\(place) \(entry.line.name)")
      }
    }
  }

  @Test(arguments: seeds(100))
  func `products add up to the whole`(seed: UInt64) {
    var random = RandomFinance(seed: seed)
    let world = random.make()
    let found = world.reconciliation
    for bridge in found.bridges {
      let products = found.productBridges.filter {
        $0.period == bridge.period && $0.region == bridge.region && $0.currency == bridge.currency
      }
      for line in Bridge.Line.allCases where line.rawValue <= 30 {
        let amounts = products.map { $0.amount(of: line) }
        guard !amounts.isEmpty, !amounts.contains(nil) else { continue }
        #expect(
          amounts.compactMap(\.self).reduce(0, +) == bridge.amount(of: line),
          "\(bridge.name(world)) \(line.name)")
      }
    }
  }

  @Test(arguments: seeds(100))
  func `the input may be split and ordered in any way`(seed: UInt64) {
    var random = RandomFinance(seed: seed)
    let world = random.make()
    var generator = SeededGenerator(seed: seed)
    var parts = [FinanceData](repeating: FinanceData(), count: 3)
    for (sale, units) in world.records.sales {
      parts[Int.random(in: 0..<3, using: &generator)].sales[sale, default: 0] += units
    }
    for statement in world.records.statements {
      parts[Int.random(in: 0..<3, using: &generator)].statements.append(statement)
    }
    for day in world.records.salesDays {
      parts[Int.random(in: 0..<3, using: &generator)].salesDays.insert(day)
    }
    var merged = FinanceData()
    for part in parts.shuffled(using: &generator) { merged.merge(part) }
    let found = Reconciliation(merged, regions: .apple, texts: world.texts)
    #expect(found.bridges == world.reconciliation.bridges)
    #expect(found.productBridges == world.reconciliation.productBridges)
    #expect(found.formsChecks == world.reconciliation.formsChecks)
  }
}

extension PaymentsStatement {
  /// A payments CSV that owes an amount in every region that has one of three currencies.
  static func made(
    _ world: inout FinanceWorldBuilder, _ period: FiscalPeriod, owed: Int64
  ) -> PaymentsStatement {
    let rows = [("US", "USD"), ("EU", "EUR"), ("GB", "GBP")].map { region, currency in
      PaymentsRow(
        region: region, currency: world.symbol(currency), earned: owed, inputTax: 100,
        adjustments: 20, withholdingTax: -3_000, carriedBalance: 5, totalOwed: owed, proceeds: owed,
        bankCurrency: world.symbol("EUR"), isBelowThreshold: false, line: 4)
    }
    return PaymentsStatement(
      period: period, fileIndex: 900, isPending: false, hasBalanceColumn: true, rows: rows)
  }
}
