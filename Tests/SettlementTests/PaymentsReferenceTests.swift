import Settlement
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Payments CSVs and their reference")
struct PaymentsReferenceTests {
  @Test(arguments: seeds(200))
  func `agree on what is owed, paid and still to be paid`(seed: UInt64) {
    var random = RandomPayments(seed: seed)
    let world = random.make()
    let reference = ReferencePayments(world.records.payments, texts: world.texts)
    for bridge in world.reconciliation.bridges {
      let name = (bridge.period, bridge.region, bridge.currency)
      let lines: [Bridge.Line] = [
        .inputTax, .adjustments, .withholdingTax, .carriedBalance, .totalOwed,
      ]
      #expect(
        lines.map { bridge.amount(of: $0) } == reference.sums(name.0, name.1, name.2),
        "\(bridge.name(world))")
      let payments = bridge.entries(of: .payment)
      let found = payments.map { entry in
        ReferencePayments.Payment(
          amount: entry.amount, status: entry.status.rawValue, cause: entry.cause,
          bank: entry.bankCurrency.map { world.texts[Int($0)] } ?? "")
      }
      #expect(Set(found) == reference.payments(name.0, name.1, name.2), "\(bridge.name(world))")
      #expect(Set(found).count == payments.count)
      #expect(payments.compactMap(\.owed).reduce(0, +) == bridge.amount(of: .totalOwed))
      #expect(payments.allSatisfy { $0.low == nil && $0.high == nil })
    }
  }

  @Test(arguments: seeds(200))
  func `agree on carried balances and on what is pending`(seed: UInt64) {
    var random = RandomPayments(seed: seed)
    let world = random.make()
    let reference = ReferencePayments(world.records.payments, texts: world.texts)
    let checks = world.reconciliation.carriedBalances(tolerance: 0)
    for verdict in world.reconciliation.verdicts(tolerance: 0) {
      let bridge = verdict.bridge
      let found = checks.filter {
        $0.period == bridge.period && $0.region == bridge.region && $0.currency == bridge.currency
      }
      let states = found.map { "\($0.state)" }
      let expected = reference.carried(bridge.period, bridge.region, bridge.currency)
      #expect(states == [expected].compactMap(\.self), "\(bridge.name(world))")
      guard verdict.verdict == .notVerified else { continue }
      let isPending = reference.isPending(bridge.period, bridge.region, bridge.currency)
      #expect(verdict.why.contains("not paid yet") == isPending)
      let isOutdated = isPending && reference.isOutdated(bridge.period)
      #expect(verdict.why.contains("download it again") == isOutdated)
    }
  }

  @Test
  func `a pending payments CSV alone is no error, until a later one is paid`() throws {
    var world = VerdictTests.sound()
    world.removePayments()
    var pending = BridgeFormTests.payments(&world, owed: 34_950)
    pending.isPending = true
    world.pay(pending)
    let alone = try VerdictTests.verdict(world)
    #expect(alone.verdict == .notVerified && alone.waits)
    #expect(alone.why == "not paid yet")
    #expect(alone.reasons.compactMap(\.download) == [])
    var later = BridgeFormTests.payments(&world, owed: 0)
    later.period = pending.period + 1
    world.pay(later)
    let outdated = try VerdictTests.verdict(world)
    #expect(outdated.verdict == .notVerified && !outdated.waits)
    #expect(outdated.why.hasSuffix("is paid: download it again"))
    #expect(outdated.reasons.compactMap(\.missing) == [])
  }

  @Test
  func `a vendor without a payments CSV beside others leaves the amount owed unknown`() throws {
    var world = FinanceWorldBuilder()
    let (period, item) = (BridgeFormTests.period, FinanceWorldBuilder.Item())
    for vendor in ["80012345", "80099999"] {
      world.add(.detail, period, [world.row(item, sold: period.firstDay, settled: period.firstDay)])
      world.setVendor(vendor)
    }
    var payments = BridgeFormTests.payments(&world, owed: 6_990)
    payments.vendor = "80012345"
    world.pay(payments)
    let bridge = try #require(world.reconciliation.bridges.first { $0.region == "US" })
    #expect(bridge.amount(of: .financeShare) == 13_980)
    #expect(bridge.amount(of: .totalOwed) == nil)
    let verdict = try #require(world.reconciliation.verdicts(tolerance: 0).first)
    #expect(
      verdict.reasons.compactMap(\.download).contains("payments CSV of \(period) of 80099999"))
    payments.vendor = "80099999"
    world.pay(payments)
    let both = try #require(world.reconciliation.bridges.first { $0.region == "US" })
    #expect(both.amount(of: .totalOwed) == 13_980)
    #expect(both.amount(of: .unexplainedPayment) == 0)
  }
}
