import Pages
import Pipeline
import PipelineTestSupport
import Steps
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Names and paths that are equal for people and for `String`, but have other bytes.
@Suite("Two names that look the same")
struct LookalikeNameTests {
  /// The two names: `é` as one code point, and as `e` with an accent; or plain ones in the same order and as long.
  private struct Pair {
    let composed: String
    let decomposed: String

    static let alike = Pair(composed: "Caf\u{E9}", decomposed: "Cafe\u{301}")
    static let plain = Pair(composed: "Cafzz", decomposed: "Cafe12")

    /// Returns a text with these names in place of others.
    func applied(to text: [UInt8], _ names: [String]) -> [UInt8] {
      zip(names, [composed, decomposed]).reduce(text) {
        $0.replacing(Array($1.0.utf8), with: Array($1.1.utf8))
      }
    }
  }

  /// Returns a world in which two products, and two folders, have the names.
  private static func sandbox(_ world: SimulatedReports, _ pair: Pair) throws -> ReportSandbox {
    let sandbox = try ReportSandbox()
    for (number, (path, text)) in world.reports.sorted(by: { $0.key < $1.key }).enumerated() {
      let folder = number % 2 == 0 ? pair.composed : pair.decomposed
      try sandbox.write(
        "\(folder)/\(path)", pair.applied(to: text, ["Plus Monthly", "Pro Monthly"]))
    }
    for folder in [pair.composed, pair.decomposed] {
      try sandbox.write("\(folder)/notes.txt", "\(folder.utf8.count)")
    }
    return sandbox
  }

  private static func plan(_ folder: String) -> RunPlan {
    var plan = RunPlan(inputs: [folder], views: usualViews)
    plan.prices = PricePlan()
    return plan
  }

  @Test(arguments: histories(3, from: 990))
  func `are two names in every table, and in steps`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 250, from: "2026-04-01", to: "2026-07-10", faults: true)
    let (alike, plain) = (
      try Self.sandbox(world, .alike), try Self.sandbox(world, .plain)
    )
    let expected = try RunOutcome(Run.carryOut(Self.plan(plain.path)))
    let found = try RunOutcome(Run.carryOut(Self.plan(alike.path)))
    #expect(found.checks.hold)
    #expect(found.files.keys.sorted() == expected.files.keys.sorted())
    let names = [Pair.alike.composed, Pair.alike.decomposed]
    // Files with other names in them have other hashes.
    for (name, bytes) in found.files where name.hasSuffix(".csv") && name != "health.csv" {
      let plainText = Pair.plain.applied(to: bytes, names)
      #expect(String(decoding: plainText, as: UTF8.self) == expected.text(name), "\(name)")
    }
    #expect(found.text("drivers.csv").contains("product,"))
    #expect(!found.text("drivers.csv").contains(HeadlineMaker.notInView))
    var driver = StepDriver(
      Self.plan(alike.path), partitions: 3, tasks: 3, random: SeededGenerator(seed: seed))
    let steps = try RunOutcome(driver.result(alike.path))
    #expect(steps.differingFiles(from: found) == [])
  }

  @Test
  func `are compared each with its own earlier number`() {
    let row = { (month: String, product: String, count: Int) -> [ReportTable.Cell] in
      [.text("subscribers"), .text(month), .text(product), .count(count)]
    }
    let pair = Pair.alike
    let table = ReportTable(
      name: "churn", dimensions: ["product"],
      columns: [
        .init("source", .key), .init("month", .key), .init("product", .key),
        .init("churned", .count),
      ],
      rows: [
        row("2026-06", pair.composed, 1), row("2026-06", pair.decomposed, 20),
        row("2026-07", pair.composed, 3), row("2026-07", pair.decomposed, 40),
      ])
    let compared = table.addingChanges(.previous, .calendar)
    #expect(compared.rows.map { $0[4] } == [.missing, .missing, .count(1), .count(20)])
  }
}
