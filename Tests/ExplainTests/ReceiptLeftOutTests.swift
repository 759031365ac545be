import Counting
import Explain
import Pipeline
import PipelineTestSupport
import Simulation
import Storage
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("What a cell of receipts leaves out")
struct ReceiptLeftOutTests {
  private func run(_ answers: [ReceiptAnswer] = ReceiptAnswer.three) throws -> ReceiptRun {
    try ReceiptRun(ReportSandbox(["dump.ndjson": ReceiptAnswer.dump(answers)]))
  }

  private func reasons(
    _ cell: String, where conditions: [String] = [], _ month: String, _ run: ReceiptRun
  ) throws -> [String] {
    let found = try run.explanation(cell, where: conditions, month: month, leavingOut: true)
    #expect(found.holds, "\(found.failures)")
    return found.table.rows.indices.map { found.table.texts(["because"], row: $0)[0] }
  }

  @Test
  func `is listed with the rule`() throws {
    let run = try run()
    let due = try run.explanation("renewals.due", month: "2026-02", leavingOut: true)
    #expect(
      due.table.texts(["column", "value", "subscription", "fact", "because"]) == [
        "due", "", "dump.ndjson:3 latest_receipt_info[0]", "left out",
        "no renewal was due: a full refund ended it on 2026-02-03",
      ])
    #expect(
      due.lines == [
        "2 contributions add up to 2, as renewals.csv says",
        "besides, 1 belongs to the row and does not count",
      ])
    #expect(
      try reasons("churn.churned_billing", "2026-02", run) == [
        "lapse open final: no charge within 60 days of 2026-02-10; the data of the subscription end on 2026-06-01; the renewal info says that the customer turned it off",
        "renewal: charged again on 2026-02-15, when it ended",
        "lapse open final: a full refund ended the period on 2026-02-03; no charge followed; the data of the subscription end on 2026-06-01",
      ])
    #expect(
      try reasons("movement.started", "2026-01", run) == [
        "a free trial; only paid periods count",
        "conversion: paid on 2026-01-27 after a free period that ended on 2026-01-27",
      ])
    #expect(
      try reasons("trials.not_converted", "2026-01", run) == [
        "trial converted: paid on 2026-01-27, within 60 days of the trial's end on 2026-01-27"
      ])
    #expect(
      try reasons("refunds.charges", where: ["dating=refund", "currency="], "2026-01", run)
        == ["a free trial; only paid periods count"])
    #expect(try reasons("movement.open", "2026-02", run) == [])
  }

  @Test
  func `says which subscriptions retention does not count, and why`() throws {
    #expect(
      try reasons("retention.at_risk", where: ["k=2"], "2026-02", run()) == [
        "lost at paid period 1: no charge within 60 days of 2026-02-10; the data of the subscription end on 2026-06-01",
        "lost at paid period 1: a full refund ended the period on 2026-02-03; no charge followed; the data of the subscription end on 2026-06-01",
      ])
    let older = ReceiptAnswer(
      original: "4000",
      periods: [("2026-01-10", "2026-02-10", ""), ("2026-02-10", "2026-03-10", "")])
    let running = ReceiptAnswer(original: "5000", periods: [("2026-05-10", "2026-06-10", "")])
    #expect(
      try reasons("retention.at_risk", where: ["k=1"], "2026-02", run([older, running])) == [
        "paid period 1 runs until 2026-06-10; the data of the subscription end on 2026-06-01"
      ])
    #expect(
      try reasons("retention.at_risk", where: ["k=2"], "2026-02", run([older, running])) == [
        "it has only 1 paid period"
      ])
  }

  @Test
  func `names upgrades and what a family shares`() throws {
    let upgraded = ReceiptAnswer(
      original: "4000",
      periods: [
        (
          "2026-01-10", "2026-02-10",
          ", \"is_upgraded\": \"true\", \"cancellation_date_ms\": \"1768867200000\""
        ),
        ("2026-01-20", "2026-02-20", ""),
      ])
    let shared = ReceiptAnswer(
      original: "5000",
      periods: [("2026-01-12", "2026-01-19", ", \"in_app_ownership_type\": \"FAMILY_SHARED\"")])
    let run = try run([upgraded, shared])
    let ofFamily = "it is shared by family; only the purchase of the customer who paid counts"
    #expect(
      try reasons("churn.churned", "2026-01", run) == [
        "change: replaced by another product on 2026-01-20", ofFamily,
      ])
    #expect(
      try reasons("refunds.refunds_full", where: ["dating=refund", "currency="], "2026-01", run)
        == ["the cancellation belongs to a change of product, so it is no refund"])
    #expect(
      try reasons("refunds.charges", where: ["dating=refund", "currency="], "2026-01", run)
        == [ofFamily])
    let retention = try reasons("retention.at_risk", where: ["k=1"], "2026-01", run)
    #expect(retention == [ofFamily])
  }

  @Test
  func `says that the data have no purchase that replaced an upgraded period`() throws {
    let upgraded = ReceiptAnswer(
      original: "4000",
      periods: [
        (
          "2026-01-10", "2026-02-10",
          ", \"is_upgraded\": \"true\", \"cancellation_date_ms\": \"1768867200000\""
        )
      ])
    #expect(
      try reasons("churn.churned", "2026-01", run([upgraded])) == [
        "change: marked as upgraded; the data have no purchase of another product at its end on 2026-01-20"
      ])
  }

  @Test
  func `has a limit, and the names of customers`() throws {
    let found = try run().explanation(
      "churn.churned_billing", month: "2026-02", naming: .clear, limit: 1, leavingOut: true)
    #expect(found.table.rows.count == 2 && found.leftOut == [3])
    #expect(found.table.texts(["subscription", "value"], row: 0) == ["original:1000", ""])
    #expect(
      found.table.texts(["value", "because"], row: 1) == ["", "2 more contributions, not listed"])
  }

  // MARK: Simulated worlds

  private static let ends = [
    "renewals", "lapses", "churn.churned", "churn.churned_refund", "churn.churned_billing",
    "churn.churned_unknown", "movement.entered_retry", "movement.churned",
  ]

  /// Whatever a column counts of the periods that end in a month, it leaves out all others.
  @Test(arguments: histories(4))
  func `makes with what counts the same periods for each column`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: 90 + seed, subscribers: 80, to: "2026-06-30", kinds: [.receipts])
    let run = try ReceiptRun(world.sandbox(), views: [[], [.product]])
    let renewals = try run.result.tableMaker().table(.renewals, view: 1)
    let products = renewals.rows.indices.compactMap { renewals.row($0)["product"]?.text }
    let product = try #require(products.min())
    for conditions in [[], ["product=\(product)"]] {
      for month in ["2026-03", "2026-04"] {
        var totals: Set<Int> = []
        for cell in Self.ends {
          guard
            let found = try? run.explanation(
              cell, where: conditions, month: month, leavingOut: true)
          else { continue }
          #expect(found.holds)
          for (sum, count) in zip(found.sums, try #require(found.leftOut)) {
            totals.insert(sum.count + count)
          }
        }
        #expect(totals.count <= 1, "\(conditions) \(month): \(totals)")
      }
    }
  }

  /// In each cell a row of the list has a reason and its rows.
  @Test(arguments: histories(3))
  func `has reasons and rows in every table`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: 95 + seed, subscribers: 50, to: "2026-06-30", kinds: [.receipts],
      plans: PlanOptions(commitments: Share("0.8", of: "--commitments")))
    let run = try ReceiptRun(world.sandbox())
    for kind in ColumnMakeup.tables(from: .receipts) {
      let table = try run.result.tableMaker().table(kind, view: 0)
      for place in table.rows.indices.suffix(6) {
        let cells = table.row(place)
        let conditions = ["basis", "start_month", "months", "dating", "currency", "k"].compactMap {
          key in
          cells[key].map { "\(key)=\($0.text)" }
        }
        let found = try run.explanation(
          kind.rawValue, where: conditions, month: cells["month"]?.text ?? "2026-03",
          leavingOut: true)
        #expect(found.holds, "\(kind) \(conditions): \(found.failures)")
        #expect(found.leftOut?.reduce(0, +) == found.table.rows.count)
        for row in found.table.rows.indices {
          let texts = found.table.texts(["value", "fact", "because", "rows"], row: row)
          #expect(texts[0].isEmpty && texts[1] == "left out", "\(texts)")
          #expect(!texts[2].isEmpty && !texts[2].hasSuffix(": ") && !texts[3].isEmpty, "\(texts)")
        }
      }
    }
  }

  /// At each k those that count and those that are left out are all subscriptions, each once.
  @Test(arguments: histories(4))
  func `has all other subscriptions at each k of retention`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: 80 + seed, subscribers: 80, to: "2026-06-30", kinds: [.receipts])
    let run = try ReceiptRun(world.sandbox())
    let table = try run.result.tableMaker().table(.retention, view: 0)
    var totals: Set<Int> = []
    for place in table.rows.indices {
      let k = try #require(table.row(place)["k"]?.text)
      let found = try run.explanation(
        "retention", where: ["k=\(k)"], month: "2026-03", leavingOut: true)
      #expect(found.holds)
      for (sum, count) in zip(found.sums, try #require(found.leftOut)) {
        totals.insert(sum.count + count)
      }
    }
    #expect(totals.count <= 1, "\(totals)")
  }
}

@Suite("What retention of random receipts leaves out")
struct ReceiptNotAtRiskTests {
  /// How many subscriptions a row counts at a k, and how many it leaves out.
  private func counts(
    _ k: Int, _ world: ReceiptWorld
  ) throws -> (all: Int, atRisk: Int, others: Int) {
    let customers = world.customers()
    let month = try #require(Month("2024-01"))
    var row = CountedRow(month: month, dimensions: [], filter: Filter()) { _ in true }
    row.k = k
    var symbols = world
    var fold = ExplainingFold(
      row, [.atRisk, .notAtRisk], customers: customers, contingent: .none, monthSystem: .calendar
    ) { symbols.symbol($0) }
    var history = ReceiptHistory(customers)
    var counts = (all: 0, atRisk: 0, others: 0)
    for customer in 0..<customers.count {
      history.build(customer)
      counts.all += history.chains.count { $0.kind == .autoRenewable }
      fold.add(history) { item in
        if item.counted == .atRisk { counts.atRisk += 1 } else { counts.others += 1 }
      }
    }
    return counts
  }

  @Test(arguments: seeds(60))
  func `is every subscription that does not count`(seed: UInt64) throws {
    var plain = RandomReceipts(seed: 41_000 + seed)
    var terms = RandomCommitmentReceipts(seed: 51_000 + seed)
    for world in [plain.world(customers: 6), terms.world(customers: 4...8)] {
      for k in [1, 2, 3] {
        let found = try counts(k, world)
        #expect(found.all == found.atRisk + found.others, "k \(k)")
      }
    }
  }
}
