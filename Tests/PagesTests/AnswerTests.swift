import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("The answer of a report")
struct AnswerTests {
  // MARK: Numbers in words

  @Test(arguments: [
    (38, 289, "13.1%"), (1, 3, "33.3%"), (1, 8, "12.5%"), (5, 2000, "0.2%"), (15, 2000, "0.8%"),
    (300, 289, "103.8%"),
  ])
  func `a share has one decimal, rounded half to even`(above: Int, below: Int, text: String) {
    #expect(PageText.percent(above, of: below) == text)
  }

  @Test
  func `an amount has the decimals of its currency below 1,000 and none above`() {
    #expect(PageText.amount(729_780, "USD") == "729.78")
    #expect(PageText.amount(999_994, "USD") == "999.99")
    #expect(PageText.amount(5_533_500, "EUR") == "5,534")
    #expect(PageText.amount(757_000, "JPY") == "757")
    #expect(PageText.exact(5_572_840, "EUR") == "5,572.84")
    #expect(PageText.amount(-19_170, "USD") == "\u{2212}19.17")
    #expect(PageText.signedAmount(216_210, "EUR") == "+216.21")
    #expect(PageText.signedAmount(0, "EUR") == "0.00")
    #expect(PageText.change(729_780, since: 660_170) == "10.5%")
    #expect(PageText.change(5, since: 0) == nil)
  }

  @Test
  func `counts, points and days are those of the page`() throws {
    #expect(PageText.count(1260) == "1,260")
    #expect([8, -7, 0].map(PageText.signed) == ["+8", "\u{2212}7", "0"])
    #expect(PageText.points(-0.0699) == "7.0 points")
    #expect(PageText.signedPoints(0.0419) == "+4.2")
    #expect(PageText.interval(0.0973, 0.1753) == "9.7 to 17.5%")
    let day = try #require(Day("2026-09-21"))
    #expect(PageText.day(day) == "21 September 2026")
    #expect(PageText.shortDay(day) == "21 Sep 2026")
    #expect(PageText.long(day.month, .calendar) == "September 2026")
  }

  // MARK: The first screen

  /// Returns the tiles of `summary.md`: label, number, change, earlier numbers.
  private static func tiles(_ summary: String) -> [[String]] {
    let rows = summary.split(separator: "\n").filter { $0.hasPrefix("| ") }.prefix(7).dropFirst(2)
    return rows.map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.split(separator: " ").joined(separator: " ") }
    }
  }

  @Test(arguments: histories(6, from: 540))
  func `five figures are those of headlines.csv, and arrows agree with them`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 400, to: "2026-05-31", kinds: Set(WorldOptions.ReportKind.usual))
    let outcome = try RunOutcome(try world.sandbox())
    let tiles = Self.tiles(outcome.text("summary.md"))
    #expect(tiles.count == 5)
    let rows = outcome.rows("headlines.csv")
    let row = { (figure: String) in rows.first { $0["figure"] == figure } }
    let number = { (text: String?) in text.flatMap(Double.init) }
    let active = try #require(number(row("active")?["value"]))
    #expect(tiles[0][1].hasSuffix(PageText.count(Int(active))))
    if let before = number(row("active")?["before"]), before != active {
      #expect(tiles[0][2].hasPrefix(active > before ? "▲" : "▼"))
      #expect(tiles[0][2].hasSuffix(active > before ? "better" : "worse"))
    }
    let net = try #require(number(row("net_change")?["value"]))
    #expect(tiles[1][1].hasSuffix(PageText.signed(Int(net))))
    let churn = try #require(row("churn_rate"))
    let counts = [churn["numerator"], churn["denominator"]].compactMap { $0.flatMap(Int.init) }
    #expect(counts.count == 2 && tiles[2][1].hasSuffix(PageText.percent(counts[0], of: counts[1])))
    if tiles[2][2].hasPrefix("▲") { #expect(tiles[2][2].hasSuffix("worse")) }
    if tiles[2][2].hasPrefix("▼") { #expect(tiles[2][2].hasSuffix("better")) }
    // Net new is the sum of what products add.
    let parts = outcome.rows("drivers.csv").filter {
      $0["measure"] == "active" && $0["dimension"] == "product" && $0["against"] == "2026-04"
    }
    let sum = parts.compactMap { $0["total"].flatMap(Int.init) }.reduce(0, +)
    #expect(Double(sum) == net)
  }

  @Test
  func `a lost day of the headline month makes its numbers limits and changes no source`() throws {
    let world = try SimulatedReports(
      seed: 3, subscribers: 300, to: "2026-05-31", kinds: Set(WorldOptions.ReportKind.usual))
    let whole = try RunOutcome(try world.sandbox())
    let files = world.reports.filter { name, _ in
      !(name.contains("Subscriber_") && name.contains("20260512"))
    }
    #expect(files.count == world.reports.count - 1)
    let sandbox = try ReportSandbox(files)
    let page = try RunOutcome(sandbox) { $0.primary = .subscribers }.text("summary.md")
    #expect(
      page.contains("⚠ **May is incomplete: 1 report missing.** Subscriber of 12 May:"), "\(page)")
    #expect(page.contains("| Churn | at most "), "\(page)")
    #expect(page.contains("| Active subscriptions | at least "), "\(page)")
    #expect(
      page.contains("**Churn cannot be compared: the Subscriber report of 12 May is missing.**"),
      "\(page)")
    let sources = { (outcome: RunOutcome) in
      outcome.rows("headlines.csv").map { "\($0["figure"] ?? "") \($0["source"] ?? "")" }
    }
    #expect(sources(try RunOutcome(sandbox)) == sources(whole))
  }

  @Test
  func `says which reports a churn rate needs`() throws {
    let sales = try ReportSandbox(["S_D_80012345_20260105.txt": ReportText.sales.with([:]).bytes])
    let ofSales = try RunOutcome(sales).text("summary.md")
    #expect(
      ofSales.contains(
        "**Churn is not known:** Sales reports do not say who stayed; add Subscriber reports,"),
      "\(ofSales)")
    let events = try ReportSandbox([
      "Subscription_Event_80012345_20260105_V1_3.txt": ReportText.event.with([:]).bytes
    ])
    let ofEvents = try RunOutcome(events).text("summary.md")
    #expect(ofEvents.contains("add the Subscription report of 31 December 2025"), "\(ofEvents)")
  }

  // MARK: Length

  @Test
  func `summary.md has at most 200 lines and the brief at most twelve`() throws {
    let sandbox = try SimulatedReports(
      seed: 17, subscribers: 200, to: "2026-05-31", faults: true,
      kinds: Set(WorldOptions.ReportKind.usual)
    ).sandbox()
    for number in 0..<40 {
      try sandbox.write("broken/Subscriber_\(number).txt", "Event Date\tSubscriber ID\tOther\n")
    }
    let outcome = try RunOutcome(
      sandbox, views: [[], [.startMonth], [.product], [.country], [.offer], [.app]]
    ) { $0.prices = PricePlan() }
    let lines = outcome.text("summary.md").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 201, "\(lines.count)")
  }
}
