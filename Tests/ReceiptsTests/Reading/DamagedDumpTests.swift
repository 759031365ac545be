import Receipts
import SubreportTestSupport
import SubscriptionModel
import Testing

private let transaction = jws(
  #"""
  {"transactionId":"1","originalTransactionId":"1","productId":"p",\#
  "purchaseDate":1600000000000,"signedDate":1600000000000,"environment":"Production"}
  """#
)

private let propertyList = base64(
  Array(
    """
    {
    "purchase-info" = "\(base64(Array(#"{"product-id" = "p"; "transaction-id" = "1"; "purchase-date-ms" = "1600000000000";}"#.utf8)))";
    }
    """.utf8))

/// One small dump of each shape.
private let dumps: [String] = [
  #"""
  {"status":0,"environment":"Sandbox","receipt":{"request_date_ms":"1600000000000",\#
  "in_app":[{"product_id":"p","purchase_date":"2020-01-01 00:00:00 Etc/GMT"}]},\#
  "latest_receipt_info":[{"transaction_id":"1","purchase_date_ms":"1595000000000",\#
  "is_trial_period":"true"}],"pending_renewal_info":[{"original_transaction_id":"1",\#
  "auto_renew_status":"1"}]}
  """#,
  #"""
  {"status":21006,"auto_renew_status":0,"receipt":{"bid":"a","product_id":"p",\#
  "purchase_date_ms":"1595000000000","expires_date":"1596000000000"}}
  """#,
  #"""
  {"notificationType":"X","data":{"status":1,"signedTransactionInfo":"\#(transaction)"},\#
  "notificationUUID":"002e14d5-51f5-4503-b5a8-c3a1af68eb20"}
  """#,
  #"""
  [{"data":[{"lastTransactions":[{"status":4,"signedTransactionInfo":"\#(transaction)"}]}]},\#
  {"signedPayload":"\#(transaction)"}]
  """#,
  "\(transaction)\n\(propertyList)\n{\"a\":1}\n",
  "app_user_id,receipt\nu,\"\(transaction)\"\nv,\(propertyList)\n",
]

@Suite("Damaged dumps")
struct DamagedDumpTests {
  /// Reads bytes as a file, and checks what must hold for every file.
  private func read(_ bytes: [UInt8]) throws -> Dump {
    let dump = try Dump(bytes)
    #expect(dump.storedByteCount == bytes.count)
    #expect(dump.rows.map(\.number) == Array(1..<dump.rows.count + 1))
    for row in dump.rows {
      let isUsed = row.result == "used"
      #expect(isUsed != (row.transactions.isEmpty && row.renewals.isEmpty))
      #expect(isUsed || row.responses.isEmpty)
      let responses = (row.transactions.map(\.response) + row.renewals.map(\.response))
      #expect(responses.allSatisfy { $0 >= 100 && $0 < 100 + UInt32(dump.responses.count) })
      #expect(row.transactions.allSatisfy { $0.madeAt.seconds > 1_000_000_000 })
      #expect(row.renewals.allSatisfy { $0.madeAt.seconds > 1_000_000_000 })
    }
    return dump
  }

  @Test(arguments: dumps)
  func `cut anywhere are read to where they make sense`(text: String) throws {
    let bytes = Array(text.utf8)
    #expect(try read(bytes).rows.contains { $0.result == "used" })
    for count in 0..<bytes.count { _ = try read(Array(bytes[..<count])) }
  }

  @Test(arguments: dumps)
  func `with a wrong byte are read to where they make sense`(text: String) throws {
    let bytes = Array(text.utf8)
    var random = SeededGenerator(seed: 17)
    for _ in 0..<400 {
      var wrong = bytes
      wrong[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
      _ = try read(wrong)
    }
  }

  @Test
  func `without any sense are not read`() throws {
    var random = SeededGenerator(seed: 5)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      // Two bytes of noise may be those of gzip.
      if bytes.starts(with: [0x1F, 0x8B]) { continue }
      #expect(try read(bytes).transactions.isEmpty)
    }
  }
}
