import Explain
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Testing

/// A verifyReceipt answer of one customer, as a line of a dump.
struct ReceiptAnswer {
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
    ReceiptAnswer(
      original: "1000", periods: [("2026-01-10", "2026-02-10", "")],
      renewal: ", \"expiration_intent\": \"1\""),
    ReceiptAnswer(
      original: "2000",
      periods: [("2026-01-15", "2026-02-15", ""), ("2026-02-15", "2026-03-15", "")],
      renewal: ", \"expiration_intent\": \"2\""),
    ReceiptAnswer(
      original: "3000",
      periods: [
        ("2026-01-20", "2026-01-27", ", \"is_trial_period\": \"true\""),
        (
          "2026-01-27", "2026-02-27",
          ", \"cancellation_date_ms\": \"1770076800000\", \"cancellation_reason\": \"0\""
        ),
      ]),
  ]

  static func dump(_ answers: [ReceiptAnswer]) -> [UInt8] {
    Array(answers.map { $0.line + "\n" }.joined().utf8)
  }
}

/// A run of receipts, whose tables are explained.
struct ReceiptRun {
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
    limit: Int? = nil, leavingOut: Bool = false
  ) throws -> Explanation {
    let question = try Question(cell, where: conditions, from: [.receipts])
    let month = try #require(Month(month))
    // The dumps are read again.
    return try withExtendedLifetime(sandbox) {
      try Explanation(
        question, month: month, result,
        Listing(naming: naming, order: order, limit: limit, leavingOut: leavingOut))
    }
  }

  func story(_ subscription: String, naming: CustomerTable.Naming? = nil) throws -> Story {
    try withExtendedLifetime(sandbox) {
      try Story(of: subscription, result, naming: naming)
    }
  }
}
