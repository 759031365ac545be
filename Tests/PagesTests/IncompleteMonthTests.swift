import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("What the pages say of months that are not complete, and of few subscriptions")
struct IncompleteMonthTests {
  // MARK: Net proceeds

  /// Reports of January to March 2026 with a yearly subscription, which makes churn of the first year `partial`.
  private static func firstMonths() -> [String: [UInt8]] {
    let yearly = [
      "Event Date": "2026-01-10", "Subscriber ID": "700000000000000002",
      "Subscription Name": "Yearly", "Subscription Apple ID": "1460000002",
      "Standard Subscription Duration": "1 Year", "Customer Price": "59.99",
      "Developer Proceeds": "41.99",
    ]
    let monthly = ["2026-01-05", "2026-02-05", "2026-03-05"].map { ["Event Date": $0] }
    let second = ["Event Date": "2026-03-07", "Subscriber ID": "700000000000000003"]
    return ReportText.daily(
      [yearly] + monthly + [second], from: "2026-01-01", to: "2026-03-31")
  }

  private static func netProceeds(_ outcome: RunOutcome) -> [String: String] {
    outcome.rows("headlines.csv").first { $0["figure"] == "net_proceeds" } ?? [:]
  }

  @Test
  func `net proceeds of whole months are compared where only churn is partial`() throws {
    let outcome = try RunOutcome(try ReportSandbox(Self.firstMonths()))
    let row = Self.netProceeds(outcome)
    #expect(row["month"] == "2026-03" && row["value"] == "13.98" && row["state"] == "partial")
    // The file compares a partial month with nothing.
    #expect(row["before"] == "" && row["before_same_age"] == "")
    let summary = outcome.text("summary.md")
    #expect(
      summary.contains("Net proceeds were 13.98 USD (+6.99), in brackets the change from February"),
      "\(summary)")
    #expect(
      summary.contains("| Net proceeds, USD | 13.98 | | | 6.99 | +6.99 |"), "\(summary)")
    // The state is that of churn, and says nothing of the amounts.
    let note =
      "Every day of net proceeds is there; `headlines.csv` has them as `partial`, the state of churn of `subscribers`."
    #expect(summary.contains(note) && !summary.contains("only because"), "\(summary)")
    #expect(summary.contains("| complete | subscribers |"), "\(summary)")
    #expect(outcome.text("index.html").contains("Every day of net proceeds is there;"))
    #expect(outcome.text("index.html").contains("<p class=\"note\">complete</p>"))
    #expect(outcome.text("index.html").contains("<p>+6.99 since February 2026 (6.99)</p>"))
  }

  @Test
  func `receipts without a country are named where a filter of countries leaves them out`() throws {
    let world = try SimulatedReports(
      seed: 23, subscribers: 200, to: "2026-05-31", kinds: [.receipts])
    let sentence = "Receipts that state no country are left out; those of verifyReceipt state none."
    let whole = try RunOutcome(try world.sandbox())
    #expect(!whole.text("summary.md").contains(sentence))
    let filtered = try RunOutcome(try world.sandbox()) { $0.filters.countries = ["US"] }
    #expect(filtered.text("summary.md").contains(sentence))
    #expect(filtered.text("index.html").contains(sentence))
  }

  @Test(arguments: ["20260220", "20260320"])
  func `net proceeds of a month with a missing day are compared with nothing`(
    missing: String
  ) throws {
    var files = Self.firstMonths()
    files["Subscriber_80012345_\(missing)_V1_3.txt"] = nil
    let outcome = try RunOutcome(try ReportSandbox(files))
    #expect(Self.netProceeds(outcome)["value"] == "13.98")
    let summary = outcome.text("summary.md")
    #expect(!summary.contains("+6.99"), "\(summary)")
    let isWhole = missing == "20260220"
    #expect(summary.contains("Every day of net proceeds is there") == isWhole, "\(summary)")
    // What missing days change is no chance, so no interval holds it.
    #expect(summary.contains("| 95 % interval |") == (missing == "20260220"), "\(summary)")
    #expect(summary.contains("partial, likely too low") == (missing == "20260320"), "\(summary)")
    #expect(!outcome.text("index.html").contains("+6.99 since"))
  }

  // MARK: Months without rows

  /// Reports of November 2025 to January 2026 with one subscription of six months, and no row in January.
  private static func withoutRows() -> [String: [UInt8]] {
    let trial = [
      "Event Date": "2025-12-05", "Subscription Offer Type": "Free Trial",
      "Subscription Offer Duration": "7 Days", "Customer Price": "0.00",
      "Developer Proceeds": "0.00", "Standard Subscription Duration": "6 Months",
    ]
    let paid = ["Event Date": "2025-12-12", "Standard Subscription Duration": "6 Months"]
    return ReportText.daily([trial, paid], from: "2025-11-01", to: "2026-01-31")
  }

  @Test
  func `a month without rows is final in files and has no data on pages`() throws {
    let outcome = try RunOutcome(try ReportSandbox(Self.withoutRows()))
    // METRICS.md: an empty day is not missing.
    let churn = outcome.rows("churn.csv").first { $0["month"] == "2026-01" }
    #expect(churn?["active_start"] == "1" && churn?["state"] == "final")
    let rows = outcome.rows("headlines.csv", source: "subscribers")
    #expect(rows.contains { $0["figure"] == "churn_rate" })
    #expect(rows.contains { $0["figure"] == "active" })
    for row in rows {
      #expect(row["month"] == "2026-01", "\(row)")
    }
    #expect(rows.first { $0["figure"] == "churn_rate" }?["state"] == "final")
    #expect(outcome.text("summary.md").contains("no data"))
  }

  @Test
  func `the first lines say which files of a month are empty and missing`() throws {
    var files = Self.withoutRows()
    let advice =
      "If there were sales, download these files again: until then no table has them, and `subscribers` counts their renewals as losses."
    // December has two days with rows, which is usual for an app that seldom sells.
    let seldom = try RunOutcome(try ReportSandbox(files)) { $0.asOf = Day("2025-12-31") }
      .text("summary.md")
    #expect(seldom.contains("No day of December 2025 is missing. In it: 29 empty days."))
    #expect(!seldom.contains("nearly no rows") && !seldom.contains(advice), "\(seldom)")
    let empty = try RunOutcome(try ReportSandbox(files)).text("summary.md")
    #expect(
      empty.contains("**January 2026 has no rows in `subscriber`: all 31 daily files are empty.**"))
    #expect(empty.contains(advice), "\(empty)")
    for day in 10...19 { files["Subscriber_80012345_202601\(day)_V1_3.txt"] = nil }
    let both = try RunOutcome(try ReportSandbox(files)).text("summary.md")
    #expect(
      both.contains(
        "**January 2026 has no rows in `subscriber`: 21 of 31 daily files are empty, 10 are missing.** \(advice)"
      ), "\(both)")
    #expect(!both.contains("are missing (2026-01-10"), "\(both)")
  }

  @Test
  func `a day counts once for each kind of report, in every place`() throws {
    var files = ReportText.daily(
      [["Event Date": "2026-01-05"], ["Event Date": "2026-02-05"]], from: "2026-01-01",
      to: "2026-02-28")
    for name in files.keys {
      files[name.replacing("Subscriber_", with: "Subscription_Event_")] = ReportText.event.bytes
    }
    files["Subscriber_80012345_20260110_V1_3.txt"] = nil
    let one = try RunOutcome(try ReportSandbox(files))
    #expect(one.text("summary.md").contains("1 day of `subscriber` is missing (2026-01-10)"))
    files["Subscription_Event_80012345_20260110_V1_3.txt"] = nil
    let both = try RunOutcome(try ReportSandbox(files))
    #expect(both.result.days.count(.missing) == 2)
    let line = try #require(
      PageReader.parts(of: both.text("summary.md"), from: "Data until", to: "\n").first)
    for kind in ["`subscriber`", "`subscription-event`"] {
      let named = line.split(separator: ". ").filter { $0.contains("missing (2026-01-10)") }
      #expect(named.contains { $0.contains(kind) }, "\(line)")
    }
    #expect(both.text("index.html").contains(": 2 days missing, "))
  }

  // MARK: Captions and titles

  @Test
  func `the steps of a month say that its data are not complete`() throws {
    let rows = ["2026-01-05", "2026-02-05"].map { ["Event Date": $0] }
    var files = ReportText.daily(rows, from: "2026-01-01", to: "2026-02-28")
    let complete = try RunOutcome(try ReportSandbox(files)).text("index.html")
    #expect(complete.contains("February 2026 began with 1 paid subscription;"))
    files["Subscriber_80012345_20260210_V1_3.txt"] = nil
    let incomplete = try RunOutcome(try ReportSandbox(files)).text("index.html")
    #expect(
      incomplete.contains(
        "February 2026, whose data are not complete, began with 1 paid subscription;"))
  }

  @Test
  func `the title of settlements alone has the last day of the newest period`() throws {
    let finance = try ReportSandbox(["detail.tsv": ReportText.financeDetail.with([:]).bytes])
    let outcome = try RunOutcome(finance)
    let title = "Settlements until 2026-01-31 (FY2026-P04)"
    #expect(outcome.text("summary.md").hasPrefix("# \(title)\n"))
    #expect(outcome.text("index.html").contains("<h1>\(title)</h1>"))
  }

  @Test(arguments: [[WorldOptions.ReportKind.subscriber], [.subscription, .subscriptionEvent]])
  func `the first place with the word lapse says what it means`(
    kinds: [WorldOptions.ReportKind]
  ) throws {
    let world = try SimulatedReports(
      seed: 23, subscribers: 200, to: "2026-05-31", kinds: Set(kinds))
    let outcome = try RunOutcome(try world.sandbox())
    // Of events it is Apple's word.
    let meanings = [
      "no charge followed in time", "is Apple's event `Cancel`", "no charge within 60 days",
      "a Cancel event at the end of a paid period",
    ]
    let hasMeaning = { (text: Substring) in meanings.contains { text.contains($0) } }
    let lines = outcome.text("summary.md").split(separator: "\n")
    // The column `lapsed` stands right above its meaning.
    let first = try #require(
      lines.firstIndex { $0.contains("lapse") && !$0.hasPrefix("|") })
    #expect(hasMeaning(lines[first]), "\(lines[first])")
    let page = outcome.text("index.html")
    let main = try #require(PageReader.parts(of: page, from: "<main", to: "</main>").first)
    let places = ["lapse", "Lapse"].compactMap { main.firstRange(of: $0)?.lowerBound }
    let paragraph = main[try #require(places.min())...].prefix { $0 != "<" }
    #expect(hasMeaning(paragraph), "\(paragraph)")
  }

  @Test
  func `the reasons of a month that can still change say so`() throws {
    let world = try SimulatedReports(
      seed: 23, subscribers: 200, to: "2026-05-31", kinds: [.receipts])
    let outcome = try RunOutcome(try world.sandbox())
    // Receipts of the last day end before it is over.
    let churn = try #require(outcome.rows("churn.csv").first { $0["month"] == "2026-04" })
    #expect(churn["state"] == "provisional")
    let sentence = try #require(
      PageReader.parts(of: outcome.text("index.html"), from: "<p>In April 2026 of ", to: "</p>")
        .first { $0.contains(" churned: ") })
    #expect(sentence.hasSuffix(" These numbers can still change."), "\(sentence)")
  }

  // MARK: Few at risk

  @Test
  func `curves and tables say from where on few were at risk`() throws {
    // Two periods of a month have at least 30 at risk, and no period of a week has.
    let world = try SimulatedReports(
      seed: 2, subscribers: 300, from: "2025-06-01", to: "2026-03-31", kinds: [.subscriber])
    let outcome = try RunOutcome(try world.sandbox()) { plan in
      plan.retentionViews = [[.startMonth, .duration], [.product, .duration]]
    }
    let page = outcome.text("index.html")
    let rows = outcome.rows("retention-by-duration.csv", source: "subscribers")
      .filter { $0["duration"] == "1 Month" }
    let counts = rows.map { (k: $0["k"] ?? "", atRisk: Int($0["at_risk"] ?? "") ?? 0) }
    let few = try #require(counts.first { $0.atRisk < 30 })
    let enough = try #require(counts.last { $0.atRisk >= 30 })
    let captions = PageReader.parts(of: page, from: "<p>Of all ", to: "</p>")
    let end = "fewer than 30 were at risk: too few to tell."
    #expect(
      captions.contains {
        $0.contains(" through \(enough.k). From period \(few.k) on \(end)")
      }, "\(captions)")
    let weeks = outcome.rows("retention-by-duration.csv", source: "subscribers")
      .filter { $0["duration"] == "7 Days" }
    #expect(!weeks.isEmpty && weeks.allSatisfy { (Int($0["at_risk"] ?? "") ?? 30) < 30 })
    #expect(captions.contains { $0.contains(" In all periods \(end)") }, "\(captions)")
    #expect(outcome.text("summary.md").contains("fewer than 30 were at risk, too few to tell."))
    // The file has only what METRICS.md defines.
    #expect(!outcome.text("retention-by-duration.csv").contains("too few"))
  }

  @Test
  func `rows with few at risk are counted`() {
    let note = { (counts: [Int]) in
      ReportTable(
        name: "retention", dimensions: [], columns: [.init("at_risk", .count)],
        rows: counts.map { [.count($0)] }
      ).noteOnFewAtRisk
    }
    let end = "fewer than 30 were at risk, too few to tell"
    #expect(note([30, 29, 1]) == "in 2 of 3 rows \(end)")
    #expect(note([3, 1]) == "in all rows \(end)")
    #expect(note([3]) == "in the row \(end)")
    #expect(note([31, 30]).isEmpty && note([]).isEmpty)
    let other = ReportTable(
      name: "churn", dimensions: [], columns: [.init("churned", .count)], rows: [[.count(1)]])
    #expect(other.noteOnFewAtRisk.isEmpty)
  }
}
