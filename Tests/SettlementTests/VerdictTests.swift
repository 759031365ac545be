import Settlement
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("The verdict of a bridge")
struct VerdictTests {
  typealias Item = FinanceWorldBuilder.Item
  static let period = BridgeLineTests.period
  static let first = period.firstDay

  /// Sales that are settled and paid as they should be, with the detail of the next two periods.
  static func sound(details: Int = 3) -> FinanceWorldBuilder {
    var world = BridgeLineTests.world(details: details) { world, rows in
      world.sell(Item(), first, units: 5)
      rows.append(world.row(Item(), units: 5, sold: first, settled: first + 1))
    }
    world.pay(BridgeFormTests.payments(&world, owed: 34_950))
    return world
  }

  static func verdict(
    _ world: FinanceWorldBuilder, tolerance: Int128 = 0
  ) throws -> BridgeVerdict {
    try #require(
      world.reconciliation.verdicts(tolerance: tolerance)
        .first { $0.bridge.period == period && $0.bridge.region == "US" })
  }

  @Test
  func `is reconciled when everything was compared and nothing differs`() throws {
    let verdict = try Self.verdict(Self.sound())
    #expect(verdict.verdict == .reconciled)
    #expect(verdict.why.isEmpty)
  }

  @Test
  func `is not verified without SALES, whatever adds up`() throws {
    var world = Self.sound()
    for number in Self.first.number...Self.period.lastDay.number {
      world.loseDay(Day(number: number))
    }
    let verdict = try Self.verdict(world)
    #expect(verdict.verdict == .notVerified)
    #expect(verdict.why == "sales are not checked: no SALES report of this period")
    // The sums are made to add up, so 29 is 0, but nothing was compared.
    #expect(verdict.bridge.amount(of: .unexplainedSales) == 0)
    #expect(!verdict.bridge.isComparedWithSales)
    #expect(
      verdict.reasons.map(\.download) == ["SALES of \(Self.first) to \(Self.period.lastDay)"])
  }

  @Test
  func `is not verified with a day of SALES missing`() throws {
    var world = Self.sound()
    world.loseDay(Self.first + 8)
    let verdict = try Self.verdict(world)
    #expect(verdict.verdict == .notVerified)
    #expect(verdict.why == "no SALES report of \(Self.first + 8)")
    #expect(verdict.bridge.isComparedWithSales)
  }

  @Test
  func `is not verified without the payments CSV`() throws {
    var world = Self.sound()
    world.removePayments()
    let verdict = try Self.verdict(world)
    #expect(verdict.verdict == .notVerified)
    #expect(verdict.why == "unexplained_payment is not known: no payments CSV")
    #expect(verdict.reasons.map(\.download) == ["payments CSV of \(Self.period)"])
  }

  @Test
  func `of the newest period waits for the next detail, of an older one it lacks it`() throws {
    let verdict = try Self.verdict(Self.sound(details: 1))
    #expect(verdict.verdict == .notVerified)
    #expect(verdict.waits)
    #expect(verdict.why == "no FINANCE_DETAIL of \(Self.period + 1), the next period")
    var world = Self.sound(details: 1)
    world.add(.single, Self.period + 1, [world.row(Item())])
    #expect(try Self.verdict(world).waits == false)
  }

  @Test
  func `is unreconciled by what differs, before all that is missing`() throws {
    var world = Self.sound(details: 1)
    world.change(0, by: 1_000)
    let verdict = try Self.verdict(world)
    #expect(verdict.verdict == .unreconciled)
    #expect(verdict.why == "share_difference (other) 1.00; unexplained_payment -1.00")
    #expect(try Self.verdict(world, tolerance: 1_000).verdict == .notVerified)
  }

  @Test
  func `is unreconciled by a payout line that is not what is paid`() throws {
    var world = Self.sound()
    world.removePayments()
    var file = BridgeFormTests.payments(&world, owed: 34_950)
    file.payouts[0].amount = 31_637
    world.pay(file)
    let verdict = try Self.verdict(world)
    #expect(verdict.verdict == .unreconciled)
    #expect(
      verdict.why == "file 9:6: a payout of 31.637 EUR, but Proceeds add up to 31.636 EUR")
  }

  @Test
  func `is not unreconciled by the payout line of another block`() throws {
    var world = Self.sound()
    world.removePayments()
    var file = BridgeFormTests.payments(&world, owed: 34_950)
    var other = file.rows[0]
    (other.region, other.currency, other.block) = ("EU", world.symbol("EUR"), 1)
    var below = other
    (below.region, below.proceeds, below.isBelowThreshold) = ("GB", nil, true)
    file.rows += [other, below]
    file.payouts.append(.init(block: 1, line: 12, amount: 1, currency: world.symbol("USD")))
    world.pay(file)
    let verdicts = world.reconciliation.verdicts(tolerance: 0)
    #expect(verdicts.first { $0.bridge.region == "US" }?.verdict == .reconciled)
    #expect(
      verdicts.filter { $0.why.contains("payout of 0.001 USD") }.map(\.bridge.region) == ["EU"])
  }
}

@Suite("A carried balance")
struct CarriedBalanceTests {
  typealias State = CarriedBalance.State

  /// A payments CSV with one row; an amount without a payment is below the threshold.
  static func file(
    _ world: inout FinanceWorldBuilder, _ offset: Int, owed: Int64, carried: Int64 = 0,
    isPaid: Bool = true, hasColumn: Bool = true, isPending: Bool = false, region: String = "US"
  ) -> PaymentsStatement {
    PaymentsStatement(
      period: BridgeLineTests.period + offset, fileIndex: offset, isPending: isPending,
      hasBalanceColumn: hasColumn,
      rows: [
        PaymentsRow(
          region: region, currency: world.symbol("USD"), earned: owed, inputTax: 0,
          adjustments: 0, withholdingTax: 0, carriedBalance: carried, totalOwed: owed,
          proceeds: isPaid ? owed : nil, bankCurrency: world.symbol("USD"),
          isBelowThreshold: !isPaid, line: 4)
      ])
  }

  static func states(
    _ make: (inout FinanceWorldBuilder) -> [PaymentsStatement]
  ) -> [State] {
    var world = FinanceWorldBuilder()
    for file in make(&world) { world.pay(file) }
    return world.reconciliation.carriedBalances(tolerance: 0).map(\.state)
  }

  @Test
  func `is what was left unpaid, and nothing of what was paid`() {
    for (isPaid, carried, state) in [
      (false, 5_000, .ok), (false, 4_000, .failed), (false, 0, .failed), (true, 0, .ok),
      (true, 5_000, .failed),
    ] as [(Bool, Int64, State)] {
      let found = Self.states { world in
        [
          Self.file(&world, 0, owed: 5_000, isPaid: isPaid),
          Self.file(&world, 1, owed: 9_000, carried: carried),
        ]
      }
      #expect(found == [state], "\(isPaid) \(carried)")
    }
  }

  @Test
  func `waits where a file does not list the region, and is not known after a gap`() {
    for (last, state) in [(2, [State.missing, .ok]), (3, [.missing])] {
      let found = Self.states { world in
        [
          Self.file(&world, 0, owed: 5_000, isPaid: false),
          Self.file(&world, 1, owed: 1_000, region: "LL"),
          Self.file(&world, last, owed: 9_000, carried: 5_000),
        ]
      }
      #expect(found == state)
    }
  }

  @Test
  func `is missing where a file is pending, lacks the column, or has a rejected row`() {
    for flaw in ["pending", "column", "rejected"] {
      let found = Self.states { world in
        var first = Self.file(
          &world, 0, owed: 5_000, isPaid: false, isPending: flaw == "pending")
        if flaw == "rejected" { first.rejected = [RejectedRow(line: 5)] }
        return [first, Self.file(&world, 1, owed: 9_000, hasColumn: flaw != "column")]
      }
      #expect(found == [.missing], "\(flaw)")
    }
  }

  @Test
  func `that is wrong makes its bridge unreconciled`() throws {
    var world = VerdictTests.sound()
    world.pay(Self.file(&world, 1, owed: 0, carried: 5_000))
    let found = world.reconciliation
    #expect(found.findings(tolerance: 0).count == 2)
    let verdict = try #require(
      found.verdicts(tolerance: 0).first {
        $0.bridge.period == VerdictTests.period + 1 && $0.bridge.region == "US"
      })
    #expect(verdict.verdict == .unreconciled)
    #expect(verdict.why.contains("carried_balance 5.00, but 0.00 was left unpaid before"))
  }
}
