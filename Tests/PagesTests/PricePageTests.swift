import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing
import UserTables

@Suite("Price increases on the pages")
struct PricePageTests {
  /// The rows of a subscriber who is charged once a month from January on; from May on in the US at the new price.
  private static func rows(_ number: Int, _ country: String, months: Int) -> [[String: String]] {
    (1...months).map { month in
      let isRaised = country == "US" && month >= 5
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
  private static func outcome() throws -> RunOutcome {
    let groups = [
      ("US", 45, 7), ("US", 15, 4), ("US", 2, 1), ("US", 2, 2), ("US", 2, 3), ("DE", 60, 7),
    ]
    var all: [[String: String]] = []
    var number = 0
    for (country, count, months) in groups {
      for _ in 0..<count {
        number += 1
        all += rows(number, country, months: months)
      }
    }
    let sandbox = try ReportSandbox(
      ReportText.daily(all, from: "2026-01-01", to: "2026-07-31"))
    return try RunOutcome(sandbox) { $0.prices = PricePlan() }
  }

  @Test
  func `have the break-even beside the loss to compare with it, and not another one`() throws {
    let outcome = try Self.outcome()
    let row = try #require(outcome.rows("price_impact.csv").first)
    #expect(row["excess_churn"] == "0.218750" && row["observed_loss"] == "0.225806")
    #expect(row["break_even_verdict"] == "undecided")
    let breakEven =
      "The new price makes up for a loss of 20.00% of the renewals that would have come without the increase. Lost were 22.58% of these (95 %: 10.64% to 35.51%), which may be less or more, so whether it paid cannot be told. The 21.88% named before are of all renewals that were due: do not compare them with the break-even."
    for name in ["price_impact.md", "summary.md", "index.html"] {
      let page = outcome.text(name)
      #expect(page.contains(breakEven), "\(name)")
      #expect(page.contains("Yes: renewals were lost, 21.88% of the renewals that were due"))
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
    #expect(outcome.text("index.html").contains("<p>\(sentence)"))
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
    #expect(page.contains("`subreport timeline` lists each period of `receipts` with its fate."))
    #expect(page.contains("Net proceeds are not known: receipts do not say what Apple pays;"))
  }
}
