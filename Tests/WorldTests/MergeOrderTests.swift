import Pipeline
import PipelineTestSupport
import ReportCache
import Simulation
import Steps
import Storage
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Which files are written, and each of their bytes,")
struct MergeOrderTests {
  /// Writes a folder with all sources, with damaged files, and with rows that leave counts of 0.
  private static func folder(seed: UInt64) throws -> ReportSandbox {
    let sandbox = try ReportSandbox()
    try Simulator.write(
      world: try WorldOptions(
        subscribers: 60, firstDay: "2026-01-01", lastDay: "2026-03-28", seed: seed,
        plantsFaults: true, kinds: Set(WorldOptions.ReportKind.allCases),
        plans: PlanOptions(commitments: Share("0.5", of: "a"), contingent: Share("0.1", of: "a"))),
      to: sandbox.path)
    sandbox.remove("truth")
    var random = SeededGenerator(seed: seed)
    try sandbox.write("zero/refunded.jsonl", refundedInstalment(&random))
    try sandbox.write("zero/other.jsonl", refundedInstalment(&random))
    for name in names(inFolder: sandbox.path + "/sales").shuffled(using: &random).prefix(6) {
      // The same product with another duration.
      let path = "sales/" + name
      guard let text = GzipMember.content(of: try sandbox.bytes(path)) else { continue }
      let other = String(decoding: text, as: UTF8.self).replacing("1 Month", with: "1 Year")
      try sandbox.write(path, gzip(Array(other.utf8)))
    }
    for kind in ["payments", "region"] {
      // One more file of the same report, which ends inside a line.
      let folder = sandbox.path + "/finance/" + kind
      for name in names(inFolder: folder).shuffled(using: &random).prefix(2) {
        let bytes = try sandbox.bytes("finance/\(kind)/\(name)")
        let text = GzipMember.content(of: bytes) ?? bytes
        let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
        try sandbox.write("again/\(kind)/\(plain)", Array(text.dropLast()))
      }
    }
    return sandbox
  }

  /// Returns an instalment of unknown position that was refunded in its month: all its counts are 0.
  private static func refundedInstalment(_ random: inout SeededGenerator) -> String {
    let id = UInt32.random(in: 1_000_000...9_999_999, using: &random)
    let day = 1_772_500_000_000 + Int.random(in: 0..<9, using: &random) * 86_400_000
    let members = [
      "\"transactionId\":\"\(id)\"", "\"originalTransactionId\":\"\(id - 1)\"",
      "\"bundleId\":\"com.example\"", "\"productId\":\"com.example.year\"",
      "\"subscriptionGroupIdentifier\":\"77\"", "\"purchaseDate\":\(day)",
      "\"originalPurchaseDate\":\(day - 90 * 86_400_000)",
      "\"expiresDate\":\(day + 31 * 86_400_000)", "\"type\":\"Auto-Renewable Subscription\"",
      "\"inAppOwnershipType\":\"PURCHASED\"", "\"environment\":\"Production\"",
      "\"storefront\":\"DEU\"", "\"price\":5990", "\"currency\":\"EUR\"",
      "\"signedDate\":\(day + 3 * 86_400_000)", "\"billingPlanType\":\"MONTHLY\"",
      "\"revocationDate\":\(day + 2 * 86_400_000)", "\"revocationReason\":0",
    ]
    return "{" + members.joined(separator: ",") + "}\n"
  }

  private static func plan(_ folder: String) -> RunPlan {
    var plan = RunPlan(inputs: [folder], views: usualViews, jobs: 1)
    plan.prices = PricePlan()
    return plan
  }

  @Test(arguments: histories(5, from: 950))
  func `follow from the inputs, with any number of threads and in any order of steps`(
    seed: UInt64
  ) throws {
    let sandbox = try Self.folder(seed: seed)
    let expected = try RunOutcome(Run.carryOut(Self.plan(sandbox.path)))
    #expect(expected.result.sources.count == 4)
    for jobs in 2...8 {
      var plan = Self.plan(sandbox.path)
      plan.jobs = jobs
      let found = try RunOutcome(Run.carryOut(plan))
      #expect(found.differingFiles(from: expected) == [], "\(jobs) jobs")
    }
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2 {
      var driver = StepDriver(
        Self.plan(sandbox.path), partitions: Int.random(in: 1...9, using: &random),
        tasks: Int.random(in: 1...9, using: &random), random: random)
      let found = try RunOutcome(driver.result(sandbox.path))
      #expect(found.differingFiles(from: expected) == [])
    }
  }

  @Test(arguments: histories(5, from: 970))
  func `follow from the inputs where only refunded instalments are there`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sandbox = try ReportSandbox()
    for number in 0..<Int.random(in: 1...4, using: &random) {
      try sandbox.write("\(number).jsonl", Self.refundedInstalment(&random))
    }
    for jobs in 1...8 {
      var plan = Self.plan(sandbox.path)
      plan.jobs = jobs
      let found = try RunOutcome(Run.carryOut(plan))
      #expect(found.rows("commitments.csv").isEmpty)
      #expect(found.text("commitments.csv").hasPrefix("source,month,"), "\(jobs) jobs")
    }
    var driver = StepDriver(Self.plan(sandbox.path), partitions: 3, random: random)
    #expect(try driver.comparison(sandbox.path).differences == [])
  }

  @Test
  func `are the same with a cache that holds later rows, as of an earlier day`() throws {
    let later = [
      "Event Date": "2026-01-07", "Subscriber ID": "2", "Subscription Name": "Max",
      "Subscription Apple ID": "333", "Standard Subscription Duration": "1 Year",
    ]
    let files = try CacheSandbox([
      subscriberName(5): ReportText.subscriber.with([:]).bytes,
      subscriberName(6): ReportText.subscriber.with(
        ["Event Date": "2026-01-06", "Subscriber ID": "1"], later
      ).bytes,
    ])
    func run(asOf day: String?, cache: Bool) throws -> RunOutcome {
      let opened = cache ? try ExtractCache(path: files.cache, version: "1") : nil
      defer { opened?.wait() }
      return try RunOutcome([files.reports]) { plan in
        plan.billingPlans = ["Max": .only(.commitment), "Monthly": .only(.commitment)]
        plan.asOf = day.flatMap { Day($0) }
        plan.earlierRuns = opened
      }
    }
    let expected = try run(asOf: "2026-01-06", cache: false)
    #expect(expected.text("index.html").contains("sold in them too"))
    for day in [nil, "2026-01-06", "2026-01-06"] {
      let found = try run(asOf: day, cache: true)
      if day != nil { #expect(found.differingFiles(from: expected) == []) }
    }
  }
}
