import Pipeline
import PipelineTestSupport
import ReportCache
import Simulation
import Steps
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Nights with a cache, in steps and without")
struct StepCacheWorldTests {
  @Test(arguments: histories(3, from: 820))
  func `write the same bytes as runs without a cache`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sandbox = try ReportSandbox()
    let reports = sandbox.path + "/in"
    try Simulator.write(
      world: try WorldOptions(
        subscribers: 60, firstDay: "2026-01-22", lastDay: "2026-03-05", seed: seed,
        kinds: Set(WorldOptions.ReportKind.allCases)),
      to: reports)
    sandbox.remove("in/truth")
    let files = Files.paths(below: reports).sorted()
    for night in 0..<4 {
      for _ in 0..<2 { try change(files.randomElement(using: &random), sandbox, &random) }
      var plan = RunPlan(inputs: [reports], views: usualViews)
      plan.prices = PricePlan()
      plan.filters.countries = night == 2 ? ["US", "DE"] : []
      let expected = try RunOutcome(Run.carryOut(plan))
      var driver = StepDriver(
        plan, partitions: Int.random(in: 1...4, using: &random),
        tasks: Int.random(in: 1...3, using: &random), random: random)
      driver.cache = sandbox.path + "/cache"
      driver.writesEntries = true
      let found = try RunOutcome(driver.result(reports))
      #expect(found.differingFiles(from: expected) == [], "night \(night)")
      _ = try driver.storeEntries(in: sandbox.path + "/cache")
      if night > 0 { #expect(driver.wholeFiles.read < files.count) }
      guard Bool.random(using: &random) else { continue }
      plan.earlierRuns = try ExtractCache(
        path: sandbox.path + "/cache", version: StepDriver.version)
      #expect(try RunOutcome(Run.carryOut(plan)).differingFiles(from: expected) == [])
    }
  }

  /// Damages, removes or repeats a file, or adds a version of it with a bad row; damages entries.
  private func change(
    _ path: String?, _ sandbox: ReportSandbox, _ random: inout SeededGenerator
  ) throws {
    let path = "in/" + (try #require(path))
    if let bytes = try? sandbox.bytes(path) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: try sandbox.write(path, Array(bytes.dropLast(9)))
      case 1: sandbox.remove(path)
      case 2: try sandbox.write(path.replacing("in/", with: "in/z/"), bytes)
      case 3 where !path.hasSuffix(".gz"):
        try sandbox.write(
          path.replacing("in/", with: "in/z/"), bytes + Array("not a row\n".utf8))
      case 4:
        guard let later = SimulatedReports.name(path, laterBy: 1) else { break }
        try sandbox.write(later.replacing("in/", with: "in/z/"), bytes)
      default: break
      }
    }
    let entries = names(inFolder: sandbox.path + "/cache/extracts")
    guard let entry = entries.randomElement(using: &random) else { return }
    var bytes = try sandbox.bytes("cache/extracts/" + entry)
    bytes[Int.random(in: bytes.indices, using: &random)] ^= 1
    try sandbox.write("cache/extracts/" + entry, bytes)
  }
}
