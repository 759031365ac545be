import Receipts
import Scanning
import SubreportTestSupport
import SubscriptionModel
import Testing

private let bought =
  #"""
  {"transactionId":"2","originalTransactionId":"1","productId":"p","bundleId":"a.b",\#
  "purchaseDate":1600000000000,"expiresDate":1602000000000,"signedDate":1600000005000}
  """#
private let renews =
  #"{"originalTransactionId":"1","productId":"p","autoRenewStatus":0,"signedDate":1600000006000}"#
private let uuid = "00000000-0000-4000-8000-000000000001"

/// Receipts as other programs keep them: METRICS.md 3.15.
@Suite("Kept shapes")
struct KeptShapeTests {
  private static let pretty = bought.replacing(",", with: ",\n  ").replacing("{", with: "{\n  ")

  @Test(arguments: ["\n", "\r\n", "\n\n  ", " "])
  func `of documents of several lines, one after another, are a row each`(between: String) throws {
    let text = [Self.pretty, "[\n\(Self.pretty),\n\(bought)\n]", Self.pretty, bought]
      .joined(separator: between)
    let dump = try Dump(text)
    #expect(dump.results == ["used", "used", "used", "used", "used"])
    #expect(dump.rows.map(\.number) == [1, 2, 3, 4, 5])
    #expect(Set(dump.transactions.map(\.response)) == [100, 101, 102, 103, 104])
    #expect(dump.restarts == 0)
    #expect(dump.storedByteCount == text.utf8.count)
    let arrays = try Dump("[\n\(bought)\n]\n[\n\(bought),\n\(bought)\n]\n")
    #expect(arrays.results == ["used", "used", "used"])
  }

  @Test(arguments: [
    (7, ["used", "truncated-record"]), (40, ["used", "truncated-record"]),
  ])
  func `of documents lose a truncated last one and no other`(
    dropped: Int, results: [String]
  ) throws {
    #expect(
      try Dump("\(Self.pretty)\n\(Self.pretty.dropLast(dropped))").results == results)
  }

  @Test
  func `of documents go on after a damaged one`() throws {
    let damaged = Self.pretty.replacing("\"p\"", with: "p")
    let cut = Self.pretty.split(separator: "\n").dropLast(2).joined(separator: "\n")
    let all = [Self.pretty, damaged, Self.pretty, cut, Self.pretty].joined(separator: "\n")
    let dump = try Dump(all)
    #expect(dump.results == ["used", "not-json", "used", "not-json", "used"])
    #expect(dump.rows.map(\.number) == [1, 2, 3, 4, 5])
  }

  static let notifications: [String] = [
    #"{"notificationType":"DID_CHANGE_RENEWAL_PREF","subtype":"UPGRADE","notificationUUID":"\#(uuid)","signedDate":1600000007000,"data":{"status":3,"transaction":\#(bought),"renewal":\#(renews)}}"#,
    #"{"data":{"renewalInfo":\#(renews),"transactionInfo":\#(bought),"status":"3"},"signed_date":1600000007000,"notification_uuid":"\#(uuid)","subtype":"UPGRADE","notification_type":"DID_CHANGE_RENEWAL_PREF"}"#,
    #"{"notification_type":"DID_CHANGE_RENEWAL_PREF","subtype":"UPGRADE","notification_uuid":"\#(uuid)","signed_date":"2020-09-13T12:26:47Z","status":3,"signed_transaction_info":"\#(jws(bought))","signed_renewal_info":"\#(jws(renews))"}"#,
    #"{"status":3,"decoded_transaction":"\#(bought.replacing("\"", with: "\\\""))","renewal":"\#(jws(renews))","notificationType":"DID_CHANGE_RENEWAL_PREF","subtype":"UPGRADE","notificationUUID":"\#(uuid)","signedDate":1600000007000}"#,
    #"{"id":7,"body":{"notificationType":"DID_CHANGE_RENEWAL_PREF","subtype":"UPGRADE","notificationUUID":"\#(uuid)","signedDate":1600000007000,"data":{"status":3,"decodedTransactionInfo":\#(bought),"decodedRenewalInfo":\#(renews)}}}"#,
    #"{"notification_type":"DID_CHANGE_RENEWAL_PREF","subtype":"UPGRADE","notification_uuid":"\#(uuid)","signed_date":1600000007000,"status":3,"transaction_id":"2","original_transaction_id":"1","product_id":"p","bundle_id":"a.b","purchase_date":1600000000000,"expires_date":1602000000000,"auto_renew_status":0}"#,
  ]

  @Test(arguments: notifications)
  func `of notifications V2 keep their type, subtype and status`(text: String) throws {
    let dump = try Dump(text)
    #expect(dump.responses.map(\.kind) == [.notificationV2])
    #expect(dump.responses.map(\.notificationUUID) == [0x4000_8000_0000_0000_0001 | 0])
    #expect(dump.transactions.map(\.transactionID.value) == [2])
    #expect(
      dump.transactions.allSatisfy { copy in
        copy.flags.isSuperset(of: [.upgradeNotification, .inNotificationLog])
          && copy.origin == .v2 && copy.madeAt.seconds == 1_600_000_007
      })
    #expect(dump.renewals.map(\.status) == [3])
    #expect(dump.renewals.map(\.autoRenews) == [false])
  }

  @Test
  func `of an element of lastTransactions by itself keep its status`() throws {
    let dump = try Dump(
      #"{"originalTransactionId":"1","status":4,"signedTransactionInfo":"\#(jws(bought))"}"#)
    #expect(dump.renewals.map(\.status) == [4])
  }

  @Test
  func `under "transaction" may be responses of their own, or nothing`() throws {
    let answer =
      #"{"status":0,"latest_receipt_info":[{"transaction_id":"1","purchase_date_ms":1600000000000}]}"#
    let library = #"{"transactionId":"2","productId":"p","purchaseDateMs":1600000000000}"#
    for (value, kinds) in [
      (answer, [ReceiptKind.verifyReceipt]), (library, [.verifyReceipt]),
      ("[\(bought)]", [.transaction]),
      ("\"1\"", []), ("5", []), ("{\"id\":1}", []),
    ] {
      let dump = try Dump(#"{"user":1,"transaction":\#(value)}"#)
      #expect(dump.responses.map(\.kind) == kinds, "\(value)")
      #expect(dump.transactions.count == kinds.count)
    }
  }

  @Test(arguments: ["receipt-data", "receipt_data", "receiptData"])
  func `of requests to verifyReceipt hold a raw receipt, and the secret is not read`(
    key: String
  ) throws {
    let receipt = "ewoJInNpZ25hdHVyZSIgPSAi"
    let request = #"{"\#(key)":"\#(receipt)","password":"x","exclude-old-transactions":true}"#
    let dump = try Dump("\(request)\n\(bought)")
    #expect(dump.results == ["not-a-property-list", "used"])
    #expect(dump.symbols.texts.allSatisfy { !$0.contains("x") })
  }

  @Test(
    .enabled(if: receiptFixtures != nil),
    arguments: [
      "raw_receipts/revenuecat_base64encodedreceiptsample1.txt",
      "raw_receipts/mbaasy_decoder/transaction_production.txt",
    ])
  func `of raw receipts may have another alphabet and no padding`(name: String) throws {
    let text = String(decoding: try fixture(name), as: UTF8.self).filter { !$0.isWhitespace }
    let whole = try Dump(text).content
    let other = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    #expect(!whole.isEmpty)
    #expect(try Dump(other).content == whole)
    #expect(try Dump(#"{"receipt-data":"\#(other)","password":"x"}"#).transactions.count > 0)
    // A wrapped receipt ends where its length says, also without padding.
    var wrapped = ""
    for (place, character) in other.enumerated() {
      wrapped += (place > 0 && place % 64 == 0 ? "\n" : "") + String(character)
    }
    #expect(try Dump("\(wrapped)\n\(other)\n").rows.count == 2)
  }

  @Test
  func `of one column have its name first`() throws {
    let signed = jws(bought)
    let quoted = "\"\(bought.replacing("\"", with: "\"\""))\""
    for lines in [
      ["jws", signed, signed], ["\"signedTransaction\"", "\"\(signed)\"", "\"\(signed)\""],
      ["payload", quoted, quoted], ["Message", bought, bought],
    ] {
      for end in ["\n", "\r\n"] {
        let dump = try Dump(lines.joined(separator: end))
        #expect(dump.results == ["used", "used"], "\(lines[0])")
        #expect(dump.rows.map(\.line) == [2, 3])
        let file = TemporaryFile(Array(lines.joined(separator: end).utf8))
        #expect(try DumpSigns(path: file.path).isDump(nil))
      }
    }
    #expect(try Dump("{\"a\":1}\n\(signed)").results == ["unknown-shape", "used"])
  }

  @Test(arguments: [
    ("Auto-Renewable Subscription", TransactionCopy.ProductType.autoRenewable),
    ("AUTO_RENEWABLE_SUBSCRIPTION", .autoRenewable), ("autoRenewable", .autoRenewable),
    ("Non-Renewing Subscription", .nonRenewing), ("NON_RENEWING_SUBSCRIPTION", .nonRenewing),
    ("nonRenewable", .nonRenewing), ("NON_CONSUMABLE", .other), ("Consumable", .other),
    (" Non-Renewing Subscription\u{A0}", .nonRenewing),
  ])
  func `of transactions name the type in Apple's words or a library's`(
    word: String, type: TransactionCopy.ProductType
  ) throws {
    let dump = try Dump(bought.replacing("{", with: "{\"type\":\"\(word)\","))
    #expect(dump.transactions.map(\.type) == [type])
  }

  @Test
  func `of values may have blanks around them`() throws {
    let text =
      "{\"in_app_ownership_type\":\"\u{A0}FAMILY_SHARED \",\"transaction_id\":\" 1\u{2003}\","
      + "\"product_id\":\"\u{A0}p\",\"purchase_date\":\" 2020-09-13 12:26:40 Etc/GMT\u{A0}\"}"
    let dump = try Dump(text)
    #expect(dump.transactions.map(\.ownership) == [.family])
    #expect(dump.transactions.map { dump.text($0.product) } == ["p"])
    #expect(dump.transactions.map(\.transactionID.value) == [1])
    #expect(dump.transactions.map(\.purchase.seconds) == [1_600_000_000])
  }

  @Test
  func `of notifications V1 may have keys in camel case`() throws {
    let snake =
      #"{"notification_type":"DID_FAIL_TO_RENEW","environment":"PROD","auto_renew_status":"true","latest_expired_receipt_info":{"transaction_id":"1","original_transaction_id":"1","product_id":"p","purchase_date_ms":"1600000000000","expires_date":"1602000000000"}}"#
    let camel = snake.replacing("notification_type", with: "notificationType")
      .replacing("auto_renew_status", with: "autoRenewStatus")
      .replacing("latest_expired_receipt_info", with: "latestExpiredReceiptInfo")
    #expect(try Dump(camel).content == Dump(snake).content)
    #expect(try Dump(camel).responses.map(\.kind) == [.notificationV1])
  }
}
