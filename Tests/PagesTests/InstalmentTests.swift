import Pages
import Pipeline
import PipelineTestSupport
import Storage
import SubreportTestSupport
import SubscriptionModel
import Testing

/// The daily SUBSCRIBER reports of five months, in which a product of one year is sold at once to some and in
/// monthly instalments to others, and a monthly product in another country.
private struct InstalmentWorld {
  private var rows: [Day: [[String: String]]] = [:]
  private var lastSubscriber = 700_000_000_000_000_000
  private let first: Day
  private let last: Day

  /// Makes a world with subscribers who pay instalments from 5 May to 5 July, and with some who pay on 5 May, get
  /// it back and buy again a month later.
  init(instalments: Int, refunded: Int = 0) throws {
    first = try #require(Day("2026-03-01"))
    last = try #require(Day("2026-07-31"))
    for number in 0..<6 {
      let start = first + number
      try add("US", from: "2026-03-08", "Monthly", "9.99", start, months: 5)
      try add("DE", from: "2026-03-08", "Yearly", "99.99", start, months: 1)
    }
    for _ in 0..<instalments { try add("DE", from: "2026-05-05", "Yearly", "8.99", months: 3) }
    for _ in 0..<refunded {
      let id = try add("DE", from: "2026-05-05", "Yearly", "8.99", months: 2)
      rows[try day("2026-05-20"), default: []].append(
        row(id, "DE", "Yearly", "8.99").merging(
          ["Refund": "Yes", "Purchase Date": "2026-05-05", "Units": "-1"]) { $1 })
    }
  }

  private func day(_ text: String) throws -> Day { try #require(Day(text)) }

  /// Adds a subscriber who is charged each month after a free week, so that his start is known.
  @discardableResult
  private mutating func add(
    _ country: String, from paid: String, _ product: String, _ price: String, _ trial: Day? = nil,
    months: Int
  ) throws -> String {
    lastSubscriber += 1
    let id = String(lastSubscriber)
    let paid = try trial.map { $0 + 7 } ?? day(paid)
    var free = row(id, country, product, "0.00")
    free["Subscription Offer Type"] = "Free Trial"
    free["Subscription Offer Duration"] = "7 Days"
    rows[paid - 7, default: []].append(free)
    for number in 0..<months {
      rows[paid.adding(Term(months: Int16(number))), default: []]
        .append(row(id, country, product, price))
    }
    return id
  }

  private func row(
    _ id: String, _ country: String, _ product: String, _ price: String
  ) -> [String: String] {
    [
      "Subscriber ID": id, "Country": country, "Subscription Name": product,
      "Subscription Apple ID": product == "Yearly" ? "1460000003" : "1460000001",
      "Standard Subscription Duration": product == "Yearly" ? "1 Year" : "1 Month",
      "Customer Price": price, "Developer Proceeds": price,
    ]
  }

  /// The reports by their names, those without a row too.
  var reports: [(name: String, bytes: [UInt8])] {
    (first.number...last.number).map(Day.init(number:)).map { day in
      var report = ReportText.subscriber
      report.rows = (rows[day] ?? []).map {
        $0.merging(["Event Date": day.description]) { $1 }
      }
      let digits = day.description.replacing("-", with: "")
      return ("Subscriber_80012345_\(digits)_V1_3.txt", report.bytes)
    }
  }

  func outcome(
    views: [[Dimension]] = usualViews, change: (inout RunPlan) -> Void = { _ in }
  ) throws -> RunOutcome {
    let files = Dictionary(uniqueKeysWithValues: reports.map { ($0.name, $0.bytes) })
    return try RunOutcome(try ReportSandbox(files), views: views) { plan in
      plan.prices = PricePlan()
      change(&plan)
    }
  }
}

@Suite("A product of one year that is sold in monthly instalments")
struct InstalmentTests {
  private static let name = "Yearly: instalments at"

  private static func notes(_ outcome: RunOutcome) -> [String] {
    outcome.rows("health.csv").filter { $0["path"]?.isEmpty == true }.map { $0["note"] ?? "" }
  }

  @Test
  func `is known by its prices, which health.csv and the page list`() throws {
    let world = try InstalmentWorld(instalments: 4)
    let outcome = try world.outcome()
    #expect(
      Self.notes(outcome) == [
        "Yearly: instalments at 8.99 USD in DE: 4 subscriptions, 4 paid twice about a month apart"
      ])
    let bullet = "**Instalments:** Subscriber reports: Yearly is sold in monthly"
    #expect(outcome.text("summary.md").contains(bullet))
    #expect(outcome.checks.hold)
    let july = try #require(outcome.rows("commitments.csv").last)
    #expect(july["month"] == "2026-07")
    let cells = ["running", "due", "paid", "remaining", "remaining_price", "state"].map { july[$0] }
    #expect(cells == ["4", "4", "4", "36", "323.64", "final"])
    // One who paid 99.99 in March is no instalment's.
    let plans = try world.outcome(views: [[], [.plan]])
    let march = plans.rows("proceeds-by-plan.csv").filter { $0["month"] == "2026-03" }
    #expect(march.map { $0["plan"] } == ["upfront"])
    let may = plans.rows("proceeds-by-plan.csv").filter { $0["month"] == "2026-05" }
    #expect(may.map { $0["plan"] } == ["commitment", "upfront"])
    #expect(may.map { $0["charges"] } == ["4", "6"])
  }

  @Test
  func `has no change of its price, which is no change at all`() throws {
    let outcome = try InstalmentWorld(instalments: 3).outcome()
    #expect(outcome.rows("price_changes.csv").filter { $0["class"] == "decrease" }.isEmpty)
    // With two subscriptions that pay so the run cannot tell.
    let few = try InstalmentWorld(instalments: 2).outcome()
    #expect(few.rows("price_changes.csv").map { $0["product"] } == ["Yearly"])
    #expect(few.rows("commitments.csv").isEmpty)
  }

  @Test
  func `may be one while its charges are of less than 35 days`() throws {
    let world = try InstalmentWorld(instalments: 4)
    let early = try world.outcome { $0.asOf = Day("2026-05-30") }
    let sentence = "Yearly may be sold in instalments: its charges so far are taken for whole years"
    #expect(Self.notes(early) == [sentence])
    let bullet =
      "**Instalments?** Subscriber reports: Yearly may be sold in them; until `[plans]` tells, each charge counts as a whole year."
    #expect(early.text("summary.md").contains(bullet))
    #expect(early.result.instalmentNotes.contains { $0.hasPrefix(sentence) })
  }

  @Test
  func `is what the user says, whatever the prices are`() throws {
    let world = try InstalmentWorld(instalments: 4)
    let upfront = try world.outcome { $0.billingPlans = ["Yearly": .only(.upfront)] }
    #expect(upfront.rows("commitments.csv").isEmpty)
    #expect(Self.notes(upfront) == [])
    let early = try world.outcome {
      $0.asOf = Day("2026-05-30")
      $0.billingPlans = ["1460000003": .instalmentPrices(["8.99 USD"])]
    }
    #expect(early.rows("commitments.csv").map { $0["running"] } == ["4"])
    #expect(Self.notes(early) == [])
  }

  @Test
  func `is none that was given back and bought again`() throws {
    let outcome = try InstalmentWorld(instalments: 2, refunded: 3).outcome()
    #expect(!outcome.text("health.csv").contains(Self.name))
  }

  @Test
  func `is found with a cache on the night on which the third subscription pays again`() throws {
    let world = try InstalmentWorld(instalments: 3)
    let reports = world.reports
    let sandbox = try CacheSandbox(
      Dictionary(uniqueKeysWithValues: reports[..<90].map { ($0.name, $0.bytes) }))
    let prices = { (plan: inout RunPlan) in plan.prices = PricePlan() }
    var found: [Bool] = []
    for night in [90, 96, 97, 98, 127, 128] {
      for report in reports[..<night].suffix(30) {
        try sandbox.write(report.name, report.bytes)
      }
      let plain = try sandbox.plainRun(change: prices)
      let cached = try sandbox.run(change: prices)
      #expect(cached.outcome.differingFiles(from: plain) == [], "night \(night)")
      #expect(cached.notes == [])
      found.append(plain.text("health.csv").contains(Self.name))
    }
    #expect(found == [false, false, true, true, true, true])
  }

  @Test
  func `is the same with any number of threads, and without room in memory`() throws {
    let world = try InstalmentWorld(instalments: 5)
    let expected = try world.outcome { $0.jobs = 1 }
    #expect(expected.text("health.csv").contains(Self.name))
    let limit = try MemoryLimit(bytes: 0, folder: "/tmp", chunkLength: 3)
    let found = try world.outcome { plan in
      plan.jobs = 3
      plan.memory = limit
    }
    #expect(found.differingFiles(from: expected) == [])
  }
}
