import Evidence
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// A verifyReceipt answer of one customer, as a line of a dump.
private struct Answer {
  var original = "1000"
  /// The start and the end of each period, with further fields.
  var periods: [(start: String, end: String, more: String)] = []
  var requested = "2026-06-01"
  /// The fields of the renewal info; blank for none.
  var renewal = ""

  private func milliseconds(_ text: String) -> String { "\(Int(instant(text).seconds) * 1_000)" }

  var line: String {
    let transactions = periods.enumerated().map { place, period in
      """
      {"product_id": "com.example.month", "transaction_id": "\(original)\(place)", \
      "original_transaction_id": "\(original)", "web_order_line_item_id": "9\(original)\(place)", \
      "subscription_group_identifier": "20450001", \
      "purchase_date_ms": "\(milliseconds(period.start))", \
      "original_purchase_date_ms": "\(milliseconds(periods[0].start))", \
      "expires_date_ms": "\(milliseconds(period.end))"\(period.more)}
      """
    }
    let id = "\"original_transaction_id\": \"\(original)\""
    let info = renewal.isEmpty ? "" : "{\(id), \"auto_renew_status\": \"0\"\(renewal)}"
    return """
      {"status": 0, "environment": "Production", "receipt": {"receipt_type": "Production", \
      "bundle_id": "com.example.app", "request_date_ms": "\(milliseconds(requested))"}, \
      "latest_receipt_info": [\(transactions.joined(separator: ", "))], \
      "pending_renewal_info": [\(info)]}
      """
  }

  /// Three customers: one who turned renewal off, one whose billing failed, and one with a refund.
  static let three = [
    Answer(
      original: "1000", periods: [("2026-01-10", "2026-02-10", "")],
      renewal: ", \"expiration_intent\": \"1\""),
    Answer(
      original: "2000",
      periods: [("2026-01-15", "2026-02-15", ""), ("2026-02-15", "2026-03-15", "")],
      renewal: ", \"expiration_intent\": \"2\""),
    Answer(
      original: "3000",
      periods: [
        ("2026-01-20", "2026-01-27", ", \"is_trial_period\": \"true\""),
        (
          "2026-01-27", "2026-02-27",
          ", \"cancellation_date_ms\": \"1770076800000\", \"cancellation_reason\": \"0\""
        ),
      ]),
  ]

  static func dump(_ answers: [Answer]) -> [UInt8] {
    Array(answers.map { $0.line + "\n" }.joined().utf8)
  }
}

/// A run of receipts, whose tables are explained.
private struct ReceiptRun {
  let result: RunResult
  let receipts: KeptReceipts
  private let sandbox: ReportSandbox

  init(_ sandbox: ReportSandbox, views: [[Dimension]] = [[]], jobs: Int = 2) throws {
    self.sandbox = sandbox
    result = carryOut([sandbox.path], views: views, jobs: jobs) { plan in
      plan.sources = [.receipts]
      plan.keepsReceipts = true
    }
    receipts = try #require(result.receipts)
  }

  func explanation(
    _ cell: String, where conditions: [String] = [], month: String,
    naming: CustomerTable.Naming? = nil, order: ContributionOrder = .subscription,
    limit: Int? = nil
  ) throws -> Explanation {
    let question = try Question(cell, where: conditions, from: [.receipts])
    let month = try #require(Month(month))
    // The dumps are read again.
    return try withExtendedLifetime(sandbox) {
      try Explanation(
        question, month: month, result, receipts, naming: naming, order: order, limit: limit)
    }
  }
}

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
          let keys = ["dating", "currency", "k"] + dimensions.map(\.rawValue)
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
    let sandbox = try ReportSandbox(["dump.ndjson": Answer.dump(Answer.three)])
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
    let sandbox = try ReportSandbox(["dump.ndjson": Answer.dump(Answer.three)])
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
    let sandbox = try ReportSandbox(["dump.ndjson": Answer.dump(Answer.three)])
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
      var answers = Answer.three
      let removed = answers.remove(at: place)
      let sandbox = try ReportSandbox(["dump.ndjson": Answer.dump(answers)])
      let churned = try ReceiptRun(sandbox).explanation("churn.churned", month: "2026-02")
      #expect(churned.sums.map(\.sum) == [1], "without \(removed.original)")
    }
  }

  @Test
  func `fails if a dump has changed since it was read`() throws {
    let sandbox = try ReportSandbox(["dump.ndjson": Answer.dump(Answer.three)])
    let run = try ReceiptRun(sandbox)
    try sandbox.write("dump.ndjson", Answer.dump(Array(Answer.three.prefix(1))))
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
