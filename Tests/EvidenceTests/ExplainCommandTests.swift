import Evidence
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// A command of a page, such as `subreport explain churn.churned reports --source subscribers --month 2026-05`.
private struct PageCommandLine {
  let cell: String
  private let words: [String]

  init(_ line: String) throws {
    words = line.split(separator: " ").map(String.init)
    try #require(words.count > 2 && words[0] == "subreport" && words[1] == "explain", "\(line)")
    cell = words[2]
  }

  func values(_ option: String) -> [String] {
    zip(words, words.dropFirst()).compactMap { $0 == option ? $1 : nil }
  }
}

@Suite("The explain commands on pages")
struct ExplainCommandTests {
  private static func commands(
    _ page: String, from start: String, to end: String
  ) throws -> [PageCommandLine] {
    try PageReader.parts(of: page, from: start, to: end).map { try PageCommandLine($0) }
  }

  @Test
  func `stand below the main numbers of Subscriber reports, and the answers add up`() throws {
    let world = try SimulatedReports(
      seed: 31, subscribers: 80, to: "2026-06-10", kinds: [.subscriber])
    try expectAnswers(
      world, .subscribers,
      [
        "movement.close", "churn.churned", "renewals.renewal_rate", "trials.conversion_rate",
        "refunds.refund_rate", "proceeds.net_proceeds",
      ])
  }

  @Test
  func `stand below the main numbers of Subscription Event reports, and the answers add up`()
    throws
  {
    let world = try SimulatedReports(
      seed: 23, subscribers: 120, to: "2026-06-30", kinds: [.subscription, .subscriptionEvent])
    try expectAnswers(
      world, .events, ["movement.close", "churn.churned", "renewals.renewal_rate"])
  }

  private func expectAnswers(
    _ world: SimulatedReports, _ source: Source, _ cells: [String]
  ) throws {
    let sandbox = try world.sandbox()
    let outcome = try RunOutcome(sandbox)
    let inSummary = try Self.commands(
      outcome.text("summary.md"), from: "Explain: `", to: "`.")
    #expect(inSummary.map(\.cell) == cells)
    let onPage = try PageReader.parts(
      of: outcome.text("index.html"), from: "\"copy\">", to: "</code>"
    ).filter { $0.hasPrefix("subreport explain ") }.map { try PageCommandLine($0) }
    #expect(Set(onPage.map(\.cell)) == Set(inSummary.map(\.cell)))
    for command in inSummary + onPage {
      let question = try Question(
        command.cell, where: command.values("--where"), from: [source])
      #expect(command.values("--source") == [source.rawValue])
      let month = try #require(command.values("--month").first.flatMap { Month($0) })
      let result = carryOut([sandbox.path], views: [question.dimensions]) { plan in
        plan.sources = [source]
        plan.keepsCharges = source == .subscribers
        plan.keepsContext = source != .subscribers
      }
      let explanation =
        if let context = result.context {
          try Explanation(question, month: month, result, context)
        } else {
          try Explanation(question, month: month, result, try #require(result.charges))
        }
      #expect(explanation.holds, "\(command.cell): \(explanation.lines)")
    }
  }
}
