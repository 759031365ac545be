import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("The first sentences and the headline numbers")
struct FirstSentenceTests {
  // MARK: Sentences

  /// Returns the sentences about churn: from the churn rate to net proceeds.
  private static func churn(_ summary: String) throws -> String {
    try #require(PageReader.parts(of: summary, from: " churned: ", to: "Net proceeds").first)
  }

  @Test
  func `name product and country apart where chance does not explain the change of churn`() throws {
    let events = { (count: Int) in Array(repeating: EventReports.canceled, count: count) }
    let sandbox = try EventReports.sandbox(["2026-01-10": events(2), "2026-02-12": events(30)])
    try EventReports.write(
      snapshots: ["20251231": 100, "20260131": 100, "20260228": 70], to: sandbox)
    let page = try RunOutcome(sandbox).text("summary.md")
    #expect(
      page.contains(
        "30 canceled by the customer (2 in January 2026). Parts that raised it by more than chance, in points (one in twenty is so by chance): by product Monthly +28.00; by country US +28.00."
      ), "\(page)")
    #expect(page.contains("| +28.00 points | more than chance |"), "\(page)")
  }

  @Test(arguments: histories(6, from: 540))
  func `name the parts of churn that chance seldom makes, where it does not explain the whole`(
    seed: UInt64
  ) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 400, to: "2026-05-31",
      kinds: [.subscription, .subscriptionEvent])
    let outcome = try RunOutcome(try world.sandbox())
    let sentences = try Self.churn(outcome.text("summary.md"))
    let headline = try #require(
      outcome.rows("headlines.csv").first { $0["figure"] == "churn_rate" })
    #expect(!sentences.contains(" unknown +") && !sentences.contains(" unknown -"))
    guard let now = Double(headline["value"] ?? ""),
      let before = Double(headline["before_same_age"] ?? "")
    else { return }
    let verdict =
      PageReader.parts(of: sentences, from: "at the same age (", to: "chance explains").first ?? ""
    let drivers = outcome.rows("drivers.csv").filter {
      $0["measure"] == "churn_rate" && $0["against"] == "2026-04"
    }
    for dimension in ["product", "country"] {
      let named = drivers.filter { row in
        guard row["dimension"] == dimension, let value = row["value"], !value.isEmpty,
          value != "(not in the view)", let low = Double(row["low"] ?? ""),
          let high = Double(row["high"] ?? ""), let total = Double(row["total"] ?? "")
        else { return false }
        return (low > 0 || high < 0) && (total > 0) == (now > before)
      }
      let isNamed = sentences.contains("by \(dimension) ")
      #expect(isNamed == (verdict.hasSuffix("more than ") && !named.isEmpty), "\(sentences)")
      guard isNamed, let first = named.first?["value"] else { continue }
      #expect(sentences.contains("by \(dimension) \(first) "), "\(sentences)")
    }
  }

  @Test(arguments: histories(4, from: 550))
  func `say how many may still come back, and why they left or that it is not known`(
    seed: UInt64
  ) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 300, from: "2024-06-01", to: "2026-05-31", kinds: [.subscriber])
    let outcome = try RunOutcome(try world.sandbox())
    let summary = outcome.text("summary.md")
    let row = try #require(outcome.rows("churn.csv").first { $0["month"] == "2026-05" })
    let commitments = outcome.rows("commitments.csv", source: "subscribers")
    let churned = row["churned"] ?? ""
    if row["state"] == "provisional", let open = row["churned_provisional"], open != "0" {
      let hasInstalment = commitments.contains { $0["month"] == "2026-05" && $0["pending"] != "0" }
      let last = hasInstalment ? "2026-08-29" : "2026-07-30"
      #expect(
        summary.contains(
          "\(open) of the \(churned) may still come back (until \(last) at the latest)."),
        "\(summary)")
    }
    if row["churned_unknown"] != "0" {
      let refunded = row["churned_refund"] ?? "0"
      let start =
        refunded == "0"
        ? "Why they left" : "\(refunded) of the \(churned) ended by a refund; why the others left"
      #expect(
        summary.contains(
          "\(start) is not known: Subscription Event reports and receipts have reasons."),
        "\(summary)")
    }
    let begun = outcome.rows("churn-by-start_month.csv").first {
      $0["month"] == "2026-05" && $0["start_month"] == "2026-05" && $0["churned"] != "0"
    }
    let sentence = "of the \(churned) had begun in the month."
    let count = begun.flatMap { $0["churned"] }
    #expect(summary.contains(sentence) == (count != nil), "\(summary)")
    if let count { #expect(summary.contains("\(count) \(sentence)"), "\(summary)") }
  }

  @Test(arguments: histories(3, from: 570))
  func `give the reasons of events where the headline source has none`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 300, from: "2024-06-01", to: "2026-05-31",
      kinds: [.subscriber, .subscriptionEvent])
    let outcome = try RunOutcome(try world.sandbox())
    let summary = outcome.text("summary.md")
    let rows = outcome.rows("churn.csv").filter { $0["month"] == "2026-05" }
    let own = try #require(rows.first { $0["source"] == "subscribers" })
    let events = try #require(rows.first { $0["source"] == "events" })
    guard own["churned_unknown"] != "0", let canceled = events["churned_voluntary"], canceled != "0"
    else { return }
    let known = "is not known: the source events counts \(canceled) canceled by the customer"
    #expect(summary.contains(known), "\(summary)")
  }

  @Test
  func `name parts in the direction of a change first, and nothing that is unknown`() {
    let names = { (parts: [(String, Int)]) in
      HeadlineWords.named(parts.map { (name: $0.0, change: $0.1) }).map(\.name)
    }
    // Of a fall by 3, of which the two largest parts are rises.
    #expect(
      names([("A", 4), ("B", 4), ("C", -3), ("D", -3), ("E", -3), ("F", -2)]) == ["C", "D", "A"])
    #expect(names([("A", -7), ("B", 5), ("C", 4), ("D", 3), ("E", 3)]) == ["B", "C", "A"])
    #expect(names([("A", 3), ("B", -2), ("C", -1)]) == ["A", "B", "C"])
    // A fourth name takes no more room than the sum of the others.
    #expect(names([("A", 4), ("B", 3), ("C", 2), ("D", -1)]) == ["A", "B", "C", "D"])
    #expect(names([("", 28), ("JP", 1), ("UA", -1), ("DE", 1), ("US", 1)]) == ["JP", "DE", "UA"])
    #expect(names([("", 28)]).isEmpty && names([]).isEmpty)
  }

  // MARK: The table

  @Test
  func `stand in a table with the verdict on chance, and the trials that are not decided`()
    throws
  {
    let world = try SimulatedReports(
      seed: 23, subscribers: 400, from: "2024-12-01", to: "2026-05-31", kinds: [.subscriber])
    let outcome = try RunOutcome(try world.sandbox())
    let page = outcome.text("summary.md")
    let header = try #require(page.split(separator: "\n").first { $0.hasPrefix("| number |") })
    #expect(header.contains("| April 2026, same age | change | explained by |"), "\(header)")
    #expect(header.contains("| May 2025, same age | change in a year |"), "\(header)")
    let lines = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
    let renewals = try #require(lines.first { $0.hasPrefix("| Renewal rate |") })
    let verdicts = ["| chance |", "| more than chance |", "| not tested |"]
    #expect(verdicts.contains { renewals.contains($0) }, "\(renewals)")
    let trials = try #require(outcome.rows("trials.csv").first { $0["month"] == "2026-05" })
    let pending = try #require(trials["pending"].flatMap { Int($0) })
    let all = try #require(trials["trials"].flatMap { Int($0) })
    let conversion = try #require(lines.first { $0.hasPrefix("| Trial conversion |") })
    #expect(conversion.contains(", \(pending) undecided |") == (2 * pending > all), "\(conversion)")
    let index = outcome.text("index.html")
    #expect(index.contains(", \(pending) undecided</p>") == (2 * pending > all))
    // The lines of tiles compare months of different ages, and say so.
    #expect(trials["state"] != "provisional" || index.contains(" in 2026-05 (can still change)."))
  }
}
