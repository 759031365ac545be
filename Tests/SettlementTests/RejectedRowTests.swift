import Settlement
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("A rejected row")
struct RejectedRowTests {
  typealias Item = FinanceWorldBuilder.Item
  static let period = BridgeLineTests.period
  static let first = period.firstDay

  static func unknown(
    _ world: FinanceWorldBuilder, _ region: String, _ period: FiscalPeriod = period
  ) throws -> [Int] {
    let entries = try BridgeLineTests.bridge(world, period, region: region).entries
    return Set(entries.filter { $0.status == .unknown }.map(\.line.rawValue)).sorted()
  }

  @Test
  func `of FINANCE_DETAIL leaves out its region in its period and in the sale's`() throws {
    var world = VerdictTests.sound()
    let (country, currency) = (world.symbol("US"), world.symbol("USD"))
    world.reject(
      1, RejectedRow(line: 12, country: country, currency: currency, day: Self.first + 3))
    #expect(try Self.unknown(world, "US") == [21, 22, 23, 24, 25])
    let next = try BridgeLineTests.bridge(world, Self.period + 1)
    let share = try #require(next.entries(of: .financeShare).first)
    #expect(share.amount == nil)
    #expect(share.cause == "rejected: file 1:12")
    #expect(next.entries(of: .shareDifference).map(\.cause).allSatisfy { $0.hasSuffix("1:12") })
    #expect(
      try Self.unknown(world, "US", Self.period + 1)
        == [12, 20, 21, 22, 23, 24, 25, 29, 30, 40, 41, 42, 43, 49, 50, 60])
    #expect(try VerdictTests.verdict(world).verdict == .notVerified)
  }

  @Test
  func `whose country cannot be read leaves out all regions of its file`() throws {
    var world = VerdictTests.sound()
    let item = Item().with { ($0.country, $0.currency) = ("GB", "GBP") }
    world.add(.region("GB"), Self.period, [world.row(item)])
    world.reject(0, RejectedRow(line: 12))
    #expect(try Self.unknown(world, "US").contains(30))
    // The region's own file counts there, and is whole.
    let british = try BridgeLineTests.bridge(world, region: "GB")
    #expect(british.amount(of: .financeShare) == 6_990)
    #expect(british.amount(of: .unexplainedSales) == nil)
  }

  @Test
  func `of SALES leaves out what was sold`() throws {
    var world = VerdictTests.sound()
    let (country, currency) = (world.symbol("US"), world.symbol("USD"))
    world.rejectSale(
      RejectedRow(line: 3, country: country, currency: currency, day: Self.first))
    #expect(try Self.unknown(world, "US") == [10, 11, 21, 22, 23, 24, 25, 29])
  }

  @Test
  func `of a payments CSV leaves out what is owed, also where it was the region's only one`() throws
  {
    var world = VerdictTests.sound()
    world.removePayments()
    var file = BridgeFormTests.payments(&world, owed: 34_950)
    file.rejected = [RejectedRow(line: 6, currency: world.symbol("AUD"), region: "AU")]
    world.pay(file)
    #expect(try Self.unknown(world, "US") == [])
    #expect(try Self.unknown(world, "AU").filter { $0 >= 40 } == [40, 41, 42, 43, 49, 50, 60])
    let verdicts = world.reconciliation.verdicts(tolerance: 0)
    #expect(verdicts.first { $0.bridge.region == "US" }?.verdict == .reconciled)
    #expect(verdicts.first { $0.bridge.region == "AU" }?.verdict == .notVerified)
  }

  @Test(
    arguments: [
      ("USD", [40, 41, 42, 43, 49, 50, 60]), ("EUR", []), (nil, [40, 41, 42, 43, 49, 50, 60]),
    ] as [(String?, [Int])])
  func `of a region without a known name leaves out what is owed in its currency`(
    currency: String?, steps: [Int]
  ) throws {
    var world = VerdictTests.sound()
    world.removePayments()
    var file = BridgeFormTests.payments(&world, owed: 34_950)
    file.rejected = [RejectedRow(line: 6, currency: currency.map { world.symbol($0) })]
    world.pay(file)
    #expect(try Self.unknown(world, "US") == steps)
  }

  @Test
  func `keeps totals from being compared`() {
    var world = BridgeFormTests.agreeing()
    world.change(1, by: 1_230)
    #expect(world.reconciliation.findings(tolerance: 0).count == 3)
    world.reject(1, RejectedRow(line: 7, country: nil, currency: world.symbol("USD")))
    #expect(world.reconciliation.formsChecks.map(\.isComplete) == [false])
    #expect(world.reconciliation.findings(tolerance: 0).isEmpty)
  }
}
