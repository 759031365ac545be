import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Price increases on the pages")
struct PricePageTests {
  /// The rows of a subscriber who is charged once a month from January on; from May on in the US at the new price.
  private static func rows(
    _ number: Int, _ country: String, months: Int, raised: Set<String> = ["US"]
  ) -> [[String: String]] {
    (1...months).map { month in
      let isRaised = raised.contains(country) && month >= 5
      let day = 8 + number % 6
      return [
        "Event Date": "2026-0\(month)-\(day < 10 ? "0" : "")\(day)", "Country": country,
        "Subscriber ID": String(700_000_000_000_000_000 + number),
        "Customer Price": isRaised ? "12.50" : "10.00",
        "Customer Currency": country == "US" ? "USD" : "EUR",
        "Developer Proceeds": isRaised ? "8.75" : "7.00",
        "Proceeds Currency": country == "US" ? "USD" : "EUR",
      ]
    }
  }

  /// A rise from 10.00 to 12.50 in the US, which 15 of 60 do not pay, and nothing in Germany.
  ///
  /// Before it 6 of 192 renewals did not come: 25 % less 3.125 points were lost of those due, 22.58 % of those expected.
  private static func outcome() throws -> RunOutcome { try outcome(measured) }

  private static let measured = [
    ("US", 45, 7), ("US", 15, 4), ("US", 2, 1), ("US", 2, 2), ("US", 2, 3), ("DE", 60, 7),
  ]

  /// Subscribers by storefront, with the months of their charges; from May on at the new price in some storefronts.
  private static func outcome(
    _ groups: [(String, Int, Int)], raised: Set<String> = ["US"]
  ) throws -> RunOutcome {
    var all: [[String: String]] = []
    var number = 0
    for (country, count, months) in groups {
      for _ in 0..<count {
        number += 1
        all += rows(number, country, months: months, raised: raised)
      }
    }
    return try outcome(of: all)
  }

  private static func outcome(of all: [[String: String]]) throws -> RunOutcome {
    let sandbox = try ReportSandbox(
      ReportText.daily(all, from: "2026-01-01", to: "2026-07-31"))
    return try RunOutcome(sandbox) { $0.prices = PricePlan() }
  }

  @Test
  func `have a command that explains the increase of the sentence`() throws {
    let groups = Self.measured + [("FR", 60, 7)]
    let outcome = try Self.outcome(groups, raised: ["US", "DE"])
    #expect(outcome.rows("price_impact.csv").contains { $0["country"] == "*" })
    let commands = PageReader(outcome.text("index.html")).commands("subreport explain price_impact")
    let section = PageReader.parts(
      of: outcome.text("summary.md"), from: "## Price increases\n\n", to: "\n")
    let country = section.first?.contains("12.50 USD for Monthly") == true ? "US" : "DE"
    #expect(commands.count == 1 && commands[0].contains("country=\(country) "), "\(commands)")
  }

  @Test
  func `have the break-even beside the loss to compare with it, and not another one`() throws {
    let outcome = try Self.outcome()
    let row = try #require(outcome.rows("price_impact.csv").first)
    #expect(row["excess_churn"] == "0.218750" && row["observed_loss"] == "0.225806")
    #expect(row["break_even_verdict"] == "undecided")
    let breakEven =
      "The new price makes up for a loss of 20.00% of the renewals that would have come without the increase. Lost were 22.58% of these (95 %: 10.64% to 35.51%), which may be less or more, so whether it paid cannot be told. The 21.88% named before are of all renewals that were due: do not compare them with the break-even."
    let document = outcome.text("price_impact.md")
    #expect(document.contains(breakEven))
    #expect(document.contains("Yes: renewals were lost, 21.88% of the renewals that were due"))
    // The page has the loss alone that is compared with the break-even.
    #expect(!outcome.text("index.html").contains("21.88%"))
    // The loss of the first lines is the one that is compared with the break-even.
    for name in ["summary.md", "index.html"] {
      let page = outcome.text(name)
      #expect(page.contains("paid off cannot be told yet: "), "\(name)")
      #expect(
        page.contains(
          "22.6% were lost, and up to 20.0% would be made up for; the interval (10.6 to 35.5%) holds both."
        ), "\(name)")
    }
    let table = outcome.text("price_impact.md").split(separator: "\n")
    #expect(
      table.contains {
        $0.contains("| break-even | lost of expected | did it pay? |")
      })
    #expect(
      table.contains {
        $0.contains("| 20.00% | 22.58% (95 %: 10.64% to 35.51%) | cannot be told |")
      })
  }

  @Test
  func `name a rise that too few met to be certain`() throws {
    let outcome = try Self.outcome([("US", 2, 7)])
    #expect(outcome.rows("price_changes.csv").map { $0["class"] } == ["unconfirmed"])
    let sentence =
      "No price increase is certain: too few renewals or days. Possible: Monthly, US: 10.00 → 12.50 USD from 9 May 2026, 6 charges of existing subscriptions at the new price. If you raised a price, give a list of price changes (option "
    #expect(outcome.text("index.html").contains(sentence))
    for name in ["summary.md", "index.html"] {
      let page = outcome.text(name)
      #expect(
        page.contains("No price increase is certain. 1 price rose and may be one."), "\(name)")
      #expect(!page.contains("No price increase was found"), "\(name)")
    }
    #expect(outcome.files["price_impact.md"] == nil)
    #expect(outcome.result.noIncreaseNote == "no price increase is certain")
  }

  @Test
  func `add up the storefronts of a rise`() throws {
    let outcome = try Self.outcome([("US", 2, 7), ("DE", 2, 7)], raised: ["US", "DE"])
    let rows = outcome.rows("price_changes.csv")
    #expect(rows.map { $0["class"] } == ["unconfirmed", "unconfirmed"])
    #expect(
      outcome.text("index.html").contains(
        "No price increase is certain: too few renewals or days in each country. Possible: Monthly, DE and US: 10.00 → 12.50 EUR and 1 more currency between 9 May 2026 and 11 May 2026, 12 charges of existing subscriptions at the new price. If"
      ))
  }

  @Test
  func `name a rise from a price that began shortly before`() throws {
    let charge = { (number: Int, month: Int, day: Int) -> [String: String] in
      let isRaised = month > 1 || day > 10
      return [
        "Event Date": "2026-0\(month)-\(day < 10 ? "0" : "")\(day)",
        "Subscriber ID": String(700_000_000_000_000_000 + number),
        "Customer Price": isRaised ? "12.50" : "10.00",
      ]
    }
    let all = [3, 4, 5, 20, 21, 22].enumerated().flatMap { number, day in
      (1...7).map { charge(number, $0, day) }
    }
    let outcome = try Self.outcome(of: all)
    let rows = outcome.rows("price_changes.csv")
    let row = try #require(rows.first { $0["new_price"] == "12.50" })
    let day = try #require(Day(row["date"] ?? ""))
    #expect(row["class"] == "at_data_edge" && row["old_price"] == "10.00")
    #expect(
      outcome.text("index.html").contains(
        "No price increase is certain: the data have the old price for less than 28 days. Possible: Monthly, US: 10.00 → 12.50 USD from \(PageText.shortDay(day)), \(row["continuing_charges"] ?? "") charges of existing subscriptions at the new price."
      ))
  }

  @Test
  func `name the rises beside a certain increase`() throws {
    let outcome = try Self.outcome(Self.measured + [("FR", 2, 7)], raised: ["US", "FR"])
    let sentence =
      "Possibly also Monthly in FR (too few renewals or days). If you raised a price, give a list of price changes (option "
    #expect(outcome.text("summary.md").contains(" 1 more price rose and may be an increase too."))
    #expect(outcome.text("price_impact.md").contains("\n\n" + sentence))
    #expect(outcome.text("index.html").contains(sentence))
    #expect(try !Self.outcome().text("summary.md").contains("an increase too."))
  }

  @Test
  func `say who renewed where too few met an increase`() throws {
    // The fifth is not charged again after the increase.
    let outcome = try Self.outcome([("US", 4, 7), ("US", 1, 4)])
    let row = try #require(outcome.rows("price_impact.csv").first)
    #expect(row["reached"] == "5" && row["renewed_new_price"] == "4")
    let sentence =
      "One increase (Monthly, US) is in the data, and 5 have met it: too few to tell what it did"
    for name in ["summary.md", "index.html"] {
      #expect(outcome.text(name).contains(sentence.replacing("5 have", with: "5 subscribers have")))
    }
    #expect(
      outcome.text("price_impact.md").contains(
        "5 of 5 have come to that renewal; 4 of 5 renewed at the new price"))
  }

  @Test
  func `count the other changes by kind in one source`() throws {
    let world = try SimulatedReports(
      seed: 31, subscribers: 60, from: "2026-01-01", to: "2026-04-30",
      kinds: [.subscriber, .sales])
    let outcome = try RunOutcome(try world.sandbox()) { $0.prices = PricePlan() }
    let rows = outcome.rows("price_changes.csv", source: "subscribers")
    let page = outcome.text("index.html")
    let isShown = outcome.rows("price_changes.csv").allSatisfy { $0["class"] != "increase" }
    try #require(isShown)
    let start = try #require(
      page.firstRange(of: "Other changes of prices in Subscriber reports: "))
    let sentence = page[start.upperBound...].prefix { $0 != "\n" }
    for (kind, noun) in [
      ("glitch", "of a few charges or days"), ("new_storefront", "of a country"),
      ("parallel", "that few pay beside another"), ("decrease", "decrease"),
    ] {
      let count = rows.count { $0["class"] == kind }
      #expect(sentence.contains(noun) == (count > 0), "\(kind)")
      if count > 0 { #expect(sentence.contains("\(count) "), "\(kind)") }
    }
    #expect(sentence.hasSuffix(".</li>"))
  }

  @Test(arguments: [
    (
      WorldOptions.ReportKind.subscriptionEvent,
      "Price increases cannot be seen: Subscription Event reports carry no prices; add "
    ),
    (.receipts, "Price increases cannot be seen: these receipts carry no prices; add "),
    (.sales, "No price increase was found in the data."),
  ])
  func `says whether prices are in the data, where no increase is`(
    kind: WorldOptions.ReportKind, sentence: String
  ) throws {
    var world = try SimulatedReports(seed: 31, subscribers: 60, kinds: [kind])
    if kind == .receipts {
      // Answers of verifyReceipt have no prices.
      world.reports = world.reports.filter { $0.key.contains("verify-receipt") }
    }
    let outcome = try RunOutcome(try world.sandbox()) { $0.prices = PricePlan() }
    #expect(outcome.text("index.html").contains(sentence))
    #expect(outcome.text("summary.md").contains("## Price increases\n\n\(sentence)"))
    let note = sentence.prefix(1).lowercased() + sentence.dropFirst()
    #expect(note.hasPrefix(outcome.result.noIncreaseNote.prefix(28)))
  }

  @Test
  func `says how many charges of receipts have no price, where no increase is found`() throws {
    let world = try SimulatedReports(seed: 31, subscribers: 60, kinds: [.receipts])
    let outcome = try RunOutcome(try world.sandbox()) { $0.prices = PricePlan() }
    let charges = outcome.rows("refunds.csv", source: "receipts")
      .filter { $0["dating"] == "sale" && $0["currency"] == "" }
      .compactMap { $0["charges"].flatMap(Int.init) }.reduce(0, +)
    #expect(charges > 0)
    let page = outcome.text("summary.md")
    let isFound = !page.contains("No price increase was found in the data.")
    let sentence = "Increases among \(charges) charges of receipts without a price cannot be seen."
    #expect(isFound || page.contains(sentence))
  }
}
