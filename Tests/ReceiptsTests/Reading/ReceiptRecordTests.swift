import Receipts
import Scanning
import Storage
import SubscriptionModel
import Testing

private func answer(_ transaction: String, _ more: String = "") -> String {
  #"{"status":0,"environment":"Production","receipt":{"bundle_id":"com.example","#
    + #""request_date_ms":"1600000000000","in_app":[]},"latest_receipt_info":[{"#
    + transaction + "}]" + more + "}"
}

private let purchase = #""product_id":"p","purchase_date_ms":"1595000000000""#

@Suite("Transactions and renewal infos")
struct ReceiptRecordTests {
  @Test(
    arguments: [
      (
        #""expires_date_ms":"1596000000999","expires_date":"2021-01-01 00:00:00 Etc/GMT""#,
        1_596_000_000
      ),
      (
        #""expires_date":"2021-01-01 00:00:00 Etc/GMT","expires_date_ms":1596000000999"#,
        1_596_000_000
      ),
      (#""expires_date_ms":"","expires_date":"2020-07-29 05:20:00 Etc\/GMT""#, 1_596_000_000),
      (#""expires_date_ms":78789789798798,"expires_date":"2020-07-29T05:20:00Z""#, 1_596_000_000),
      (#""expires_date_ms":1.5960000009e12"#, 1_596_000_000),
      (
        #""expires_date":"1596000000000","expires_date_formatted":"2021-01-01 00:00:00 Etc/GMT""#,
        1_596_000_000
      ),
      (#""expires_date_formatted":"2020-07-29 05:20:00 Etc/GMT""#, 1_596_000_000),
      (#""expires_date":"2020-07-29T07:20:00+0200""#, 1_596_000_000),
      (#""expires_date":"2020-07-28T22:20:00.5-07:00""#, 1_596_000_000),
      (#""expiresDate":1596000000049.7297"#, 1_596_000_000),
      (#""expires_date_pst":"2020-07-28 22:20:00 America/Los_Angeles""#, nil),
      (#""expires_date":"2020-07-28 22:20:00 America/Los_Angeles""#, nil),
      (#""expires_date":"2020-07-29 05:20:00""#, nil),
      (#""expires_date":"1596000000""#, nil),
      (#""expires_date_ms":null"#, nil),
      (#""expires_date_ms":1199145599999"#, nil),
      (#""expires_date_ms":1199145600000"#, 1_199_145_600),
    ] as [(String, UInt32?)])
  func `read an instant from the best of its keys`(keys: String, seconds: UInt32?) throws {
    let dump = try Dump(answer("\(purchase),\(keys)"))
    #expect(dump.transactions.map { $0.expires?.seconds } == [seconds])
  }

  @Test(arguments: [
    (#""1000000218147651""#, "1000000218147651"), ("1000000218147651", "1000000218147651"),
    (#""9007199254740993""#, "9007199254740993"), ("9007199254740993", "9007199254740993"),
    (#""4611686018427387903""#, "4611686018427387903"),
    (#""4611686018427387904""#, "4611686018427387904"), (#""0123""#, "0123"),
    (#""37xxxxxxxxx89""#, "37xxxxxxxxx89"), (#""0""#, "0"), ("0", "0"),
    (#""000000000000000""#, "0"), (#""""#, "0"), ("null", "0"), ("true", "0"),
  ])
  func `read ids as texts`(value: String, text: String) throws {
    let dump = try Dump(answer(#"\#(purchase),"web_order_line_item_id":\#(value)"#))
    let id = try #require(dump.transactions.first?.lineItemID)
    #expect(dump.text(id) == text)
    #expect(id.isUsable == (text != "0"))
  }

  @Test(arguments: [#"{"$numberLong":"1"}"#, "[1]"])
  func `reject ids that are objects`(value: String) throws {
    for key in ["transaction_id", "original_transaction_id", "web_order_line_item_id"] {
      let dump = try Dump(answer(#"\#(purchase),"\#(key)":\#(value)"#))
      #expect(dump.transactions.isEmpty)
    }
  }

  @Test(
    arguments: [
      (#""true""#, true), ("true", true), (#""1""#, true), ("1", true), (#""True""#, true),
      (#""false""#, false), ("false", false), ("0", false), (#""""#, false), ("null", false),
      (#""yes""#, true), ("1.0", true), (#""t""#, true), ("0.0", false), ("2", false),
      ("1.5", false),
    ])
  func `read a yes however it is written`(value: String, isSet: Bool) throws {
    let dump = try Dump(
      answer(
        #"""
        \#(purchase),"is_trial_period":\#(value),"is_in_intro_offer_period":\#(value),\#
        "is_upgraded":\#(value)
        """#
      ))
    #expect(dump.transactions.map(\.flags) == [isSet ? [.trial, .intro, .upgraded] : []])
  }

  @Test(
    arguments: [
      (#""offerType":1,"offerDiscountType":"FREE_TRIAL""#, [.trial]),
      (#""offerType":1,"offerDiscountType":"PAY_UP_FRONT","price":0"#, [.intro]),
      (#""offerType":1,"price":0"#, [.trial]), (#""offerType":1,"price":990"#, [.intro]),
      (#""offerType":1"#, [.intro]), (#""offerType":2,"offerIdentifier":"x""#, [.offer]),
      (#""offerType":"3","offerDiscountType":"FREE_TRIAL""#, [.offer, .freeOffer]),
      (#""offerType":4"#, [.offer]), (#""offerType":5"#, []),
      (#""promotional_offer_id":"x""#, [.offer]), (#""promotional_offer_id":"""#, []),
      (#""offer_code_ref_name":"x""#, [.offer]),
      (#""revocationPercentage":50000"#, [.prorated]), (#""revocationPercentage":100000"#, []),
      (#""revocationType":"REFUND_PRORATED""#, [.prorated]),
      (#""revocationType":"FAMILY_REVOKE""#, [.familyRevoke]),
    ] as [(String, TransactionCopy.Flags)])
  func `know an offer`(keys: String, flags: TransactionCopy.Flags) throws {
    #expect(try Dump(answer("\(purchase),\(keys)")).transactions.map(\.flags) == [flags])
  }

  @Test
  func `read all that a signed transaction says`() throws {
    let token = "7E3FB20B-4CDB-47CC-936D-99D65F608138"
    let dump = try Dump(
      jws(
        #"{"transactionId":"23","originalTransactionId":"12","webOrderLineItemId":"34","#
          + #""bundleId":"com.example","productId":"p","subscriptionGroupIdentifier":"55","#
          + #""purchaseDate":1698148900000,"originalPurchaseDate":1698148800000,"#
          + #""expiresDate":1698149000000,"type":"Auto-Renewable Subscription","#
          + #""appAccountToken":"\#(token)","inAppOwnershipType":"FAMILY_SHARED","#
          + #""signedDate":1698149100000,"revocationDate":1698148950000,"isUpgraded":true,"#
          + #""environment":"Production","storefront":"USA","price":10990,"currency":"USD","#
          + #""appTransactionId":"71134","revocationPercentage":50000}"#))
    let copy = try #require(dump.transactions.first)
    #expect(dump.rows.first?.kind == .transaction)
    #expect(copy.origin == .v2)
    #expect(
      dump.describe(copy)
        == "100 2023-10-24T12:05:00Z 71134 12 23 34 7e3fb20b-4cdb-47cc-936d-99d65f608138"
        + " com.example p 55 USD US 2023-10-24T12:01:40Z 2023-10-24T12:03:20Z"
        + " 2023-10-24T12:02:30Z 2023-10-24T12:00:00Z 10990 50000 16656 v2 autoRenewable family 1")
    #expect(copy.flags == [.upgraded, .prorated, .hasSignedDate])
    #expect(copy.file == 7 && copy.row == 1 && copy.number == 1 && copy.response == 100)
  }

  @Test(arguments: [
    "1", "", "00000000-0000-0000-0000-000000000000", "7e3fb20b-4cdb-47cc-936d-99d65f60813",
  ])
  func `keep an account token only if it is a UUID that means somebody`(token: String) throws {
    let dump = try Dump(answer(#"\#(purchase),"app_account_token":"\#(token)""#))
    #expect(dump.transactions.map(\.accountToken) == [.blank])
  }

  @Test
  func `say nothing of a price without a currency, and of a group that is a placeholder`() throws {
    let dump = try Dump(
      answer(#"\#(purchase),"price":9990,"subscription_group_identifier":"00000000""#))
    #expect(dump.transactions.map(\.price) == [nil])
    #expect(dump.transactions.map(\.group) == [.blank])
  }

  @Test
  func `read a renewal info, with an offer or two`() throws {
    let dump = try Dump(
      jws(
        #"{"originalTransactionId":"12","productId":"p","autoRenewStatus":0,"expirationIntent":2,"#
          + #""isInBillingRetryPeriod":true,"gracePeriodExpiresDate":1698148900000,"#
          + #""signedDate":1698148800000,"eligibleWinBackOfferIds":["a","b"]}"#))
    #expect(
      dump.renewals.map { dump.describe($0) }
        == ["100 2023-10-24T12:00:00Z 12 p 2023-10-24T12:01:40Z 2 false true 0 a;b"])
    let empty = try Dump(
      jws(
        #"{"originalTransactionId":"12","autoRenewStatus":1,"signedDate":1698148800000,"#
          + #""eligibleWinBackOfferIds":[]}"#))
    #expect(empty.renewals.map(\.winBackOffers) == [.blank])
  }

  @Test
  func `are taken once when a key comes twice: the row is rejected`() throws {
    let dump = try Dump(answer(#"\#(purchase),"product_id":"q""#) + "\n" + answer(purchase))
    #expect(dump.results == ["duplicate-key", "used"])
  }

  @Test
  func `need a purchase date; one without is counted where another can be used`() throws {
    let alone = try Dump("\n" + answer(#""product_id":"p","purchase_date":"soon""#))
    #expect(alone.results == ["not-a-date"])
    let reject = try #require(alone.rows.first?.reject)
    #expect(reject.line == 2 && reject.column == "purchase_date")
    let both = try Dump(answer(#"\#(purchase)},{"product_id":"p""#))
    #expect(both.results == ["used"])
    #expect(both.rows.map(\.unusableCount) == [1])
    #expect(both.transactions.count == 1)
  }
}

@Suite("Records that are rejected")
struct RejectedReceiptTests {
  private static let duplicate = jws(#"{"purchaseDate":1,"purchaseDate":2}"#)

  private static let faults: [(record: String, code: String, key: String)] = [
    (answer(#"\#(purchase),"is_trial_period":tru"#), "not-json", "is_trial_period"),
    (#"{"status":0,"latest_receipt_info":[1]}"#, "unknown-shape", "latest_receipt_info"),
    (#"{"receipt":{"in_app":[{"product_id":"p"}]},"x":y}"#, "not-json", ""),
    (answer(#"\#(purchase),"product_id":"q""#), "duplicate-key", "product_id"),
    (#"{"signedTransactions":[7]}"#, "not-a-jws", "signedTransactions"),
    (#"{"signedTransactions":["\#(duplicate)"]}"#, "duplicate-key", "purchaseDate"),
    (#"{"signedPayload":"eyJhbGciOiJFUzI1NiJ9.e30"}"#, "not-a-jws", "signedPayload"),
    (
      #"{"signedTransactions":[{"transactionId":"1","purchaseDate":"soon"}]}"#,
      "not-a-date", "purchaseDate"
    ),
    (#"{"Payload":"MIIDwrongwrongwrong=="}"#, "not-base64", "Payload"),
    (#"{"x":{"signedPayload":"e.e"},"status":0,"y":1}"#, "not-a-jws", "signedPayload"),
    ("eyJhbGciOiJFUzI1NiJ9.e30", "not-a-jws", ""),
    (#"{"x":1}"#, "unknown-shape", ""),
  ]

  @Test(arguments: faults)
  func `say under which key the fault is`(_ fault: (record: String, code: String, key: String))
    throws
  {
    let dump = try Dump(answer(purchase) + "\n" + fault.record)
    let reject = try #require(dump.rows.last?.reject)
    #expect(reject.code.rawValue == fault.code && reject.line == 2)
    #expect(reject.column == fault.key && reject.field == 0)
  }

  @Test
  func `say in which column of a table the fault is`() throws {
    let dump = try Dump("user,receipt\nu,eyJhbGciOiJFUzI1NiJ9.e30\n")
    let reject = try #require(dump.rows.first?.reject)
    #expect(reject.column == "receipt" && reject.field == 2)
  }
}
