import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("summary.md")
struct SummaryPageTests {
  private static let views: [[Dimension]] = [
    [], [.startMonth], [.product], [.country], [.offer], [.app],
  ]

  private static func lines(_ text: String) -> Int { text.count { $0 == "\n" } }

  @Test
  func `has at most 200 lines for forty apps with ten products and twenty currencies`() throws {
    let sandbox = try ReportSandbox()
    let currencies = (0..<20).map { "C\(Character(UnicodeScalar(UInt8(65 + $0))))C" }
    let first = try #require(Day("2026-01-01"))
    for day in (0..<120).map({ first + $0 }) where day.description.hasSuffix("5") {
      var report = ReportText.subscriber
      for number in 0..<400 {
        let (app, product) = (number % 40, number % 10)
        report = report.with([
          "Event Date": day.description, "App Name": "App \(app)", "App Apple ID": "14500\(app)",
          "Subscription Name": "Product \(product) of \(app)",
          "Subscription Apple ID": "146\(app)0\(product)", "Subscriber ID": "70000000\(number)",
          "Customer Currency": currencies[number % 20],
          "Proceeds Currency": currencies[number % 20],
          "Country": ["US", "DE", "FR", "GB", "JP"][number % 5],
        ])
      }
      let name = day.description.filter { $0 != "-" }
      try sandbox.write("Subscriber_80012345_\(name)_V1_3.txt", report.text)
    }
    let outcome = try RunOutcome(sandbox, views: Self.views) {
      $0.omitsViewOfOneApp = true
      $0.prices = PricePlan()
    }
    let page = outcome.text("summary.md")
    #expect(Self.lines(page) <= 200, "\(Self.lines(page))")
    #expect(page.contains("## What the numbers mean"))
    #expect(page.contains("by start month, product, country, offer, app: `churn-by-"))
  }

  @Test
  func `has at most 200 lines with reports, receipts and every fault`() throws {
    let sandbox = try SimulatedReports(
      seed: 17, subscribers: 200, to: "2026-05-31", faults: true,
      kinds: Set(WorldOptions.ReportKind.usual)
    ).sandbox()
    for number in 0..<40 {
      try sandbox.write("broken/Subscriber_\(number).txt", "Event Date\tSubscriber ID\tOther\n")
    }
    let page = try RunOutcome(sandbox, views: Self.views) { $0.prices = PricePlan() }
      .text("summary.md")
    #expect(Self.lines(page) <= 200, "\(Self.lines(page))")
  }

  @Test
  func `says which reports a churn rate needs`() throws {
    let sales = try ReportSandbox(["S_D_80012345_20260105.txt": ReportText.sales.with([:]).bytes])
    let ofSales = try RunOutcome(sales).text("summary.md")
    #expect(
      ofSales.contains(
        "**No churn rate:** Sales reports do not say who stayed; add Subscriber reports,"))
    let events = try ReportSandbox([
      "Subscription_Event_80012345_20260105_V1_3.txt": ReportText.event.with([:]).bytes
    ])
    let ofEvents = try RunOutcome(events).text("summary.md")
    #expect(ofEvents.contains("add the Subscription report of 2025-12-31, or Subscriber reports."))
    let finance = try ReportSandbox(["detail.tsv": ReportText.financeDetail.with([:]).bytes])
    let ofFinance = try RunOutcome(finance).text("summary.md")
    #expect(ofFinance.contains("**No churn rate:** settlements do not say who stayed;"))
  }

  @Test
  func `says of a month without rows that its losses may not have happened`() throws {
    let sandbox = try ReportSandbox()
    let usual = ReportText.subscriber
    let first = try #require(Day("2025-12-01"))
    for day in (0..<62).map({ first + $0 }) {
      let rows = usual.with(["Event Date": day.description, "Subscriber ID": "7\(day.number)"])
      let name = day.description.filter { $0 != "-" }
      try sandbox.write(
        "Subscriber_80012345_\(name)_V1_3.txt",
        day.description.hasPrefix("2025") ? rows.bytes : usual.bytes)
    }
    let outcome = try RunOutcome(sandbox)
    let page = outcome.text("summary.md")
    #expect(
      page.contains("**January 2026 has no rows in `subscriber`: all 31 daily files are empty.**"),
      "\(page)")
    #expect(!page.contains("No day of January 2026 is missing"), "\(page)")
    let why = "is not known: all Subscriber reports of January 2026 are empty"
    #expect(
      page.contains("How many subscriptions were active and how many churned \(why)"), "\(page)")
    #expect(
      !page.contains("chance explains") && !page.contains("fewer than at its beginning"), "\(page)")
    for label in ["Active subscriptions", "Net change", "Churn rate"] {
      #expect(page.contains("| \(label) | no data | no rows | subscribers |"), "\(page)")
    }
    #expect(!page.contains("Not complete in this month"), "\(page)")
    let index = outcome.text("index.html")
    #expect(index.contains("<p class=\"number\">no data</p>"))
    #expect(
      index.contains("<p class=\"state\">all Subscriber reports of January 2026 are empty</p>"))
    let before = try RunOutcome(sandbox) { $0.asOf = Day("2025-12-31") }.text("summary.md")
    #expect(!before.contains("has no rows in") && !before.contains("no data"))
  }

  @Test
  func `says of nearly all reports without rows that the losses may not have happened`() throws {
    let sandbox = try ReportSandbox()
    let usual = ReportText.subscriber
    let first = try #require(Day("2025-12-01"))
    for day in (0..<62).map({ first + $0 }) {
      let rows = usual.with(["Event Date": day.description, "Subscriber ID": "7\(day.number)"])
      let name = day.description.filter { $0 != "-" }
      let hasRows = day.description.hasPrefix("2025") || day.description == "2026-01-31"
      try sandbox.write(
        "Subscriber_80012345_\(name)_V1_3.txt", hasRows ? rows.bytes : usual.bytes)
    }
    let page = try RunOutcome(sandbox).text("summary.md")
    #expect(
      page.contains(
        "**January 2026 has nearly no rows in `subscriber`: 30 of 31 daily files are empty.**"),
      "\(page)")
    #expect(page.contains(", but nearly all reports of the month have no rows."), "\(page)")
    #expect(!page.contains("no data") && !page.contains("chance explains"), "\(page)")
  }

  @Test
  func `takes active subscriptions from snapshots in a month without events`() throws {
    let sandbox = try EventReports.sandbox(["2026-01-10": [EventReports.canceled]])
    try EventReports.write(snapshots: ["20251231": 10, "20260131": 9, "20260228": 9], to: sandbox)
    let page = try RunOutcome(sandbox).text("summary.md")
    #expect(
      page.contains(
        "there were 9 active subscriptions, as many as at its beginning. How many subscriptions churned is not known: all Subscription Event reports of February 2026 are empty."
      ), "\(page)")
    #expect(page.contains("| Churn rate | no data |"), "\(page)")
  }

  @Test
  func `has everything that narrows the run in its title`() throws {
    let sandbox = try ReportSandbox([
      "Subscriber_80012345_20260105_V1_3.txt": ReportText.subscriber.with([:]).bytes
    ])
    let page = try RunOutcome(sandbox) { plan in
      plan.sources = [.subscribers]
      plan.filters.countries = ["US"]
      plan.asOf = Day("2026-01-05")
      plan.monthSystem = .fiscal
    }.text("summary.md")
    let title = page.prefix { $0 != "\n" }
    #expect(
      title.hasSuffix(
        "(source subscribers; only country US; as of 2026-01-05; Apple's fiscal periods)"),
      "\(title)")
  }

  @Test
  func `refuses a preferred source without data, and names those that have`() throws {
    let sandbox = try ReportSandbox([
      "Subscriber_80012345_20260105_V1_3.txt": ReportText.subscriber.with([:]).bytes
    ])
    let why = { (change: (inout RunPlan) -> Void) in
      carryOut([sandbox.path], change: change).primaryWithoutData
    }
    #expect(why { $0.primary = .subscribers } == nil)
    #expect(why { _ in } == nil)
    #expect(
      why { $0.primary = .receipts }
        == "the input has no data of receipts; those that have: subscribers")
    let leftOut = why { plan in
      plan.primary = .receipts
      plan.sources = [.subscribers]
    }
    #expect(leftOut == "--source leaves it out")
  }

  @Test
  func
    `takes the parts of active subscriptions from the same count, and names the source of others`()
    throws
  {
    let sandbox = try EventReports.sandbox([
      "2026-01-10": [EventReports.canceled],
      "2026-02-12": [EventReports.canceled, EventReports.canceled],
    ])
    // Snapshots gain 3 in February; events lose 2.
    try EventReports.write(snapshots: ["20251231": 10, "20260131": 9, "20260228": 12], to: sandbox)
    let outcome = try RunOutcome(sandbox)
    let page = outcome.text("summary.md")
    #expect(
      page.contains(
        "there were 12 active subscriptions, 3 more than at its beginning: Monthly +3. 2 of 9 churned:"
      ), "\(page)")
    #expect(
      page.contains("2 canceled by the customer (1 in January 2026)"), "\(page)")
    #expect(
      page.contains(
        "The parts of active subscriptions add up to -2 and not to the +3 of the headline number: they compare what each month's events lead to (`close` of movement),"
      ), "\(page)")
    #expect(page.contains("no event reports. So a part can differ from the one in the first"))
    #expect(
      page.contains(
        "`close_observed` is Apple's count; no event explains its difference of +5 from `close`."),
      "\(page)")
    #expect(
      outcome.text("index.html").contains(
        "The parts of active subscriptions add up to -2 and not to the +3 of the headline number"))
    #expect(
      page.contains(
        "12.22 points more than in January 2026 at the same age (as it was known at its end), within"
      ), "\(page)")
  }

  @Test
  func `says which subscriptions are only new to the data`() throws {
    let sandbox = try ReportSandbox()
    let first = try #require(Day("2025-12-01"))
    let charged = ["2025-12-05": "701", "2026-01-05": "701", "2026-01-10": "702"]
    for day in (0..<62).map({ first + $0 }) {
      var report = ReportText.subscriber
      if let id = charged[day.description] {
        report = report.with(["Event Date": day.description, "Subscriber ID": id])
      }
      let name = day.description.filter { $0 != "-" }
      try sandbox.write("Subscriber_80012345_\(name)_V1_3.txt", report.text)
    }
    let page = try RunOutcome(sandbox).text("summary.md")
    #expect(
      page.contains(
        "The change contains 1 subscription from before the files begin (2025-12-01), seen only now: the growth is not known."
      ), "\(page)")
  }

  @Test
  func `says that a README and a certificate are no reports`() throws {
    let sandbox = try ReportSandbox([
      "S_D_80012345_20260105.txt": ReportText.sales.with([:]).bytes,
      "README.md": Array("# Reports\n".utf8), "root.cer": Array("a root\n".utf8),
      "notes.txt": Array("to do\n".utf8),
    ])
    let page = try RunOutcome(sandbox).text("summary.md")
    #expect(page.contains("**Left aside:** 2 files are no reports (README.md and 1 more)."))
    #expect(page.contains("1 other file (notes.txt): if it is a report, download it again."))
    #expect(!page.contains("A **lapse** is"))
  }

  @Test
  func `defines the words of settlements where there is nothing else`() throws {
    let finance = try ReportSandbox(["detail.tsv": ReportText.financeDetail.with([:]).bytes])
    let page = try RunOutcome(finance).text("summary.md")
    #expect(page.contains("A **bridge** leads from the sales") && page.contains("**Owed** is"))
    #expect(!page.contains("A **lapse** is") && !page.contains("**States:**"))
  }
}
