import Explain
import Pipeline
import PipelineTestSupport
import PriceImpact
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Reads the reports in a folder, looks for price changes and keeps the charges.
private func run(_ sandbox: ReportSandbox, jobs: Int = 2) -> RunResult {
  carryOut([sandbox.path], views: [[]], jobs: jobs) { plan in
    plan.sources = [.subscribers]
    plan.keepsCharges = true
    plan.prices = PricePlan()
  }
}

/// Explains a cell or a row of `price_impact.csv`.
private func explanation(
  _ cell: String, where conditions: [String] = [], _ result: RunResult, _ sandbox: ReportSandbox,
  order: ContributionOrder = .subscription, limit: Int? = nil, leavingOut: Bool = false
) throws -> Explanation {
  // The files are read again.
  try withExtendedLifetime(sandbox) {
    try Explanation(
      Question(cell, about: .priceImpact, where: conditions), result,
      Listing(order: order, limit: limit, leavingOut: leavingOut))
  }
}

/// The options that choose a row of a view, from its own cells.
private func conditions(
  _ table: ReportTable, row: Int, _ view: ImpactView
) -> [String] {
  let names = ["product", "country", "currency", "plan", "effective", "effective_existing"]
  return (names + view.dimensions).map { "\($0)=\(table.texts([$0], row: row)[0])" }
}

@Suite("An explanation of a price increase")
struct ImpactExplanationTests {
  /// Five subscribers pay 9.99 USD.
  ///
  /// On 5 May 2026 four are charged 12.99 and one leaves. One of the four is given the money back.
  private static func reports() -> [String: [UInt8]] {
    let charges = { (day: String, price: String, ids: [Int]) in
      var report = ReportText.subscriber
      report.rows = ids.map {
        ["Event Date": day, "Subscriber ID": "\($0)", "Customer Price": price]
      }
      return report.bytes
    }
    let refund = ReportText.subscriber.with([
      "Event Date": "2026-05-20", "Subscriber ID": "1", "Refund": "Yes",
      "Purchase Date": "2026-05-05", "Customer Price": "-12.99",
    ])
    return [
      "Subscriber_80012345_20260305_V1_3.txt": charges("2026-03-05", "9.99", [1, 2, 3, 4, 5]),
      "Subscriber_80012345_20260405_V1_3.txt": charges("2026-04-05", "9.99", [1, 2, 3, 4, 5]),
      "Subscriber_80012345_20260505_V1_3.txt": charges("2026-05-05", "12.99", [1, 3, 4, 5]),
      "Subscriber_80012345_20260520_V1_3.txt": refund.bytes,
      "Subscriber_80012345_20260605_V1_3.txt": charges("2026-06-05", "12.99", [3, 4, 5]),
      "Subscriber_80012345_20260831_V1_3.txt": ReportText.subscriber.bytes,
    ]
  }

  /// A sixth subscriber pays the old price until 20 May, and gets the money back on 10 May.
  @Test
  func `lists who met the price and does not count in the column`() throws {
    var files = Self.reports()
    for day in ["2026-03-20", "2026-04-20"] {
      files["Subscriber_80012345_\(day.filter { $0 != "-" })_V1_3.txt"] =
        ReportText.subscriber.with([
          "Event Date": day, "Subscriber ID": "6", "Customer Price": "9.99",
        ])
        .bytes
    }
    files["Subscriber_80012345_20260510_V1_3.txt"] =
      ReportText.subscriber.with([
        "Event Date": "2026-05-10", "Subscriber ID": "6", "Refund": "Yes",
        "Purchase Date": "2026-04-20", "Customer Price": "-9.99",
      ]).bytes
    let sandbox = try ReportSandbox(files)
    let result = run(sandbox)
    let found = try explanation("price_impact.lapsed", result, sandbox, leavingOut: true)
    let listed = found.table.rows.indices.map {
      found.table.texts(["value", "fact", "because"], row: $0)
    }
    #expect(listed.allSatisfy { $0[0].isEmpty && $0[1] == "left out" })
    #expect(listed.count { $0[2].hasPrefix("renewed new price: ") } == 4, "\(listed)")
    #expect(
      listed.last?[2] == "9.99 USD until 2026-05-10; no renewal was due: a full refund ended it",
      "\(listed)")
    #expect(
      found.lines.last == "besides, \(listed.count) belong to the row and do not count")
  }

  @Test
  func `names the renewal at which each subscription met the price, with its rows`() throws {
    let sandbox = try ReportSandbox(Self.reports())
    let result = run(sandbox)
    let names = ["value", "subscription", "period_start", "period_end", "fact", "because", "rows"]
    let lapsed = try explanation("price_impact.lapsed", result, sandbox)
    #expect(lapsed.lines == ["1 contribution adds up to 1, as price_impact.csv says"])
    #expect(
      lapsed.table.texts(names) == [
        "1", "Subscriber_80012345_20260305_V1_3.txt:3", "2026-04-05", "2026-05-05", "lapsed",
        "9.99 USD until 2026-05-05; the new price of 12.99 USD holds from 2026-05-05; no charge within 60 days; the data end on 2026-08-31",
        "Subscriber_80012345_20260405_V1_3.txt:3",
      ])
    let refunded = try explanation("price_impact.refunded_60d", result, sandbox)
    #expect(
      refunded.table.texts(["fact", "because", "rows"]) == [
        "renewed new price",
        "9.99 USD until 2026-05-05; the new price of 12.99 USD holds from 2026-05-05; charged 12.99 USD on 2026-05-05; the whole price was given back on 2026-05-20",
        "Subscriber_80012345_20260405_V1_3.txt:2; Subscriber_80012345_20260505_V1_3.txt:2; Subscriber_80012345_20260520_V1_3.txt:2",
      ])
    let before = try explanation("price_impact.baseline_due", result, sandbox, limit: 1)
    #expect(before.lines == ["5 contributions add up to 5, as price_impact.csv says"])
    #expect(
      before.table.texts(["fact", "because", "rows"]) == [
        "renewal",
        "paid until 2026-04-05, in the 90 days before 2026-05-05; charged 9.99 USD on 2026-04-05",
        "Subscriber_80012345_20260305_V1_3.txt:2; Subscriber_80012345_20260405_V1_3.txt:2",
      ])
    #expect(
      before.table.texts(["value", "because"], row: 1) == ["4", "4 more contributions, not listed"])
  }

  @Test(arguments: histories(4))
  func `adds up to every number of every view`(seed: UInt64) throws {
    let sandbox = try ReportSandbox(IncreaseWorld(seed: seed).files)
    let result = run(sandbox, jobs: seed % 2 == 0 ? 1 : 3)
    for view in ImpactView.allCases {
      let table = result.priceTableMaker.impactTable(view: view)
      #expect(!table.rows.isEmpty)
      for row in table.rows.indices { try expectSums(table, row, view, result, sandbox) }
    }
  }

  @Test(arguments: histories(4))
  func `adds up where several storefronts have one increase`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 400, to: "2026-09-30", kinds: [.subscriber],
      prices: [
        PlantedPrice(increase: "Plus Monthly,US,2026-06-01,7.99,0.2"),
        PlantedPrice(increase: "Plus Monthly,DE,2026-06-01,7.99,0.1"),
      ])
    let sandbox = try world.sandbox()
    let result = run(sandbox)
    for view in [ImpactView.whole, .tenure, .offer] {
      let table = result.priceTableMaker.impactTable(view: view)
      for row in table.rows.indices { try expectSums(table, row, view, result, sandbox) }
    }
  }

  /// Compares the explanation of a row with its cells.
  private func expectSums(
    _ table: ReportTable, _ row: Int, _ view: ImpactView, _ result: RunResult,
    _ sandbox: ReportSandbox
  ) throws {
    let found = try explanation(
      "price_impact", where: conditions(table, row: row, view), result, sandbox)
    #expect(found.holds, "\(found.failures)")
    let cells = table.row(row)
    for sum in found.sums where sum.column != "old_proceeds" {
      #expect("\(sum.sum)" == cells[sum.column]?.text, "\(sum.column)")
      let listed = found.table.rows.indices.map {
        found.table.texts(["column", "value"], row: $0)
      }.filter { $0[0] == sum.column }
      #expect(listed.count == sum.count)
      #expect(listed.reduce(0) { $0 + (Int128($1[1]) ?? 0) } == sum.sum, "\(sum.column)")
    }
    let counted = ["exposed", "reached", "baseline_due", "unmatched"]
    #expect(Set(found.sums.map(\.column)).isSuperset(of: counted))
  }

  @Test(arguments: histories(4))
  func `rests on rows that have the prices and the days`(seed: UInt64) throws {
    let world = IncreaseWorld(seed: seed)
    let sandbox = try ReportSandbox(world.files)
    let result = run(sandbox)
    let found = try explanation("price_impact", where: ["product=Monthly"], result, sandbox)
    var seen: Set<String> = []
    for place in found.table.rows.indices {
      let texts = found.table.texts(
        ["column", "subscription", "period_start", "fact", "rows"], row: place)
      let rows = texts[4].split(separator: "; ").map { world.row(String($0)) }
      let ids = Set(rows.map { $0["Subscriber ID"] })
      #expect(ids.count == 1 && ids == [world.row(texts[1])["Subscriber ID"]], "\(texts)")
      #expect(rows.first?["Event Date"] == texts[2] && rows.first?["Customer Price"] == "9.99")
      if texts[0] == "exposed" { #expect(seen.insert(texts[1]).inserted, "\(texts)") }
      switch texts[3] {
      case "renewed new price":
        #expect(rows.count > 1 && rows[1]["Customer Price"] == "12.99", "\(texts)")
      case "changed product":
        #expect(rows.count > 1 && rows[1]["Subscription Name"] == "Plus", "\(texts)")
      case "preserved":
        #expect(rows.count > 1 && rows[1]["Preserved Pricing"] == "Yes", "\(texts)")
      default: break
      }
    }
    #expect(seen.count > 50)
  }

  @Test
  func `of rates and of money shows the formulas with their numbers`() throws {
    let sandbox = try ReportSandbox(IncreaseWorld(seed: 1).files)
    let result = run(sandbox)
    let rate = try explanation(
      "price_impact.renewal_rate", where: ["product=Monthly"], result, sandbox)
    let continued = [
      "renewed_new_price", "renewed_old_price", "renewed_other_price", "changed_product",
    ]
    #expect(rate.sums.map(\.column) == ["reached"] + continued)
    let line = try #require(rate.lines.last)
    #expect(line.hasPrefix("renewal_rate = ("), "\(line)")
    #expect(line.hasSuffix(", as price_impact.csv says"), "\(line)")
    let money = try explanation(
      "price_impact.net_effect", where: ["product=Monthly"], result, sandbox)
    #expect(money.holds, "\(money.failures)")
    for start in ["weights: ", "baseline_rate = ", "proceeds_counterfactual = ", "net_effect = "] {
      #expect(money.lines.contains { $0.hasPrefix(start) }, "\(start) \(money.lines)")
    }
    #expect(money.sums.last?.column == "old_proceeds" && money.sums.last?.expected == nil)
  }

  @Test
  func `is the same on any number of threads, and adds up with a limit`() throws {
    let sandbox = try ReportSandbox(IncreaseWorld(seed: 2).files)
    let (one, four) = (run(sandbox, jobs: 1), run(sandbox, jobs: 4))
    let conditions = ["product=Monthly"]
    let first = try explanation("price_impact", where: conditions, one, sandbox)
    let second = try explanation("price_impact", where: conditions, four, sandbox)
    #expect(first.table == second.table && first.lines == second.lines)
    let limited = try explanation(
      "price_impact.share_effect", where: conditions, one, sandbox, order: .evidence, limit: 2)
    let values = limited.table.rows.indices.map {
      Int128(limited.table.texts(["value"], row: $0)[0]) ?? 0
    }
    #expect(limited.holds && values.reduce(0, +) == limited.sums[0].sum)
    let all = try explanation("price_impact.price_effect", where: conditions, one, sandbox)
    let largest = try explanation(
      "price_impact.price_effect", where: conditions, one, sandbox, order: .value, limit: 3)
    expectLargest(largest.table, of: all.table)
  }

  @Test
  func `is offered when the command has been named instead of the table`() {
    do throws(QuestionError) {
      _ = try Question("price-impact.reached", where: [])
      Issue.record("price-impact is no table")
    } catch {
      #expect(
        error.message
          == "explain price-impact: no such table; did you mean \"price_impact\"?")
    }
  }

  @Test
  func `refuses what it cannot choose or explain`() throws {
    let sandbox = try ReportSandbox(IncreaseWorld(seed: 3).files)
    let result = run(sandbox)
    let message = { (cell: String, conditions: [String]) -> String? in
      do {
        _ = try explanation(cell, where: conditions, result, sandbox)
        return nil
      } catch let error as QuestionError {
        return error.message
      }
    }
    #expect(
      try message("price_impact.reched", [])
        == "explain price_impact.reched: no such column; did you mean \"reached\"?")
    #expect(
      try message("price_impact.verdict", [])?.hasPrefix(
        "explain cannot explain price_impact.verdict yet; use ") == true)
    #expect(
      try message("price_impact.reached", ["tenure=1", "offer=trial"])
        == "--where: price_impact has no rows by tenure and offer; use one of them")
    #expect(
      try message("price_impact.reached", ["country=XX"])?.hasPrefix(
        "--where country=XX: no row of price_impact has this value") == true)
    #expect(
      try message("price_impact.reached", ["month=2026-05"])?.hasPrefix(
        "--where month=2026-05: price_impact has no rows by month") == true)
  }
}
