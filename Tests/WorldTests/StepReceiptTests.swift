import Files
import Pipeline
import PipelineTestSupport
import Receipts
import Simulation
import Steps
import SubreportTestSupport
import SubscriptionModel
import Testing

/// What only receipts have: an as-of in the middle of dumps, columns of tables, and damage of their own.
@Suite("Receipts of a run in steps")
struct StepReceiptTests {
  private static func plan(_ folder: String) -> RunPlan {
    var plan = RunPlan(inputs: [folder], views: usualViews)
    plan.prices = PricePlan()
    return plan
  }

  /// Returns the dumps of a world with their lines spread over several files.
  private func sandbox(
    _ world: SimulatedReports, files: Int, _ random: inout SeededGenerator
  ) throws -> ReportSandbox {
    var parts: [String: [UInt8]] = [:]
    for (path, text) in world.reports.sorted(by: { $0.key < $1.key }) {
      for line in text.split(separator: 0x0A) {
        let file = Int.random(in: 0..<files, using: &random)
        parts["\(file)/\(path)", default: []] += line + [0x0A]
      }
    }
    return try ReportSandbox(parts)
  }

  @Test(arguments: ["2026-03-04", "2026-04-20", "2026-06-01", "2026-07-19"])
  func `leave out responses after as-of, and count the chains that have no other`(
    day: String
  ) throws {
    var random = SeededGenerator(seed: 810)
    let world = try SimulatedReports(
      seed: 810, subscribers: 500, from: "2026-03-01", to: "2026-07-20", kinds: [.receipts],
      notified: 500, prices: [PlantedPrice(increase: "Plus Monthly,US,2026-05-10,9.99,0.2")])
    let sandbox = try sandbox(world, files: 7, &random)
    var plan = Self.plan(sandbox.path)
    plan.asOf = Day(day)
    plan.receipts.asOf = plan.asOf.flatMap { Instant(endOf: $0) }
    var driver = StepDriver(
      plan, partitions: 5, tasks: Int.random(in: 2...6, using: &random), random: random)
    let (run, differences) = try driver.comparison(sandbox.path)
    #expect(differences == [])
    #expect(run.text("index.html").contains(" left out, with "))
    #expect(driver.occupied[.receipts]?.count ?? 0 > 1)
  }

  @Test(arguments: histories(16, from: 830))
  func `are those of a run as a whole, whatever the dumps are`(seed: UInt64) throws {
    var history = try DumpHistory(seed: seed)
    for night in 0..<4 {
      try history.night()
      let folder = history.files.sandbox.reports
      var plan = Self.plan(folder)
      history.change()(&plan)
      var driver = StepDriver(
        plan, partitions: Int.random(in: 1...4, using: &history.files.random),
        tasks: Int.random(in: 1...4, using: &history.files.random), random: history.files.random)
      #expect(try driver.comparison(folder).differences == [], "night \(night)")
    }
  }

  @Test
  func `are refused where a run refuses them, whichever byte of gzip is damaged`() throws {
    let world = try SimulatedReports(seed: 870, subscribers: 10, kinds: [.receipts])
    let lines = world.reports.sorted { $0.key < $1.key }.flatMap { $0.value.split(separator: 0x0A) }
    // Short dumps of different shapes; the whole one shows that the others go on.
    let shortest = lines.min { $0.count < $1.count } ?? []
    let stored = gzip(shortest + [0x0A])
    let sandbox = try ReportSandbox(["whole.json": Array(lines.first ?? []) + [0x0A]])
    var refused = 0
    for place in stride(from: 0, to: stored.count, by: max(1, stored.count / 60)) {
      var (cut, flipped, longer) = (Array(stored[..<place]), stored, stored + stored)
      flipped[place] ^= 4
      longer[stored.count + place] ^= 16
      try sandbox.write("cut.json.gz", cut)
      try sandbox.write("flipped.json.gz", flipped)
      try sandbox.write("longer.json.gz", longer)
      cut.append(contentsOf: [0, 0])
      try sandbox.write("zeros.json.gz", cut)
      let plan = Self.plan(sandbox.path)
      var driver = StepDriver(plan, tasks: 3)
      let (run, differences) = try driver.comparison(sandbox.path)
      #expect(differences == [], "byte \(place)")
      refused += run.result.files.count { $0.problem != nil }
      #expect(run.result.files.contains { $0.file.relativePath == "whole.json" && $0.isUsed })
    }
    #expect(refused > 100)
  }

  @Test
  func `may be tables with columns of one's own`() throws {
    let table =
      "id,bought,ends,plan,receipt\n1,2026-01-01T08:00:00Z,2026-02-01T08:00:00Z,p,x\n"
      + "1,2026-02-01T08:00:00Z,2026-03-01T08:00:00Z,p,x\n"
    let sandbox = try ReportSandbox([
      "own.csv": Array(table.utf8),
      "other.csv": Array("a,b\n1,2\n".utf8),
      "raw.csv": Array("user,receipt\nu,eyJ9\n".utf8),
      "Subscription_80012345_20260101.txt": Array("bought,id\n2026-01-01T08:00:00Z,7\n".utf8),
    ])
    var plan = Self.plan(sandbox.path)
    for hasColumns in [false, true] {
      if hasColumns {
        plan.receipts.columns = ReceiptColumns([
          .originalTransactionID: "id", .purchaseDate: "bought", .expiresDate: "ends",
          .product: "plan",
        ])
      }
      var driver = StepDriver(plan, tasks: 3)
      let (run, differences) = try driver.comparison(sandbox.path)
      #expect(differences == [])
      #expect(run.result.files.filter(\.isReceiptDump).count == 2)
      #expect(run.result.sources.isEmpty != hasColumns)
    }
  }
}
