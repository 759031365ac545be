import Explain
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("An explained difference of two runs")
struct RunDifferenceTests {
  /// Compares a cell of two runs.
  private func difference(
    _ question: Question, _ month: String, _ now: RunResult, _ then: RunResult,
    naming: CustomerTable.Naming? = nil, limit: Int? = nil
  ) throws -> ExplainedDifference {
    let asked = try #require(Month(month))
    return try ExplainedDifference(
      question, DifferenceSide("now", asked, now), DifferenceSide("run 1", asked, then),
      isOfOtherRun: true, Listing(naming: naming, limit: limit))
  }

  private static let rows: [(cell: String, conditions: [String])] = [
    ("churn", []), ("renewals", []), ("lapses", []), ("movement", []), ("trials", []),
    ("refunds", ["dating=sale", "currency=USD"]), ("proceeds", ["currency=USD"]),
    ("retention", ["k=1"]),
  ]

  /// Reports come, some of them late; whatever a run says otherwise than the one before is explained.
  @Test(arguments: histories(6))
  func `adds up, and names only files that are new`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 100, to: "2026-06-10", kinds: [.subscriber])
    var random = SeededGenerator(seed: seed)
    let inOrder = world.reports.keys.sorted()
    var known = Set(inOrder.prefix(Int.random(in: 100..<150, using: &random)))
    for _ in 0..<3 { known.remove(inOrder[Int.random(in: 60..<90, using: &random)]) }
    let sandbox = try ReportSandbox(world.reports.filter { known.contains($0.key) })
    let whole = try Question("churn", where: [])
    let then = explainableRun(of: whole, sandbox)
    for (name, bytes) in world.reports where !known.contains(name) {
      try sandbox.write(name, bytes)
    }
    let now = explainableRun(of: whole, sandbox, jobs: 3)
    for (cell, conditions) in Self.rows {
      let question = try Question(cell, where: conditions)
      for month in ["2026-03", "2026-04"] {
        guard let found = try? difference(question, month, now, then, naming: .clear) else {
          // A small world may have no such row.
          #expect(["lapses", "trials", "refunds", "retention"].contains(cell), "\(cell) \(month)")
          continue
        }
        try expect(found, question, month, now, then)
        for row in found.table.rows.indices {
          expectFiles(found.table.texts(["because"], row: row)[0], known: known)
        }
      }
    }
    withExtendedLifetime(sandbox) {}
  }

  private func expect(
    _ found: ExplainedDifference, _ question: Question, _ month: String, _ now: RunResult,
    _ then: RunResult
  ) throws {
    let asked = try #require(Month(month))
    let sides = try [now, then].map { run in
      try Explanation(question, month: asked, run, Listing(naming: .clear))
    }
    #expect(found.holds, "\(found.lines)")
    for sum in found.sums {
      let expected = ReferenceDifference(sum.column, sides[0].table, sides[1].table)
      #expect(ReferenceDifference(sum) == expected, "\(question.table).\(sum.column)")
      #expect(found.listedSum(sum.column) == expected.sum, "\(question.table).\(sum.column)")
      #expect(Int128(expected.sum) == sum.after - sum.before)
    }
  }

  /// Compares the files in a reason with those that came after the first run.
  private func expectFiles(_ because: String, known: Set<String>) {
    let words = because.split { " ,;".contains($0) }.map(String.init)
    let files = words.filter { $0.hasSuffix(".txt") }
    #expect(files.allSatisfy { !known.contains($0) }, "\(because)")
    let cause = files.isEmpty ? "; no row of the subscription is new" : "; brought by "
    #expect(because.hasPrefix("now: ") && because.contains(cause), "\(because)")
  }

  // MARK: What it says

  private func row(_ day: String, _ id: String) -> [String: String] {
    ["Event Date": "2026-\(day)", "Subscriber ID": id]
  }

  private func name(_ day: String) -> String { "Subscriber_80012345_2026\(day)_V1_3.txt" }

  /// Runs a question on some files, and again with more of them.
  private func runs(
    of question: Question, _ first: [String: [UInt8]], then later: [String: [UInt8]]
  ) throws -> (sandbox: ReportSandbox, now: RunResult, then: RunResult) {
    let sandbox = try ReportSandbox(first)
    let then = explainableRun(of: question, sandbox)
    for (name, bytes) in later { try sandbox.write(name, bytes) }
    return (sandbox, explainableRun(of: question, sandbox), then)
  }

  @Test
  func `says what each run knew, and which file is new`() throws {
    let question = try Question("churn.churned_provisional", where: [])
    let (sandbox, now, then) = try runs(
      of: question,
      [
        name("0122"): ReportText.subscriber.with(row("01-20", "1"), row("01-22", "2")).bytes,
        name("0228"): ReportText.subscriber.bytes,
      ], then: [name("0310"): ReportText.subscriber.with(row("03-10", "1")).bytes])
    let found = try difference(question, "2026-02", now, then)
    #expect(
      found.table.texts(["value", "subscription", "fact", "because"]) == [
        "-1", "Subscriber_80012345_20260122_V1_3.txt:2", "went: lapse open provisional",
        "now: lapse recovered: the next charge came on 2026-03-10, within 60 days of 2026-02-20; run 1: no charge so far since 2026-02-20, less than 60 days before the data end on 2026-02-28; brought by Subscriber_80012345_20260310_V1_3.txt",
      ])
    #expect(
      found.lines == [
        "0 came and 1 went, together -1, as churn.csv of both runs says: 1 (now), 2 (run 1); 1 in both is not listed"
      ])
    withExtendedLifetime(sandbox) {}
  }

  /// The ids have other keys in each run, because the new file comes first.
  @Test
  func `finds subscribers again whose ids are no numbers`() throws {
    let question = try Question("churn.active_start", where: [])
    let (sandbox, now, then) = try runs(
      of: question,
      [
        name("0122"): ReportText.subscriber.with(row("01-20", "b-1"), row("01-22", "b-2")).bytes,
        name("0228"): ReportText.subscriber.bytes,
      ],
      then: [
        name("0118"): ReportText.subscriber.with(row("01-17", "a-1"), row("01-18", "a-2")).bytes
      ])
    let found = try difference(question, "2026-02", now, then, naming: .clear)
    #expect(found.holds, "\(found.lines)")
    let counts = try #require(found.sums.first).counts
    #expect([counts.came, counts.went, counts.changed, counts.inBoth] == [2, 0, 0, 2])
    #expect(found.table.texts(["subscription"]) == ["a-1"])
    #expect(
      found.table.texts(["because"])[0].hasSuffix(
        "; run 1: no row of the subscription; brought by Subscriber_80012345_20260118_V1_3.txt"))
    withExtendedLifetime(sandbox) {}
  }

  @Test
  func `of events lists the rows of new reports`() throws {
    let name = { (day: String) in "Subscription_Event_80012345_2026\(day)_V1_3.txt" }
    let event = { (day: String, count: String) in
      [
        "Event Date": "2026-\(day)", "Event": "Cancel", "Cancellation Reason": "Canceled",
        "Quantity": count,
      ]
    }
    let question = try Question("churn.churned_voluntary", where: [], from: [.events])
    let (sandbox, now, then) = try runs(
      of: question, [name("0105"): ReportText.event.with(event("01-05", "3")).bytes],
      then: [name("0107"): ReportText.event.with(event("01-07", "2")).bytes])
    let found = try difference(question, "2026-01", now, then)
    #expect(
      found.lines == [
        "1 came and 0 went, together 2, as churn.csv of both runs says: 5 (now), 3 (run 1); 1 in both is not listed"
      ])
    #expect(
      found.table.texts(["value", "fact", "because", "rows"]) == [
        "2", "came: lapse", "now: 2 events Cancel of 2026-01-07 with 2 paid periods",
        "Subscription_Event_80012345_20260107_V1_3.txt:2",
      ])
    withExtendedLifetime(sandbox) {}
  }
}
