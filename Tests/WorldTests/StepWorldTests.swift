import Pipeline
import PipelineTestSupport
import Simulation
import Steps
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("A run in steps")
struct StepWorldTests {
  private static func plan(_ folder: String) -> RunPlan {
    var plan = RunPlan(inputs: [folder], views: usualViews)
    plan.prices = PricePlan()
    return plan
  }

  /// Compares all files of a plain run with those of the steps.
  private func compare(
    _ sandbox: ReportSandbox, _ plan: RunPlan, _ driver: StepDriver
  ) throws -> RunOutcome {
    var driver = driver
    return try compare(sandbox, plan, &driver)
  }

  private func compare(
    _ sandbox: ReportSandbox, _ plan: RunPlan, _ driver: inout StepDriver
  ) throws -> RunOutcome {
    let expected = try RunOutcome(Run.carryOut(plan))
    let found = try RunOutcome(driver.result(sandbox.path))
    #expect(found.files.keys.sorted() == expected.files.keys.sorted())
    for (name, bytes) in expected.files {
      #expect(found.text(name) == String(decoding: bytes, as: UTF8.self), "\(name)")
    }
    return expected
  }

  @Test(arguments: [1, 2, 7, 256])
  func `writes the same bytes with any number of partitions`(partitions: Int) throws {
    let sandbox = try SimulatedReports(seed: 700, faults: true).sandbox()
    let plan = Self.plan(sandbox.path)
    var driver = StepDriver(plan, partitions: partitions, tasks: 1 + partitions % 4)
    let outcome = try compare(sandbox, plan, &driver)
    #expect(outcome.result.sources.count == 3)
    // With few subscribers, some of 256 partitions stay empty.
    let occupied = try #require(driver.occupied[.charges])
    #expect(occupied.count >= min(partitions, 20))
  }

  @Test(arguments: histories(6, from: 710))
  func `writes the same bytes in any order of files, tasks and frames`(seed: UInt64) throws {
    let plans =
      seed % 2 == 0
      ? PlanOptions()
      : try PlanOptions(commitments: Share("0.5", of: "a"), contingent: Share("0.1", of: "a"))
    var world = try SimulatedReports(seed: seed, faults: true, plans: plans)
    var random = SeededGenerator(seed: seed)
    if seed % 3 == 0 { world.nameLate(by: 2) { !$0.contains("S_D_") } }
    if seed % 2 == 1 { world.downloadAgain(&random) }
    let january = Month(year: 2026, month: 1)
    world.addSales(of: january)
    for week in 0..<5 { world.addSales(ofWeekFrom: january.firstDay + (7 * week - 3)) }
    let sandbox = try world.sandbox()
    try damage(sandbox, world, &random)
    let plan = Self.plan(sandbox.path)
    let driver = StepDriver(
      plan, partitions: Int.random(in: 1...7, using: &random),
      tasks: Int.random(in: 1...5, using: &random), random: random)
    _ = try compare(sandbox, plan, driver)
  }

  @Test
  func `writes the same bytes when a feed has stopped, and where only one vendor has a month`()
    throws
  {
    var world = try SimulatedReports(seed: 720)
    world.reports = world.reports.filter { path, _ in
      !path.hasPrefix("subscriber/") || !path.contains("_202602")
    }
    let sandbox = try world.sandbox()
    try sandbox.write("Subscriber_80099999_20260105_V1_3.txt", ReportText.subscriber.bytes)
    var plan = Self.plan(sandbox.path)
    plan.through = Day("2026-02-11")
    let outcome = try compare(sandbox, plan, StepDriver(plan, partitions: 2))
    #expect(outcome.result.feedEnds.contains { !$0.missing.isEmpty })
  }

  @Test(arguments: histories(2, from: 730))
  func `counts price increases of all partitions`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 400, from: "2026-03-01", to: "2026-07-20",
      kinds: [.subscriber, .sales])
    let sandbox = try world.sandbox()
    let plan = Self.plan(sandbox.path)
    let outcome = try compare(
      sandbox, plan, StepDriver(plan, partitions: 3, random: SeededGenerator(seed: seed)))
    #expect(outcome.rows("price_impact.csv").isEmpty == false)
  }

  @Test(arguments: [
    Set<WorldOptions.ReportKind>([.subscriber]), [.receipts], [.subscriber, .receipts],
  ])
  func `counts who will meet planned prices`(kinds: Set<WorldOptions.ReportKind>) throws {
    let sandbox = try SimulatedReports(
      seed: 735, subscribers: 400, from: "2026-03-01", to: "2026-07-20", kinds: kinds,
      prices: [PlantedPrice(increase: "Plus Monthly,US,2026-05-10,9.99,0.2")]
    ).sandbox()
    var plan = Self.plan(sandbox.path)
    let product = kinds.contains(.subscriber) ? "Plus Monthly" : "com.example.larkspur.plus.month"
    let rows = ["US,USD,2026-08-01,14.99", "GB,GBP,2026-09-01,19.99", "DE,EUR,2026-08-05,0.99"]
    plan.prices?.planned = try PriceFile.plan.read(
      "product,country,currency,date,new_price\n"
        + rows.map { "\(product),\($0)\n" }.joined() + "None,US,USD,2026-08-01,14.99\n",
      path: "plan.csv")
    let outcome = try compare(sandbox, plan, StepDriver(plan, partitions: 3))
    #expect(outcome.rows("price_plan.csv").isEmpty == false)
    #expect(outcome.result.inputErrors.isEmpty == false)
  }

  @Test(arguments: ["2026-01-20", "2026-02-08"])
  func `leaves out rows after as-of`(day: String) throws {
    let sandbox = try SimulatedReports(seed: 740).sandbox()
    var plan = Self.plan(sandbox.path)
    plan.asOf = Day(day)
    _ = try compare(sandbox, plan, StepDriver(plan, partitions: 2))
  }

  @Test(arguments: histories(2, from: 760))
  func `writes the same bytes with receipts and finance files`(seed: UInt64) throws {
    let sandbox = try ReportSandbox()
    try Simulator.write(
      world: try WorldOptions(
        subscribers: 150, firstDay: "2026-01-01", lastDay: "2026-03-28", seed: seed,
        kinds: [.subscriber, .sales, .receipts, .finance]),
      to: sandbox.path + "/world")
    sandbox.remove("world/truth")
    let plan = Self.plan(sandbox.path)
    let outcome = try compare(
      sandbox, plan, StepDriver(plan, tasks: 3, random: SeededGenerator(seed: seed)))
    #expect(outcome.result.sources.count == 3)
    #expect(outcome.result.finance != nil)
  }

  @Test(arguments: histories(4, from: 780))
  func `joins customers whose receipts are in different files and tasks`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let world = try SimulatedReports(
      seed: seed, subscribers: 500, from: "2026-03-01", to: "2026-07-20", kinds: [.receipts],
      notified: 500, prices: [PlantedPrice(increase: "Plus Monthly,US,2026-05-10,9.99,0.2")])
    var parts: [String: [UInt8]] = [:]
    for (path, text) in world.reports.sorted(by: { $0.key < $1.key }) {
      for line in text.split(separator: 0x0A) {
        parts["\(Int.random(in: 0..<7, using: &random))/\(path)", default: []] += line + [0x0A]
      }
    }
    let sandbox = try ReportSandbox(parts)
    let plan = Self.plan(sandbox.path)
    var driver = StepDriver(
      plan, partitions: 5, tasks: Int.random(in: 1...6, using: &random), random: random)
    let outcome = try compare(sandbox, plan, &driver)
    #expect(driver.occupied[.receipts] == Set(0..<5))
    #expect(outcome.rows("price_impact.csv").isEmpty == false)
  }

  @Test
  func `writes the same bytes with files of other kinds, and finance files with each fault`() throws
  {
    let sandbox = try SimulatedReports(seed: 765, kinds: [.sales]).sandbox()
    try sandbox.write(
      "a.json", #"{"request_date": "2026-01-01", "subscriber": {"entitlements": {}}}"#)
    try sandbox.write("b.json", #"{"api_version": "1.0", "event": {"type": "RENEWAL"}}"#)
    try sandbox.write("notes.txt", "hello")
    let header =
      "Start Date\tEnd Date\tUPC\tISRC/ISBN\tVendor Identifier\tQuantity\tPartner Share\tExtended Partner Share\t"
      + "Partner Share Currency\tSales or Return\tApple Identifier\tArtist/Show/Developer/Author\tTitle\t"
      + "Label/Studio/Network/Developer/Publisher\tGrid\tProduct Type Identifier\tISAN/Other Identifier\t"
      + "Country Of Sale\tPre-order Flag\tPromo Code\tCustomer Price\tCustomer Currency\n"
    func file(_ first: String, _ last: String, units: Int) -> String {
      header
        + "\(first)\t\(last)\t\t\tcom.example\t2\t0.70\t1.40\tUSD\tS\t1\tD\tT\t\t\tIAY\t\tUS\t\t\t0.99\tUSD\n"
        + "Total_Rows\t1\nTotal_Amount\t1.40\nTotal_Units\t\(units)\n"
    }
    try sandbox.write("year.txt", file("10/05/2020", "10/05/2021", units: 2))
    try sandbox.write("trailer.txt", file("12/28/2025", "01/31/2026", units: 3))
    try sandbox.write(
      "several.txt",
      file("12/28/2025", "01/31/2026", units: 2) + file("02/01/2026", "02/28/2026", units: 2))
    let plan = Self.plan(sandbox.path)
    let outcome = try compare(
      sandbox, plan, StepDriver(plan, tasks: 3, random: SeededGenerator(seed: 765)))
    #expect(outcome.result.files.contains { $0.problem?.code == "not-a-fiscal-period" })
  }

  @Test
  func `filters by ids and by names`() throws {
    let sandbox = try SimulatedReports(seed: 770).sandbox()
    var plan = Self.plan(sandbox.path)
    plan.filters.countries = ["US", "DE"]
    _ = try compare(sandbox, plan, StepDriver(plan))
    plan.filters.products = ["Pro Monthly"]
    let outcome = try compare(sandbox, plan, StepDriver(plan))
    #expect(outcome.result.unmatchedFilters.isEmpty)
  }

  @Test
  func `writes the same bytes without SUBSCRIBER reports`() throws {
    let sandbox = try SimulatedReports(seed: 750, kinds: [.sales, .subscription]).sandbox()
    let plan = Self.plan(sandbox.path)
    _ = try compare(sandbox, plan, StepDriver(plan, partitions: 2))
  }

  /// Damages some files, and adds later versions and copies of others.
  private func damage(
    _ sandbox: ReportSandbox, _ world: SimulatedReports, _ random: inout SeededGenerator
  ) throws {
    for (path, text) in world.reports.sorted(by: { $0.key < $1.key }) {
      let end = Int.random(in: 1...text.count, using: &random)
      switch Int.random(in: 0..<40, using: &random) {
      case 0: try sandbox.write(path, Array(text.prefix(end)))
      case 1: try sandbox.write("z/" + path, text)
      case 2: try sandbox.write("z/" + path, Array(text.prefix(end)))
      case 3:
        sandbox.remove(path)
        try sandbox.write(
          path + ".gz", Array(gzip(text).dropLast(Int.random(in: 1..<12, using: &random))))
      case 4: try sandbox.write("z/" + path, text + Array("not a row\n".utf8))
      case 5: try sandbox.write(path, text + text)
      case 6:
        guard let later = SimulatedReports.name(path, laterBy: 1) else { continue }
        try sandbox.write("z/" + later, text)
      default: break
      }
    }
  }
}
