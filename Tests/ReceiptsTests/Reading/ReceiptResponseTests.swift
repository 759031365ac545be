import Receipts
import SubscriptionModel
import Testing

private let first = #"""
  {"transaction_id":"1","original_transaction_id":"1","product_id":"p",\#
  "purchase_date_ms":"1595000000000","expires_date_ms":"1596000000000"}
  """#
private let second = #"""
  {"transaction_id":"2","original_transaction_id":"1","product_id":"p",\#
  "purchase_date_ms":"1596000000000","expires_date_ms":"1597000000000"}
  """#

private func signed(_ id: Int, purchase: Int, date: Int, _ more: String = "") -> String {
  jws(
    #"""
    {"transactionId":"\#(id)","originalTransactionId":"1","productId":"p",\#
    "purchaseDate":\#(purchase)000,"signedDate":\#(date)000\#(more)}
    """#
  )
}

@Suite("Responses")
struct ReceiptResponseTests {
  @Test
  func `are as old as what they say, else as the newest date in them`() throws {
    let cases: [(String, Int)] = [
      (#"{"receipt":{"request_date_ms":"1600000000000","in_app":[\#(first)]}}"#, 1_600_000_000),
      (
        #"{"receipt":{"request_date":"2020-09-13 12:26:40 Etc/GMT","in_app":[\#(first)]}}"#,
        1_600_000_000
      ),
      (#"{"latest_receipt_info":[\#(second),\#(first)]}"#, 1_596_000_000),
      (
        #"{"receipt":{"receipt_creation_date_ms":"1596500000000","in_app":[\#(second)]}}"#,
        1_596_500_000
      ),
      (
        #"""
        {"notification_type":"CANCEL","latest_receipt_info":\#(first),\#
        "auto_renew_status_change_date_ms":"1595500000000"}
        """#,
        1_595_500_000
      ),
      // What is reported as expired was over by then: by its status, or by the intent of its renewal.
      (
        #"{"status":21006,"receipt":\#(first),"latest_expired_receipt_info":\#(second)}"#,
        1_597_000_000
      ),
      (
        #"""
        {"latest_receipt_info":[\#(first),\#(second)],\#
        "pending_renewal_info":[{"original_transaction_id":"1","expiration_intent":"1"}]}
        """#,
        1_597_000_000
      ),
      // A refunded purchase was over when it was refunded, not when Apple's expiry comes.
      (
        #"""
        {"status":21006,"receipt":\#(first),"latest_expired_receipt_info":\#
        {"original_transaction_id":"1","product_id":"p","purchase_date_ms":"1595500000000",\#
        "expires_date":"1627000000000","cancellation_date_ms":"1596100000000"}}
        """#,
        1_596_100_000
      ),
      (
        #"""
        {"latest_receipt_info":[\#(first)],\#
        "pending_renewal_info":[{"original_transaction_id":"9","expiration_intent":"1"}]}
        """#,
        1_595_000_000
      ),
    ]
    for (text, seconds) in cases {
      let dump = try Dump(text)
      #expect(dump.responses.map { Int($0.madeAt.seconds) } == [seconds], "\(text)")
      #expect(dump.transactions.allSatisfy { Int($0.madeAt.seconds) == seconds }, "\(text)")
      #expect(dump.renewals.allSatisfy { Int($0.madeAt.seconds) == seconds }, "\(text)")
    }
  }

  @Test
  func `of renewal infos alone must say when they were made`() throws {
    let dump = try Dump(
      #"{"original_transaction_id":"1","auto_renew_status":"1","product_id":"p"}"#)
    #expect(dump.results == ["no-record-date"])
    #expect(dump.kind == .renewalInfo)
  }

  @Test(
    arguments: [
      (#""environment":"Production""#, .production), (#""environment":"PROD""#, .production),
      (#""environment":"Sandbox""#, .nonProduction),
      (#""environment":"LocalTestingxxx""#, .nonProduction),
      (#""environment":"Xcode""#, .nonProduction), (#""environment":"""#, .missing),
      (#""status":0"#, .missing),
      (#""receipt":{"receipt_type":"ProductionSandbox"}"#, .nonProduction),
      (
        #""environment":"Production","receipt":{"receipt_type":"ProductionVPPSandbox"}"#,
        .nonProduction
      ),
      (#""receipt":{"receipt_type":"Production"}"#, .production),
    ] as [(String, ReceiptResponse.Environment)])
  func `are not production when anything in them says so`(
    keys: String, environment: ReceiptResponse.Environment
  ) throws {
    // The keys may also come after the transactions.
    let transactions = #""latest_receipt_info":[\#(first)]"#
    for text in ["{\(keys),\(transactions)}", "{\(transactions),\(keys)}"] {
      let dump = try Dump(text)
      #expect(dump.responses.map(\.environment) == [environment])
      #expect(
        dump.transactions.map { $0.flags.contains(.nonProduction) } == [
          environment == .nonProduction
        ])
    }
  }

  @Test
  func `of a page are not production when one of its transactions says so`() throws {
    let page =
      #"""
      {"environment":"Production",\#
      "signedTransactions":["\#(signed(1, purchase: 1_600_000_000, date: 1_600_000_001, #","environment":"Sandbox""#))"]}
      """#
    #expect(try Dump(page).responses.map(\.environment) == [.nonProduction])
  }

  @Test func `give in_app the ownership that the transaction has elsewhere`() throws {
    let dump = try Dump(
      #"""
      {"receipt":{"in_app":[\#(first),\#(second)]},\#
      "latest_receipt_info":[{"transaction_id":"1","purchase_date_ms":"1595000000000",\#
      "in_app_ownership_type":"FAMILY_SHARED"}]}
      """#
    )
    #expect(dump.transactions.map(\.ownership) == [.family, .missing, .family])
  }

  @Test
  func `of iOS 6 say at their top level how the renewal stands, and give the app to all in them`()
    throws
  {
    let dump = try Dump(
      #"""
      {"status":21006,"auto_renew_status":0,"expiration_intent":"2",\#
      "is_in_billing_retry_period":"1","receipt":{"bid":"com.example","transaction_id":"1",\#
      "original_transaction_id":"1","product_id":"p","purchase_date_ms":"1595000000000",\#
      "expires_date":"1596000000000"},"latest_expired_receipt_info":\#(second)}
      """#
    )
    #expect(dump.kind == .verifyReceiptIOS6)
    #expect(dump.transactions.map(\.origin) == [.inApp, .latest])
    #expect(dump.transactions.allSatisfy { $0.flags == [.hasExpiredStatus] })
    #expect(dump.transactions.map { dump.text($0.app) } == ["com.example", "com.example"])
    #expect(
      dump.renewals.map { dump.describe($0) } == ["100 2020-08-09T19:06:40Z 1  - 2 false true 0 -"])
  }

  @Test func `with pending_renewal_info have no other renewal info at their top level`() throws {
    let dump = try Dump(
      #"""
      {"notification_type":"DID_RENEW","auto_renew_status":"true",\#
      "unified_receipt":{"latest_receipt_info":[\#(first)],\#
      "pending_renewal_info":[{"original_transaction_id":"1","auto_renew_status":"1"}]}}
      """#
    )
    #expect(dump.renewals.count == 1)
    #expect(dump.kind == .notificationV1)
    #expect(dump.transactions.map(\.flags) == [[.inNotificationLog]])
  }

  @Test
  func `with another status give nothing, whatever is in them and where the status stands`() throws
  {
    for status in ["21003", "\"21003\"", "21002", "21010", "21199", "1", "-1"] {
      let texts = [
        #"{"status":\#(status),"latest_receipt_info":[\#(first),{"product_id":"p"}]}"#,
        #"{"latest_receipt_info":[\#(first),{"product_id":"p"}],"status":\#(status)}"#,
      ]
      for text in texts {
        #expect(try Dump(text).results == ["status not 0 or 21006"], "\(text)")
      }
    }
  }

  @Test
  func `are found in wrappers, one or two levels down, each on its own`() throws {
    let answer = #"{"status":0,"latest_receipt_info":[\#(first)]}"#
    for text in [
      #"{"user_id":5,"receipt_response":\#(answer)}"#, #"{"a":{"b":\#(answer)}}"#,
      #"{"data":\#(answer)}"#, #"{"status":"ok","body":\#(answer)}"#, #"[\#(answer)]"#,
    ] {
      let dump = try Dump(text)
      #expect(dump.kind == .verifyReceipt, "\(text)")
      #expect(dump.results == ["used"], "\(text)")
      #expect(dump.transactions.count == 1, "\(text)")
    }
    #expect(try Dump(#"{"a":{"b":{"c":\#(answer)}}}"#).kind == nil)
    let two = try Dump(#"{"answers":[\#(answer),\#(answer)]}"#)
    #expect(two.rows.count == 1)
    #expect(two.transactions.map(\.response) == [100, 101])
    let data = try Dump(#"{"data":[\#(answer),\#(answer)]}"#)
    #expect(data.transactions.map(\.response) == [100, 101])
  }

  @Test
  func `are not what wraps them, whatever its fields are called`() throws {
    let row = #""id":1,"product_id":"p","purchase_date":"2020-01-01T00:00:00Z""#
    let answer = #"{"status":0,"latest_receipt_info":[\#(first)]}"#
    for text in [#"{\#(row),"answer":\#(answer)}"#, #"{"answer":\#(answer),\#(row)}"#] {
      let dump = try Dump(text)
      #expect(dump.responses.map(\.kind) == [.verifyReceipt])
      #expect(dump.transactions.map { dump.text($0.transactionID) } == ["1"])
    }
    let without = try Dump(#"{\#(row),"answer":{"status":21003}}"#)
    #expect(without.results == ["status not 0 or 21006"])
    // An answer keeps what it says itself when another one is in it.
    let both = try Dump(
      #"{"environment":"Sandbox","latest_receipt_info":[\#(second)],"other":\#(answer)}"#)
    #expect(both.responses.map(\.environment) == [.missing, .nonProduction])
    #expect(both.transactions.map { dump(both, $0) } == ["101 2", "100 1"])
  }

  private func dump(_ dump: Dump, _ copy: TransactionCopy) -> String {
    "\(copy.response) \(dump.text(copy.transactionID))"
  }

  @Test
  func `of a notification have its UUID, its subtype and the status of the subscription`() throws {
    let uuid = "002e14d5-51f5-4503-b5a8-c3a1af68eb20"
    let renewal = jws(
      #"{"originalTransactionId":"1","autoRenewStatus":1,"signedDate":1600000002000}"#)
    let payload =
      #"""
      {"notificationType":"DID_CHANGE_RENEWAL_PREF","subtype":"UPGRADE",\#
      "notificationUUID":"\#(uuid)","signedDate":1600000005000,"data":{"status":3,\#
      "bundleId":"com.example","environment":"Production","signedRenewalInfo":"\#(renewal)",\#
      "signedTransactionInfo":"\#(signed(1, purchase: 1_600_000_000, date: 1_600_000_001))"}}
      """#
    for text in [#"{"signedPayload":"\#(jws(payload))"}"#, jws(payload), payload] {
      let dump = try Dump(text)
      let response = try #require(dump.responses.first)
      #expect(dump.kind == .notificationV2)
      #expect(response.notificationUUID == 0x002e_14d5_51f5_4503_b5a8_c3a1_af68_eb20)
      #expect(response.madeAt.seconds == 1_600_000_005)
      #expect([.notificationV1, .notificationV2].contains(response.kind))
      #expect(
        dump.transactions.map(\.flags) == [
          [.inNotificationLog, .upgradeNotification, .hasSignedDate]
        ])
      #expect(dump.transactions.map(\.madeAt.seconds) == [1_600_000_005])
      #expect(dump.transactions.map { dump.text($0.app) } == ["com.example"])
      #expect(dump.renewals.map(\.status) == [3])
      #expect(dump.renewals.map(\.madeAt.seconds) == [1_600_000_005])
    }
    let history = #"""
      {"notificationHistory":[{"signedPayload":"\#(jws(payload))"},\#
      {"signedPayload":"\#(jws(payload))"}],"hasMore":false}
      """#
    #expect(try Dump(history).responses.map(\.kind) == [.notificationV2, .notificationV2])
  }

  @Test
  func `of a page of statuses are one, with the status also where no renewal info is`() throws {
    let transaction = signed(1, purchase: 1_600_000_000, date: 1_600_000_001)
    let dump = try Dump(
      #"""
      {"data":[{"lastTransactions":[{"status":4,"signedTransactionInfo":"\#(transaction)"}]},\#
      {"lastTransactions":[{"signedTransactionInfo":"\#(transaction)","status":2}]}],\#
      "environment":"Production"}
      """#
    )
    #expect(dump.kind == .apiStatus)
    #expect(dump.responses.count == 1)
    #expect(dump.transactions.map(\.response) == [100, 100])
    #expect(dump.renewals.map(\.status) == [4, 2])
    #expect(dump.renewals.map { dump.text($0.originalID) } == ["1", "1"])
  }

  @Test
  func `of a page are as old as the newest signature in it`() throws {
    let dump = try Dump(
      #"""
      {"signedTransactions":["\#(signed(1, purchase: 1_600_000_000, date: 1_600_000_009))",\#
      "\#(signed(2, purchase: 1_600_000_000, date: 1_600_000_005))","x"],"revision":"r",\#
      "hasMore":false}
      """#
    )
    #expect(dump.kind == .apiHistory)
    #expect(dump.responses.map(\.madeAt.seconds) == [1_600_000_009])
    #expect(dump.transactions.map(\.madeAt.seconds) == [1_600_000_009, 1_600_000_005])
    #expect(dump.rows.map(\.unusableCount) == [1])
  }

  @Test
  func
    `without an entry for an id have an absent one, whatever the top level of a notification says`()
    throws
  {
    for list in [#""pending_renewal_info":[],"#, ""] {
      let dump = try Dump(
        #"""
        {"notification_type":"DID_CHANGE_RENEWAL_STATUS","auto_renew_status":"false",\#
        "unified_receipt":{"status":0,\#(list)"latest_receipt_info":[\#(first)]},\#
        "auto_renew_status_change_date_ms":"1596100000000"}
        """#)
      #expect(dump.renewals.map(\.isAbsent) == [false, true])
      #expect(dump.renewals.map(\.expirationIntent) == [0, 1])
      #expect(dump.renewals.map { $0.newestPurchase != nil } == [false, true])
    }
  }
}
