import Receipts
import Scanning
import SubscriptionModel
import Testing

private func transaction(_ keys: String) -> String {
  #"{"transactionId":"2","originalTransactionId":"1","purchaseDate":1600000000000,"signedDate":1600000000000"#
    + (keys.isEmpty ? "" : ",\(keys)") + "}"
}

@Suite("Rewritten values")
struct RewrittenValueTests {
  @Test(arguments: [
    #""4.70001E+14""#, "4.70001E+14", #""470001234567891.0""#, "470001234567891.0", "1.0E+14",
    #""1e5""#, #""4,70001E+14""#, #""470.001.234.567.891""#,
  ])
  func `in ids make a transaction unusable`(id: String) throws {
    for key in ["transactionId", "originalTransactionId", "webOrderLineItemId", "appTransactionId"]
    {
      let own = #""transactionId":"2","originalTransactionId":"1""#
      let others = own.split(separator: ",").filter { !$0.contains("\"\(key)\"") }
      let keys = (others.map(String.init) + ["\"\(key)\":\(id)", "\"purchaseDate\":1600000000000"])
        .joined(separator: ",")
      let dump = try Dump("{\(keys)}")
      #expect(dump.results == ["rewritten-id"], "\(keys)")
      #expect(dump.rows[0].reject?.column == key)
    }
  }

  @Test(arguments: [#""470001234567891""#, #""GPA.1234-5678""#, #""a1e5""#, #""***""#, #""0""#])
  func `are not the ids that one may have`(id: String) throws {
    #expect(try Dump(transaction(#""webOrderLineItemId":\#(id)"#)).results == ["used"])
  }

  @Test(arguments: [#""***""#, #""0""#, #""--""#, #""""#, #""00-00""#])
  func `without a letter or a digit are no ids`(id: String) throws {
    let dump = try Dump(transaction(#""webOrderLineItemId":\#(id)"#))
    #expect(dump.transactions.map(\.lineItemID.isUsable) == [false])
  }

  @Test(arguments: [
    (#""revocationDate":{"$numberLong":"1600000000000"}"#, "not-a-date"),
    (#""revocationDate":[1600000000000]"#, "not-a-date"),
    (#""revocationDate":false"#, "not-a-date"),
    (#""revocationDate":"yesterday""#, "not-a-date"),
    (#""expiresDate":"2/5/26 10:00""#, "not-a-date"),
    (#""expiresDate":"2026-02-05""#, "not-a-date"),
    (#""expiresDate":"2026-02-30 05:20:00 Etc/GMT""#, "not-a-date"),
    (#""expires_date":"x","expires_date_ms":"1600000000000""#, "used"),
    (#""expires_date_ms":"x","expires_date":"2026-02-05 10:00:00 Etc/GMT""#, "used"),
    (#""revocationDate":null"#, "used"), (#""revocationDate":"None""#, "used"),
    (#""revocationDate":"""#, "used"), (#""revocationDate":0"#, "used"),
    (#""revocationDate":"-1""#, "used"), (#""expiresDate":"9999-12-31T23:59:59Z""#, "used"),
    (#""expiresDate":"2026-02-05 10:00:00""#, "used"),
    (#""expires_date_pst":"x""#, "used"),
  ])
  func `in place of dates make a transaction unusable`(keys: String, result: String) throws {
    #expect(try Dump(transaction(keys)).results == [result])
  }

  @Test(
    arguments: [
      ("9990", 9_990, 0), (#""9990""#, 9_990, 0), ("9990.0", 9_990, 0), ("0", 0, 0),
      ("9.99", nil, 1), ("-1", nil, 1), (#""free""#, nil, 1), ("{}", nil, 1), ("null", nil, 0),
      (#""""#, nil, 0),
    ] as [(String, Int64?, Int)])
  func `in place of prices are counted`(price: String, milliunits: Int64?, unreadable: Int) throws {
    let dump = try Dump(transaction(#""currency":"USD","price":\#(price)"#))
    #expect(dump.transactions.map(\.price) == [milliunits])
    #expect(dump.rows.map(\.unreadablePrices) == [unreadable])
  }

  @Test(arguments: [
    ("usd", "USD"), (" eur ", "EUR"), ("Usd", "Usd"), ("us", "us"), ("gold", "gold"),
  ])
  func `in small letters are currencies where they are codes`(found: String, read: String) throws {
    let dump = try Dump(transaction("\"currency\":\"\(found)\",\"price\":9990"))
    #expect(dump.transactions.map { dump.text($0.currency) } == [read])
  }

  @Test(arguments: [
    (
      #""offerType":"INTRODUCTORY_OFFER","offerDiscountType":"FREE_TRIAL""#,
      TransactionCopy.Flags.trial
    ),
    (#""offerType":"introductoryOffer","offerDiscountType":"payUpFront""#, .intro),
    (#""offerType":"PROMOTIONAL_OFFER""#, .offer),
    (#""offerType":"subscriptionOfferCode""#, .offer),
    (#""offerType":"WIN_BACK_OFFER""#, .offer),
  ])
  func `of offers as words of libraries are those numbers`(
    keys: String, flag: TransactionCopy.Flags
  ) throws {
    let dump = try Dump(transaction(keys))
    #expect(dump.transactions.map { $0.flags.contains(flag) } == [true])
  }

  @Test
  func `of renewal infos as words of libraries are those numbers`() throws {
    let words = [
      "CUSTOMER_CANCELLED", "billingError", "CUSTOMER_DID_NOT_CONSENT_TO_PRICE_INCREASE",
      "productNotAvailable", "OTHER",
    ]
    for (index, word) in words.enumerated() {
      let dump = try Dump(
        #"{"originalTransactionId":"1","autoRenewProductId":"m","autoRenewStatus":"OFF","expirationIntent":"\#(word)","signedDate":1600000000000}"#
      )
      #expect(dump.renewals.map(\.expirationIntent) == [UInt8(index + 1)])
    }
    let retry = try Dump(
      #"{"environment":"Production","data":[{"lastTransactions":[{"status":"BILLING_RETRY","signedTransactionInfo":\#(transaction(""))}]}]}"#
    )
    #expect(retry.renewals.map(\.status) == [3])
  }

  @Test
  func `in place of a status make an answer one that is not good`() throws {
    let answer = { (status: String) in
      #"{"status":\#(status),"receipt":{"in_app":[]},"latest_receipt_info":[{"transaction_id":"5","original_transaction_id":"5","product_id":"m","purchase_date_ms":"1600000000000"}]}"#
    }
    #expect(try Dump(answer("0")).results == ["used"])
    let bad = try Dump(answer("21003")).results
    #expect(bad != ["used"])
    #expect(try Dump(answer(#"{"$numberInt":"21003"}"#)).results == bad)
  }

  @Test(arguments: ["signedTransactionInfo", "transactionInfo", "transaction_info"])
  func `of a decoded notification keep its kind under other names`(key: String) throws {
    let dump = try Dump(
      #"{"notificationType":"SUBSCRIBED","subtype":"UPGRADE","notificationUUID":"u","signedDate":1600000000000,"data":{"bundleId":"b","environment":"Production","\#(key)":\#(transaction(""))}}"#
    )
    #expect(dump.rows.map(\.kind) == [.notificationV2])
    #expect(dump.transactions.count == 1)
  }

  @Test
  func `leave the other transactions of an answer`() throws {
    let dump = try Dump(
      #"{"status":0,"environment":"Production","latest_receipt_info":[{"transaction_id":"2","purchase_date_ms":"1600000000000"},{"transaction_id":3.0E+14,"purchase_date_ms":"1600000000000"}],"pending_renewal_info":[{"original_transaction_id":4.0E+14,"auto_renew_status":"1"}]}"#
    )
    #expect(dump.results == ["used"])
    #expect(dump.rows.map(\.unusableCount) == [2])
    #expect(dump.renewals.isEmpty)
  }

  @Test(arguments: [
    #""revocationDate":"2026-02-05 10:00:00""#, #""expiresDate":"2026-02-05T10:00:00.5""#,
    #""expiresDate":"2026-02-05 10:00:00 America/Los_Angeles""#,
  ])
  func `are missing and counted where they are dates without a zone`(keys: String) throws {
    let dump = try Dump(transaction(keys))
    #expect(dump.rows.map(\.unplacedDates) == [1])
    #expect(dump.transactions.map { $0.expires ?? $0.cancellation } == [nil])
  }

  @Test(arguments: [
    "null", "NULL", "nil", "None", "(null)", "undefined", "NaN", #"\\N"#, "-", "N/A", "unknown",
    "[object Object]",
  ])
  func `are no ids where they are words for a missing value`(word: String) throws {
    let dump = try Dump(
      #"""
      {"transaction_id":"\#(word)","original_transaction_id":"1","product_id":"p",\#
      "purchase_date_ms":"1600000000000"}
      """#)
    #expect(dump.transactions.map(\.transactionID.isUsable) == [false])
  }
}
