import PipelineTestSupport
import Simulation
import SubscriptionModel
import Testing

@Suite("Words beside tables")
struct WordsBesideTablesTests {
  private static let views: [[Dimension]] = [[], [.product], [.country]]

  private static func outcome(_ kinds: Set<WorldOptions.ReportKind>) throws -> RunOutcome {
    let world = try SimulatedReports(
      seed: 41, subscribers: 300, to: "2026-05-31", kinds: kinds)
    return try RunOutcome(try world.sandbox(), views: views)
  }

  @Test
  func `say what lapsed counts in Subscriber reports`() throws {
    let outcome = try Self.outcome([.subscriber])
    let summary = outcome.text("summary.md")
    #expect(
      summary.contains(
        "`lapsed`: no charge within 60 days of the end (after an instalment: 90); younger ones are `pending`."
      ), "\(summary)")
    let page = outcome.text("index.html")
    #expect(page.contains(" Lapsed: no charge within 60 days of the end"))
    #expect(!page.contains("Chains whose") && !page.contains("before as-of"))
  }

  @Test
  func `say of events that the outcome of a failed payment is counted when it comes`() throws {
    let outcome = try Self.outcome([.subscription, .subscriptionEvent])
    let summary = outcome.text("summary.md")
    #expect(
      summary.contains(
        "`lapsed` is Apple's event `Cancel` at the end of a paid period. `pending`: payment failed; the outcome is counted when it comes."
      ), "\(summary)")
    let page = outcome.text("index.html")
    #expect(page.contains(" Payment failed: the outcome is counted when it comes."))
    for words in ["undecided", "still tries", "Lapsed, and recovered later", "before as-of"] {
      #expect(!page.contains(words), "\(words)")
    }
  }

  @Test
  func `name only what the files have`() throws {
    // Events have neither amounts nor, in five months, a year before.
    let ofEvents = try Self.outcome([.subscription, .subscriptionEvent]).text("summary.md")
    #expect(ofEvents.contains(" Final values: `headlines.csv`."), "\(ofEvents)")
    #expect(!ofEvents.contains("All currencies and final values"))
    #expect(ofEvents.contains(" All parts: `drivers.csv`."))
    #expect(ofEvents.contains("`low` and `high` bound a 95 % interval."))
    let sales = try Self.outcome([.sales])
    let ofSales = sales.text("summary.md")
    #expect(ofSales.contains("All currencies and final values: `headlines.csv`."), "\(ofSales)")
    let parts =
      " Amounts of money are not tested for chance. All parts, also of net proceeds in 5 more currencies: "
    #expect(ofSales.contains(parts + "`drivers.csv`."), "\(ofSales)")
    #expect(!ofSales.contains("marks what may be chance") && !ofSales.contains("`low` and `high`"))
    let page = sales.text("index.html")
    #expect(page.contains(parts))
    #expect(!page.contains("Hollow bars") && !page.contains("Refunds and all parts"))
  }

  @Test
  func `explain the currencies that changed most for their size`() throws {
    let outcome = try Self.outcome([.sales])
    let lines = outcome.text("summary.md").split(separator: "\n")
    let prefix = "| Net proceeds, "
    let heading = try #require(lines.firstIndex(of: "## What changed them"))
    let currencies = { (lines: ArraySlice<Substring>) in
      lines.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count).prefix(3)) }
    }
    let rows = outcome.rows("drivers.csv").filter {
      $0["measure"] == "net_proceeds" && Double($0["total"] ?? "") != 0
    }
    // A country that is the only one of a currency repeats the change.
    let countries = { (code: String) in
      rows.count { $0["currency"] == code && $0["dimension"] == "country" }
    }
    let sizes = currencies(lines[..<heading]).map { code -> (code: String, size: Double) in
      let own = rows.filter { $0["currency"] == code }
      let whole = own.first { $0["dimension"] == "" }
      let isSplit = countries(code) > 1 || own.contains { $0["dimension"] == "product" }
      let (total, before) = (Double(whole?["total"] ?? ""), Double(whole?["before"] ?? ""))
      guard isSplit, let total, let before else { return (code, -1) }
      return (code, abs(total / before))
    }
    let expected = sizes.filter { $0.size >= 0 }.sorted { $0.size > $1.size }.map(\.code)
    let shown = currencies(lines[heading...])
    #expect(!shown.isEmpty && shown == Array(expected.prefix(shown.count)), "\(sizes)")
    #expect(Set(shown) != ["USD", "EUR"], "\(shown)")
    for code in shown {
      let first = try #require(lines[heading...].firstIndex { $0.hasPrefix(prefix + code) })
      let own = lines[first...].prefix { $0.hasPrefix(prefix + code) || $0.hasPrefix("| | | ") }
      #expect(own.contains { $0.contains("| country |") } == (countries(code) > 1), "\(own)")
    }
  }

  @Test
  func `say that refunds of earlier sales are of all months`() throws {
    let rows = [
      ["Event Date": "2026-01-05"], ["Event Date": "2026-02-05"],
      [
        "Event Date": "2026-01-10", "Subscriber ID": "700000000000000002", "Refund": "Yes",
        "Purchase Date": "2025-12-20", "Customer Price": "-9.99", "Developer Proceeds": "-6.99",
      ],
    ]
    let sandbox = try ReportSandbox(
      ReportText.daily(rows, from: "2026-01-01", to: "2026-02-28"))
    let outcome = try RunOutcome(sandbox)
    let words = "In all months, 1 refund of sales before the data counts in net proceeds, and in "
    #expect(outcome.text("summary.md").contains(words), "\(outcome.text("summary.md"))")
    #expect(outcome.text("index.html").contains(words))
  }

  @Test
  func `put the interval of a driver beside the rate that it bounds`() throws {
    let outcome = try Self.outcome([.subscription, .subscriptionEvent])
    var compared = 0
    for figure in PageReader(outcome.text("index.html")).figures
    where figure.id.hasPrefix("drivers-") && figure.columns.contains("rate,_points") {
      let heads = ["total,_points", "mix,_points", "rate,_points", "95_%_interval_of_rate"]
      #expect(Array(figure.columns.suffix(4)) == heads, "\(figure.id) \(figure.columns)")
      for row in figure.rows {
        let bounds = row[row.count - 1].replacing(" to ", with: "|").split(separator: "|")
          .compactMap { Double($0) }
        guard bounds.count == 2, let rate = Double(row[row.count - 2]) else {
          #expect(row[row.count - 1].isEmpty, "\(row)")
          continue
        }
        #expect(bounds[0] - 0.011 <= rate && rate <= bounds[1] + 0.011, "\(figure.id) \(row)")
        compared += 1
      }
    }
    #expect(compared > 3)
  }
}
