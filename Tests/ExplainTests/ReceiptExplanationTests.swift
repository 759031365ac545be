import Explain
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("An explanation of receipts")
struct ReceiptExplanationTests {
  private static let views: [[Dimension]] = [[], [.product], [.country], [.startMonth]]

  @Test(arguments: histories(6))
  func `adds up in every table of a simulated world, and names rows that exist`(
    seed: UInt64
  ) throws {
    let world = try SimulatedReports(
      seed: 70 + seed, subscribers: 60, to: "2026-06-30", kinds: [.receipts])
    let sandbox = try world.sandbox()
    let run = try ReceiptRun(sandbox, views: Self.views, jobs: seed % 2 == 0 ? 1 : 3)
    let lineCounts = world.reports.mapValues { $0.count(where: { $0 == UInt8(ascii: "\n") }) + 1 }
    var random = SeededGenerator(seed: seed)
    for kind in ColumnMakeup.tables(from: .receipts) {
      for (view, dimensions) in Self.views.enumerated() {
        let table = try run.result.tableMaker().table(kind, view: view)
        for place in table.rows.indices.shuffled(using: &random).prefix(3) {
          let cells = table.row(place)
          let keys =
            ["dating", "basis", "start_month", "months", "currency", "k"]
            + dimensions.map(\.rawValue).filter { $0 != "start_month" }
          let conditions = keys.compactMap { key in cells[key].map { "\(key)=\($0.text)" } }
          let found = try run.explanation(
            kind.rawValue, where: conditions, month: cells["month"]?.text ?? "2026-03")
          #expect(found.holds, "\(kind) \(conditions): \(found.failures)")
          expectRows(of: found, lineCounts)
        }
      }
    }
  }

  /// Expects that each contribution names lines that its files have.
  private func expectRows(of explanation: Explanation, _ lineCounts: [String: Int]) {
    for row in explanation.table.rows.indices {
      let texts = explanation.table.texts(["subscription", "rows", "because"], row: row)
      #expect(!texts[2].isEmpty)
      for place in [texts[0]] + texts[1].split(separator: "; ").map(String.init) {
        let file = place.split(separator: " ").first?.split(separator: ":") ?? []
        let count = file.first.flatMap { lineCounts[String($0)] } ?? 0
        let line = file.last.flatMap { Int($0) } ?? 0
        #expect(file.count == 2 && line >= 1 && line <= count, "\(place)")
      }
    }
  }

  @Test
  func `names the period, the renewal info and the rows of a lapse`() throws {
    let sandbox = try ReportSandbox(["dump.ndjson": ReceiptAnswer.dump(ReceiptAnswer.three)])
    let run = try ReceiptRun(sandbox)
    let churned = try run.explanation("churn.churned", month: "2026-02")
    #expect(churned.lines == ["2 contributions add up to 2, as churn.csv says"])
    let names = ["value", "subscription", "period_start", "period_end", "fact", "because", "rows"]
    #expect(
      churned.table.texts(names, row: 0) == [
        "1", "dump.ndjson:1 latest_receipt_info[0]", "2026-01-10T00:00:00Z",
        "2026-02-10T00:00:00Z", "lapse open final",
        "no charge within 60 days of 2026-02-10; the data of the subscription end on 2026-06-01; the renewal info says that the customer turned it off",
        "dump.ndjson:1 latest_receipt_info[0]; dump.ndjson:1 pending_renewal_info[0]",
      ])
    #expect(
      churned.table.texts(names, row: 1) == [
        "1", "dump.ndjson:3 latest_receipt_info[0]", "2026-01-27T00:00:00Z",
        "2026-02-03T00:00:00Z", "lapse open final",
        "a full refund ended the period on 2026-02-03; no charge followed; the data of the subscription end on 2026-06-01",
        "dump.ndjson:3 latest_receipt_info[1]",
      ])
    let billing = try run.explanation("churn.churned_billing", month: "2026-03")
    #expect(billing.table.texts(["subscription"]) == ["dump.ndjson:2 latest_receipt_info[0]"])
  }

  @Test
  func `says why periods were renewed, trials converted and charges refunded`() throws {
    let sandbox = try ReportSandbox(["dump.ndjson": ReceiptAnswer.dump(ReceiptAnswer.three)])
    let run = try ReceiptRun(sandbox)
    let because = { (cell: String, conditions: [String], month: String) in
      try run.explanation(cell, where: conditions, month: month).table.texts(["because"])[0]
    }
    #expect(
      try because("renewals.renewed", [], "2026-02")
        == "charged again on 2026-02-15, when it ended")
    #expect(
      try because("trials.converted", [], "2026-01")
        == "paid on 2026-01-27, within 60 days of the trial's end on 2026-01-27")
    #expect(
      try because("movement.converted", [], "2026-01")
        == "paid on 2026-01-27 after a free period that ended on 2026-01-27")
    #expect(
      try because("churn.active_start", [], "2026-03")
        == "active at the end of 2026-02-28: paid from 2026-02-15 to 2026-03-15")
    #expect(
      try because("refunds.refunds_full", ["dating=refund", "currency="], "2026-02")
        == "the whole price of the charge of 2026-01-27 was given back on 2026-02-03")
    #expect(
      try because("retention.lost", ["k=2"], "2026-02").hasPrefix(
        "no charge within 60 days of 2026-03-15"))
  }

  @Test
  func `names customers as the table chains does, and limits the list`() throws {
    let sandbox = try ReportSandbox(["dump.ndjson": ReceiptAnswer.dump(ReceiptAnswer.three)])
    let run = try ReceiptRun(sandbox)
    let clear = try run.explanation("movement.open", month: "2026-02", naming: .clear)
    let named = clear.table.rows.indices.map {
      clear.table.texts(["subscription"], row: $0)[0]
    }
    #expect(named == ["original:1000", "original:2000", "original:3000"])
    let limited = try run.explanation("movement.open", month: "2026-02", limit: 1)
    #expect(limited.holds && limited.table.rows.count == 2)
    #expect(limited.table.texts(["value"], row: 1) == ["2"])
    let coded = try run.explanation(
      "movement.open", month: "2026-02", naming: .anonymous(key: "secret"))
    #expect(coded.table.texts(["subscription"])[0].count == 16)
  }

  @Test
  func `loses a contribution with its row`() throws {
    for place in [0, 2] {
      var answers = ReceiptAnswer.three
      let removed = answers.remove(at: place)
      let sandbox = try ReportSandbox(["dump.ndjson": ReceiptAnswer.dump(answers)])
      let churned = try ReceiptRun(sandbox).explanation("churn.churned", month: "2026-02")
      #expect(churned.sums.map(\.sum) == [1], "without \(removed.original)")
    }
  }

  @Test
  func `fails if a dump has changed since it was read`() throws {
    let sandbox = try ReportSandbox(["dump.ndjson": ReceiptAnswer.dump(ReceiptAnswer.three)])
    let run = try ReceiptRun(sandbox)
    try sandbox.write("dump.ndjson", ReceiptAnswer.dump(Array(ReceiptAnswer.three.prefix(1))))
    #expect(throws: KeptCharges.LineError.self) {
      try run.explanation("churn.churned", month: "2026-02")
    }
  }
}

@Suite("A question about receipts")
struct ReceiptQuestionTests {
  @Test
  func `asks for columns that receipts have`() throws {
    #expect(throws: Never.self) {
      try Question("churn.churned_price", where: [], from: [.receipts])
    }
    #expect(throws: QuestionError.self) {
      try Question("proceeds.net_proceeds", where: [], from: [.receipts])
    }
  }
}
