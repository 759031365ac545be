import Explain
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
    words = shellWords(line)
    try #require(words.count > 2 && words[0] == "subreport" && words[1] == "explain", "\(line)")
    cell = words[2]
  }

  func values(_ option: String) -> [String] {
    zip(words, words.dropFirst()).compactMap { $0 == option ? $1 : nil }
  }
}

@Suite("The explain commands on pages")
struct ExplainCommandTests {
  private static let views =
    usualViews + [[.duration], [.startMonth, .duration], [.product, .duration]]

  @Test
  func `stand below the main numbers of Subscriber reports, and the answers add up`() throws {
    let world = try SimulatedReports(
      seed: 31, subscribers: 80, to: "2026-06-10", kinds: [.subscriber])
    try expectAnswers(
      world.sandbox(), .subscribers,
      [
        "movement.close_observed", "churn.churned", "retention.survival", "trials.conversion_rate",
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
      world.sandbox(), .events,
      ["movement.close_observed", "churn.churned", "retention.survival"])
  }

  @Test
  func `stand below each price increase, and the answers add up`() throws {
    let cells = try expectAnswers(
      ReportSandbox(IncreaseWorld(seed: 1).files), .subscribers, ["price_impact.observed_loss"])
    // Once in summary.md, once on the page.
    #expect(cells.count { $0.hasPrefix("price_impact.") } == 2, "\(cells)")
  }

  @Test
  func `name a file of increases only where numbers depend on it`() {
    var plan = RunPlan(inputs: ["reports"], views: [[]], jobs: 1)
    let file = GivenOptions.Option(
      "--price-changes", ["my increases.csv"], commands: ["explain", "price-impact"])
    plan.given = GivenOptions(inputs: ["reports"], options: [file])
    let command = PageCommand(plan)
    #expect(
      command.line("explain", of: "price_impact.reached")
        == "subreport explain price_impact.reached reports --price-changes 'my increases.csv'")
    #expect(
      command.line("explain", of: "churn.churned") == "subreport explain churn.churned reports")
    #expect(
      command.line("price-impact")
        == "subreport price-impact reports --price-changes 'my increases.csv'")
  }

  /// Expects the commands for some cells in `summary.md`, and right answers to all commands of both pages.
  ///
  /// - Returns: The cells of all commands.
  @discardableResult
  private func expectAnswers(
    _ sandbox: ReportSandbox, _ source: Source, _ cells: [String]
  ) throws -> [String] {
    let outcome = try RunOutcome(sandbox, views: Self.views) { $0.prices = PricePlan() }
    // Of several currencies the command has one, and says which.
    let summary = outcome.text("summary.md")
      .replacing(/Every row behind it \([^)]*\):/, with: "Every row behind it:")
    let inSummary = try PageReader.parts(
      of: summary, from: "Every row behind it: `subreport explain", to: "`."
    ).map { try PageCommandLine("subreport explain" + $0) }
    let ofSummary = inSummary.map(\.cell)
    #expect(ofSummary.filter(cells.contains) == cells, "\(ofSummary)")
    let onPage = try PageReader(outcome.text("index.html")).commands("subreport explain ").map {
      try PageCommandLine($0)
    }
    #expect(Set(onPage.map(\.cell)).isSuperset(of: ofSummary))
    for command in inSummary + onPage {
      #expect(command.values("--source") == [source.rawValue])
      let failures = try withExtendedLifetime(sandbox) {
        try Self.failures(command, [sandbox.path], source)
      }
      #expect(failures == [], "\(command)")
    }
    return ofSummary + onPage.map(\.cell)
  }

  /// Returns the sums and formulas of an answer that do not give the number.
  private static func failures(
    _ command: PageCommandLine, _ inputs: [String], _ source: Source
  ) throws -> [String] {
    let conditions = command.values("--where")
    let run = { (views: [[Dimension]], prices: PricePlan?) in
      carryOut(inputs, views: views) { plan in
        plan.sources = [source]
        plan.keepsCharges = source == .subscribers
        plan.keepsContext = source != .subscribers
        plan.prices = prices
      }
    }
    if ExplainedTable.priceImpact.isAsked(command.cell) {
      return try Explanation(
        Question(command.cell, about: .priceImpact, where: conditions), run([[]], PricePlan())
      ).failures
    }
    // Retention has no months; its answer does not depend on the month.
    let isOfMonth = !command.cell.hasPrefix("retention.")
    #expect(command.values("--month").count == (isOfMonth ? 1 : 0))
    let asked = command.values("--month").first.flatMap { Month($0) }
    if ExplainedTable.drivers.isAsked(command.cell) {
      let question = try Question(command.cell, about: .drivers, where: conditions)
      let splits = question.splitOfDrivers.map { [$0] } ?? []
      let result = run([[]] + splits.compactMap(\.dimension).map { [$0] }, nil)
      let month = try #require(asked)
      let maker = result.headlineMaker(try result.tables(HeadlineMaker.tables), month: month)
      let drivers = maker.drivers(against: [month - 1], by: splits)
      return try Explanation(question, drivers, maker, result).failures
    }
    let question = try Question(command.cell, where: conditions, from: [source])
    let result = run([question.dimensions], nil)
    let month = try #require(asked ?? result.lastCompleteMonth())
    return try Explanation(question, month: month, result).failures
  }
}
