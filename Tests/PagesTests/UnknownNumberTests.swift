import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Numbers on the pages that are not known")
struct UnknownNumberTests {
  @Test
  func `tells shares of few, shares that are not known and 0 apart in a heat map`() throws {
    let world = try SimulatedReports(
      seed: 23, subscribers: 400, to: "2026-06-30", kinds: [.subscriber])
    let outcome = try RunOutcome(try world.sandbox()) { plan in
      plan.retentionViews = [[.startMonth, .duration], [.product, .duration]]
    }
    let page = outcome.text("index.html")
    #expect(page.contains("Empty, in the table –: not known, because no subscription was at risk"))
    #expect(page.contains("Grey: fewer than 30 at risk, too few to tell;"))
    let map = try #require(PageReader(page).figures.first { $0.id.hasPrefix("heat-") })
    let cells = map.rows.flatMap { $0.dropFirst() }
    #expect(cells.contains("–"))
    let few = cells.filter { $0.contains("% of ") }
    #expect(!few.isEmpty)
    #expect(few.allSatisfy { $0.split(separator: " ").last.flatMap { Int($0) } ?? 30 < 30 })
    #expect(cells.allSatisfy { $0 == "–" || $0.hasSuffix("%") || few.contains($0) })
  }

  @Test
  func `have no conversion rate of trials of which none is decided`() throws {
    let trial = [
      "Subscription Offer Type": "Free Trial", "Subscription Offer Duration": "7 Days",
      "Customer Price": "0.00", "Developer Proceeds": "0.00",
    ]
    let rows = [
      trial.merging(["Event Date": "2026-01-03"]) { $1 },
      ["Event Date": "2026-01-10"], ["Event Date": "2026-02-10"],
      trial.merging(["Event Date": "2026-02-22", "Subscriber ID": "700000000000000002"]) { $1 },
    ]
    let sandbox = try ReportSandbox(
      ReportText.daily(rows, from: "2026-01-01", to: "2026-02-28"))
    let outcome = try RunOutcome(sandbox)
    let csv = outcome.rows("trials.csv")
    #expect(csv.map { $0["pending"] } == ["0", "1"])
    #expect(csv.map { $0["conversion_rate"] } == ["1.000000", "0.000000"])
    let page = outcome.text("index.html")
    let figure = try #require(PageReader(page).figures.first { $0.id == "trials" })
    let place = try #require(figure.columns.firstIndex(of: "conversion_rate"))
    #expect(figure.rows.map { $0[place] } == ["100.00%", "not decided yet"])
    #expect(page.contains("In February 2026 of 1 trial: 1 not decided yet."))
    #expect(page.contains("where none is decided, it is not known."))
    #expect(!page.contains("Conversion rate was 0.00%"))
  }

  @Test
  func `are those of instalments to come of terms that began before the data`() throws {
    let rows = (0..<4).flatMap { number in
      ["2026-06-05", "2026-07-05", "2026-08-05"].map { day in
        [
          "Event Date": day, "Subscriber ID": String(710_000_000_000_000_000 + number),
          "Subscription Name": "Yearly", "Subscription Apple ID": "1460000003",
          "Standard Subscription Duration": "1 Year", "Customer Price": "8.99",
        ]
      }
    }
    let sandbox = try ReportSandbox(
      ReportText.daily(rows, from: "2026-06-01", to: "2026-08-31"))
    let outcome = try RunOutcome(sandbox)
    let csv = try #require(outcome.rows("commitments.csv").last)
    #expect(csv["running"] == "4" && csv["position_unknown"] == "4")
    // METRICS.md: such terms are in no other column.
    #expect(csv["remaining"] == "0" && csv["remaining_price"] == "0.00")
    let summary = outcome.text("summary.md")
    #expect(summary.contains("| USD | 4 | not known | not known | not known | partial |"))
    let reason = "4 terms began before the data: how many instalments are to come is not known"
    #expect(summary.contains(reason))
    let page = outcome.text("index.html")
    #expect(page.contains("<h3>Instalments to come</h3>"))
    #expect(page.contains(reason))
  }
}
