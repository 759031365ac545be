import Pages
import Pipeline
import PipelineTestSupport
import Receipts
import SubreportTestSupport
import SubscriptionModel
import Testing

/// The name of the dump in most tests.
private let name = "dump.ndjson"

/// A renewed subscription, by the entry of `latest_receipt_info` for each of its transactions.
private func answer(
  _ id: Int, requested: String = "2026-03-01 12:00:00 Etc/GMT", environment: String = "Production",
  purchases: [String] = ["2026-01-01", "2026-02-01"], more: String = ""
) -> String {
  let items = purchases.enumerated().map { index, day in
    """
    {"product_id":"monthly","transaction_id":"\(id + index)","original_transaction_id":"\(id)",\
    "purchase_date":"\(day) 08:00:00 Etc/GMT","expires_date":"\(day) 20:00:00 Etc/GMT"}
    """
  }
  return """
    {"status":0,"environment":"\(environment)","receipt":{"bundle_id":"com.example.app",\
    "request_date":"\(requested)"},"latest_receipt_info":[\(items.joined(separator: ","))]\(more)}
    """
}

private func dump(_ lines: String...) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

@Suite("A cache of dumps")
struct DumpCacheTests {
  @Test
  func `is made by the first run and used by the second`() throws {
    let sandbox = try CacheSandbox([name: dump(answer(70_000), answer(80_000))])
    #expect(try sandbox.differences() == [])
    let inodes = sandbox.inodes
    #expect(try sandbox.differences() == [])
    #expect(inodes.count == 1 && sandbox.inodes == inodes)
    #expect(sandbox.readings == ["receipts-production"])
  }

  @Test
  func `keeps what is read in another way apart`() throws {
    let table = "bought,id\n2026-01-01T08:00:00Z,70000\n"
    let sandbox = try CacheSandbox([
      name: dump(answer(70_000), answer(80_000, environment: "Sandbox")),
      "table.csv": Array(table.utf8),
    ])
    let columns = { (headers: [ReceiptColumns.Field: String]) in
      { (plan: inout RunPlan) in plan.receipts.columns = ReceiptColumns(headers) }
    }
    var roots = RootCertificates()
    try roots.add(try SigningChain().root)
    let changes: [(inout RunPlan) -> Void] = [
      { _ in }, { $0.receipts.environment = .sandbox }, { $0.receipts.environment = .all },
      { $0.sources = [.subscribers] }, { [roots] in $0.receipts.roots = roots },
      columns([.purchaseDate: "bought", .originalTransactionID: "id"]),
      columns([.purchaseDate: "bought", .transactionID: "id"]),
    ]
    for _ in 0..<2 {
      for change in changes { #expect(try sandbox.differences(change: change) == []) }
    }
    #expect(
      sandbox.readings.map(withoutDigits).sorted() == [
        "counted", "receipts-all", "receipts-production", "receipts-production-columns",
        "receipts-production-columns", "receipts-production-counted",
        "receipts-production-verified", "receipts-sandbox",
      ])
  }

  @Test
  func `knows nothing of a dump that as-of cuts, and is used for all of one that it does not`()
    throws
  {
    let sandbox = try CacheSandbox([
      "early.ndjson": dump(answer(70_000)),
      "late.ndjson": dump(
        answer(80_000), answer(90_000, requested: "2026-03-04 12:00:00 Etc/GMT")),
    ])
    let cut = { (text: String) in { (plan: inout RunPlan) in plan.receipts.asOf = Instant(text) } }
    #expect(try sandbox.differences(change: cut("2026-03-04T11:59:59Z")) == [])
    #expect(sandbox.entries.count == 1)
    #expect(try sandbox.differences(change: cut("2026-03-04T12:00:00Z")) == [])
    let inodes = sandbox.inodes
    #expect(inodes.count == 2)
    for text in ["2026-03-04T11:59:59Z", "2026-02-01T00:00:00Z", "2026-12-31T00:00:00Z"] {
      #expect(try sandbox.differences(change: cut(text)) == [])
    }
    #expect(sandbox.inodes == inodes)
  }

  @Test(arguments: [
    "[\(answer(70_000)),\n\(answer(80_000))]", "[\(answer(70_000)),\n\(answer(80_000))]\n[]",
    "{\n" + answer(70_000).dropFirst(), "{\n\(answer(70_000).dropFirst())\n\(answer(80_000))",
    "{\"status\":21002}\n{}\n\(answer(70_000))\nnothing\n{\"status\":0", "{}", "[]", "{", "[1",
    answer(70_000).replacing("_transaction_id", with: "_id"),
    answer(70_000).replacing("transaction_id", with: "x") + "\n" + answer(80_000),
    answer(70_000).replacing("\"70", with: "\"T70"),
    answer(70_000, more: ",\"pending_renewal_info\":[{\"auto_renew_status\":\"1\"}]"),
    answer(70_000).replacing("\"environment\":\"Production\",", with: ""),
    "id,receipt\n1,e30=\n2,\"x", "receipt\n\(String(repeating: "secret", count: 9))",
  ])
  func `keeps dumps of any form`(text: String) throws {
    let sandbox = try CacheSandbox([name: Array(text.utf8), "other.json": dump(answer(95_000))])
    for jobs in [1, 2, 1] { #expect(try sandbox.differences(jobs: jobs) == []) }
    #expect(sandbox.entries.count == 2)
  }

  @Test
  func `knows a notification that was sent twice, and a dump that is there twice`() throws {
    let notification = """
      {"notificationType":"DID_RENEW","notificationUUID":"002e14d5-51f5-4503-b5a8-c3a1af68eb20",\
      "data":{"environment":"Production","signedTransactionInfo":{"transactionId":"70001",\
      "originalTransactionId":"70000","purchaseDate":1767254400000,"signedDate":1767254400000}},\
      "version":"2.0","signedDate":1767254400000}
      """
    let sandbox = try CacheSandbox([
      "first.ndjson": dump(answer(70_000), notification),
      "second.ndjson": dump(answer(80_000), notification),
      "third.ndjson": dump(answer(80_000), notification),
    ])
    for _ in 0..<2 {
      #expect(try sandbox.differences() == [])
      let outcome = try sandbox.run().outcome
      #expect(outcome.account("second.ndjson")[4] == "duplicate notificationUUID: 1")
      #expect(outcome.account("third.ndjson")[4].hasPrefix("duplicate file: 2"))
    }
    #expect(sandbox.readings == ["receipts-production", "receipts-production-counted"])
  }

  @Test
  func `holds what joins customers, and nothing else about them`() throws {
    let token = "63e00534-4660-4b2f-9eae-7269e1ac3dea"
    let sandbox = try CacheSandbox([
      name: dump(
        answer(70_000, more: ",\"latest_receipt\":\"private1\",\"password\":\"private2\"")
          .replacing("{\"product_id", with: "{\"app_account_token\":\"\(token)\",\"product_id")
          .replacing("\"receipt\":{", with: "\"receipt\":{\"download_id\":\"private3\","),
        answer(80_000, environment: "Sandbox").replacing("monthly", with: "private4")),
      "table.csv": Array("receipt\n\(String(repeating: "private5", count: 8))\n".utf8),
    ])
    for _ in 0..<2 { #expect(try sandbox.differences() == []) }
    let entries = try sandbox.entries.map {
      String(decoding: try sandbox.entry($0), as: UTF8.self)
    }
    #expect(entries.contains { $0.contains(token) && $0.contains("monthly") })
    #expect(entries.allSatisfy { !$0.contains("private") })
    for entry in sandbox.entries {
      #expect(sandbox.mode(sandbox.extracts + "/" + entry) == 0o600)
    }
  }
}
