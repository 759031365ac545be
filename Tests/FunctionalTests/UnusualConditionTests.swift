import Glibc
import SubreportTestSupport
import Testing

/// Counts anew what `--fail-if` compares a month with: METRICS.md section 11, "Conditions".
@Suite("--fail-if with earlier months")
struct UnusualConditionTests {
  /// Fourteen months of events, of which the last has a price increase that one product's customers leave.
  private static let base = Result { try world() }

  private static func world() throws -> Sandbox {
    let sandbox = try Sandbox()
    let increase = ["--price-increase", "Plus Monthly,US,2026-02-01,9.99,0.6"]
    let words =
      "simulate -o in --subscribers 500 --from 2025-01-01 --to 2026-02-28 --clean --kind subscription --kind subscription-event"
    let run = try Program.run(words.split(separator: " ").map(String.init) + increase, in: sandbox)
    try #require(run.status == 0, "\(run.errors)")
    removeTree(sandbox.work + "/in/truth")
    return sandbox
  }

  private func run(_ condition: String, _ options: String = "", in sandbox: Sandbox) throws
    -> (status: Int32, said: [String])
  {
    let words = "churn in -o out.csv --fail-if".split(separator: " ").map(String.init)
    let more = options.split(separator: " ").map(String.init)
    let run = try Program.run(words + [condition] + more, in: sandbox)
    let said = run.errors.split(separator: "\n").map(String.init)
    return (run.status, said.filter { !$0.hasPrefix("note: as of ") })
  }

  @Test
  func `unusual is what departs from twelve months by more than they differ`() throws {
    let sandbox = try Sandbox(copyOf: Self.base.get())
    let table = try sandbox.run(
      "churn in --all-months -q -f csv --columns month,churned,active_start")
    let rows = table.lines.dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).dropFirst().map {
        Double($0) ?? 0
      }
    }
    let (last, earlier) = (rows[rows.count - 1], rows.dropLast().suffix(12))
    try #require(earlier.count == 12 && earlier.allSatisfy { $0[1] > 0 }, "\(table.output)")
    let (lost, active) = (earlier.map { $0[0] }.reduce(0, +), earlier.map { $0[1] }.reduce(0, +))
    let rate = lost / active
    let squares = earlier.map { pow($0[0] - $0[1] * rate, 2) / ($0[1] * rate * (1 - rate)) }
    let dispersion = max(1, squares.reduce(0, +) / 11)
    let difference = last[0] / last[1] - rate
    let now = wilson(last[0] / last[1], last[1] / dispersion)
    let then = wilson(rate, active / dispersion)
    let low = difference - hypot(last[0] / last[1] - now.low, then.high - rate)
    let high = difference + hypot(now.high - last[0] / last[1], rate - then.low)
    let found = try run("churn_rate@events unusual", in: sandbox)
    #expect(found.status == 1 && found.said.count == 1)
    let line = try #require(found.said.first)
    #expect(line.hasPrefix("churn_rate@events is "))
    #expect(
      line.contains(" (\(Int(last[0])) of \(Int(last[1]))) in 2026-02, source events; unusual: "))
    #expect(
      line.contains(
        "the last 12 known months before have \(text(rate)) (\(Int(lost)) of \(Int(active)))"))
    #expect(line.contains("the difference is \(text(low)) to \(text(high)) at 99 %"), "\(line)")

    // The month before is none, and in the first months too few are known to say.
    #expect(try run("churn_rate unusual", "--as-of 2026-01-31", in: sandbox) == (0, []))
    let early = try run("churn_rate unusual", "--as-of 2025-07-31", in: sandbox)
    #expect(
      early
        == (
          0,
          [
            "note: churn_rate unusual: not checked in 2025-07: events: of the 12 months before 5 are known and not partial; it takes 6"
          ]
        ))
  }

  @Test
  func `previous is the month before`() throws {
    let sandbox = try Sandbox(copyOf: Self.base.get())
    // 36 of 206 after 8 of 194, which is 4.24 times as much.
    let more = try run("churn_rate > 4.2 * previous", in: sandbox)
    #expect(more.status == 1)
    #expect(
      more.said == [
        "churn_rate is 0.174757 (36 of 206) in 2026-02, source events; the month before has 0.041237 (8 of 194), the condition is churn_rate > 4.2 * previous; see subreport drivers --month 2026-02 [fail-if]"
      ])
    #expect(try run("churn_rate > 4.3 * previous", in: sandbox) == (0, []))
    #expect(try run("churned>previous", in: sandbox).status == 1)
    #expect(
      try run("churn_rate > previous", "--as-of 2025-02-28", in: sandbox)
        == (
          0,
          [
            "note: churn_rate > previous: not checked in 2025-02: events: 2025-01 is partial or not known"
          ]
        ))
  }

  private func wilson(_ p: Double, _ n: Double) -> (low: Double, high: Double) {
    let z = 2.575829
    let center = (p + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    return (center - half, center + half)
  }

  /// Returns a number with six decimals.
  private func text(_ number: Double) -> String {
    let millionths = Int((number * 1e6).rounded())
    let digits = String(abs(millionths) % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - digits.count)
    return "\(millionths < 0 ? "-" : "")\(abs(millionths) / 1_000_000).\(zeros)\(digits)"
  }
}
