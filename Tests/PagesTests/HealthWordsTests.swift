import PipelineTestSupport
import Simulation
import SubreportTestSupport
import Testing

/// What the section on health says of rows, beside `health.csv` of the same run.
@Suite("The words on the health of the data")
struct HealthWordsTests {
  @Test
  func `rows of receipts are left aside for reasons in plain words`() throws {
    let world = try SimulatedReports(
      seed: 23, subscribers: 200, to: "2026-05-31", faults: true, kinds: [.receipts])
    let outcome = try RunOutcome(try world.sandbox())
    let summary = outcome.text("summary.md")
    let line = try #require(
      PageReader.parts(of: summary, from: "\nReceipts: ", to: "\n").first)
    #expect(line.contains("signatures not checked (`--verify`)"), "\(line)")
    for word in ["family chains", "21006", "other environment", "health.csv"] {
      #expect(!line.contains(word), "\(line)")
    }
    let rows = outcome.rows("health.csv")
    let families = rows.compactMap { $0["note"] }.flatMap { note in
      note.split(separator: "; ").filter { $0.hasPrefix("family chains: ") }
    }
    for family in families {
      let count = family.dropFirst("family chains: ".count)
      #expect(line.contains("subscriptions of Family Sharing, in no rate: \(count)"), "\(line)")
    }
    // The reasons add up to the rows.
    let ignored = rows.compactMap { Int($0["rows_ignored"] ?? "") }.reduce(0, +)
    let reasons = PageReader.parts(of: line, from: " left aside (", to: "); ").first ?? ""
    let counts = reasons.split(separator: ", ").compactMap { reason in
      reason.split(separator: ": ").last.flatMap { Int($0.filter { $0 != "," }) }
    }
    #expect(ignored > 0)
    #expect(counts.reduce(0, +) == ignored, "\(line)")
  }

  @Test
  func `rows of SALES that are left aside are said to be of no subscription`() throws {
    let world = try SimulatedReports(seed: 5, subscribers: 60, to: "2026-02-28", kinds: [.sales])
    let outcome = try RunOutcome(try world.sandbox())
    let start = "other product types: "
    let counts = outcome.rows("health.csv").compactMap { $0["note"] }.flatMap { note in
      note.split(separator: "; ").filter { $0.hasPrefix(start) }
        .compactMap { Int($0.dropFirst(start.count)) }
    }
    let sum = counts.reduce(0, +)
    #expect(sum > 0)
    let line = try #require(
      PageReader.parts(of: outcome.text("summary.md"), from: "Left aside of `sales`: ", to: "\n")
        .first)
    let number = line.prefix { $0 != " " }.filter { $0 != "," }
    #expect(Int(number) == sum)
    #expect(line.hasSuffix("of other product types: no subscriptions."))
  }
}
