import Receipts
import Scanning
import SubreportTestSupport
import SubscriptionModel
import Testing

private let revenueCat =
  """
  rc_original_app_user_id,store,product_identifier,start_time,end_time,is_trial_period,\
  is_sandbox,store_transaction_id,original_store_transaction_id,refunded_at,\
  unsubscribe_detected_at,billing_issues_detected_at,purchased_currency,\
  price_in_purchased_currency,ownership_type,country,updated_at\n
  """

private let adapty =
  """
  profile_id,event_type,event_datetime,transaction_id,original_transaction_id,\
  subscription_expires_at,environment,revenue_local,store,product_id,cancellation_reason,\
  currency,store_country\n
  """

@Suite("Tables")
struct TableTests {
  @Test
  func `of receipts hold base64 or JWS`() throws {
    let transaction = jws(
      #"{"transactionId":"1","purchaseDate":1600000000000,"signedDate":1600000000000}"#)
    let dump = try Dump(
      "app_user_id,$email,receipt\r\nu,\"a,\"\"b\"\"\nc\",\(transaction)\r\n\r\nv,x,eyJhbGciOiJFUzI1NiJ9.e30\nw,\n"
    )
    #expect(dump.results == ["used", "not-a-jws", "too-few-fields"])
    #expect(dump.rows.map(\.line) == [2, 5, 6])
    #expect(dump.kind == .receiptCSV)
    #expect(dump.rows.map(\.kind) == [.receiptCSV, .receiptCSV, .receiptCSV])
    #expect(dump.responses.map(\.kind) == [.transaction])
  }

  @Test
  func `of RevenueCat hold a period a row, and how it ended`() throws {
    let rows = [
      """
      u,app_store,p,2023-01-01 08:27:06,2023-02-01 08:27:06,f,false,2,1,,2023-01-20 00:00:00,,\
      USD,9.99,PURCHASED,US,2023-03-01 00:00:00
      """,
      """
      u,app_store,p,2023-02-01 08:27:06,2023-03-01 08:27:06,t,true,3,1,2023-02-02 00:00:00,,\
      2023-02-20 00:00:00,USD,0.00,FAMILY_SHARED,GB,2023-02-03 00:00:00
      """,
      "u,play_store,p,2023-02-01 08:27:06,,f,false,GPA.4,1,,,,USD,9.99,PURCHASED,US,2023-04-01 00:00:00",
      "u,app_store,p,never,,f,false,4,1,,,,USD,9.99,PURCHASED,US,",
      "u,app_store,p,2023-02-01 08:27:06,,f,false,4,1,,,,USD,9.99951,PURCHASED,US,",
      "u,app_store,p,2023-02-01 08:27:06,,f,false,4.7E+14,1,,,,USD,9.99,PURCHASED,US,",
    ]
    let dump = try Dump(revenueCat + rows.joined(separator: "\n"))
    #expect(dump.kind == .receiptCSV)
    #expect(
      dump.results == ["used", "used", "other store", "not-a-date", "used", "rewritten-id"])
    #expect(
      dump.transactions.map { dump.describe($0) } == [
        "100 2023-03-01T00:00:00Z 0 1 2 0   p  USD US 2023-01-01T08:27:06Z 2023-02-01T08:27:06Z - - 9990 -1 8192 latest missing purchased 1",
        "101 2023-02-03T00:00:00Z 0 1 3 0   p   GB 2023-02-01T08:27:06Z 2023-03-01T08:27:06Z 2023-02-02T00:00:00Z - -1 -1 9217 latest missing family 1",
        "102 2023-02-01T08:27:06Z 0 1 4 0   p  USD US 2023-02-01T08:27:06Z - - - 10000 -1 8192 latest missing purchased 1",
      ])
    #expect(dump.responses.map(\.environment) == [.production, .nonProduction, .production])
    #expect(dump.renewals.map(\.isOfPeriod) == [true, true])
    #expect(dump.renewals.map(\.autoRenews) == [false, true])
    #expect(dump.renewals.map(\.isInBillingRetry) == [nil, true])
    // Known up to its largest updated_at, of any store.
    #expect(dump.snapshotDate == instant("2023-04-01"))
    #expect(dump.missingColumns == ["is_in_intro_offer_period", "offer"])
  }

  @Test(
    arguments: [
      ("9.99", "", nil, false), ("9.99", "9.99", nil, false), ("9.99", "0", nil, false),
      ("9.99", "3.33", 6_660, true), ("25000000", "1.004", 24_999_998_996, true),
    ] as [(String, String, Int64?, Bool)])
  func `of RevenueCat say how much was refunded`(
    price: String, rest: String, refunded: Int64?, isPartial: Bool
  ) throws {
    let header = revenueCat.replacing(
      "price_in_purchased_currency",
      with: "purchase_price_in_purchased_currency,price_in_purchased_currency")
    let row =
      "u,app_store,p,2023-01-01 08:27:06,2023-02-01 08:27:06,f,false,2,1,2023-01-09 00:00:00,,,USD,\(price),\(rest),PURCHASED,US,2023-03-01 00:00:00"
    let dump = try Dump(header + row)
    #expect(dump.transactions.map(\.refundedPrice) == [refunded])
    #expect(dump.transactions.map { $0.flags.contains(.prorated) } == [isPartial])
    #expect(dump.transactions.allSatisfy { $0.revocationPercentage == nil })
  }

  @Test
  func `of RevenueCat need the columns that decide whose, what and when`() throws {
    let header = "rc_original_app_user_id,store,product_identifier,start_time,renewal_number\n"
    let dump = try Dump(header + "u,app_store,p,2023-01-01 08:27:06,1\nu,play_store,p,x,1\n")
    #expect(dump.results == ["missing-column", "missing-column"])
    let found = try #require(dump.rows[0].reject).shown(hiding: .addresses)
    #expect(
      found
        == [
          "store_transaction_id", "original_store_transaction_id", "end_time", "is_sandbox",
          "is_trial_period",
        ]
        .map { "no column \"\($0)\"" }.joined(separator: ", "))
    #expect(dump.snapshotDate == nil)
  }

  @Test(arguments: ["", " ", "\u{A0}", "null", "0"])
  func `of RevenueCat need to say whose a period is`(original: String) throws {
    let row =
      "u,app_store,p,2023-01-01 08:27:06,END,f,false,2,\(original),,,,USD,9.99,PURCHASED,US,\n"
    let dump = try Dump(
      revenueCat + row.replacing("END", with: "2023-02-01 08:27:06")
        + row.replacing("END", with: ""))
    #expect(dump.results == ["missing-value", "used"])
    #expect(dump.rows[0].reject?.column == "original_store_transaction_id")
  }

  @Test
  func `of RevenueCat without transactions are left aside`() throws {
    let dump = try Dump(
      "rc_original_app_user_id,currency_code,amount,updated_at\nu,GOLD,100,2023-01-01 00:00:00\n")
    #expect(dump.kind == .receiptCSV)
    #expect(dump.results == ["other RevenueCat file"])
    #expect(dump.snapshotDate == nil)
  }

  @Test
  func
    `of RevenueCat without the price of the purchase have refunds in part unless nothing is left`()
    throws
  {
    func row(_ rest: String) -> String {
      "u,app_store,p,2023-01-01 08:27:06,2023-02-01 08:27:06,f,false,2,1,2023-01-20 00:00:00,,,"
        + "USD,\(rest),PURCHASED,US,"
    }
    let dump = try Dump(revenueCat + ["", "0.00", "3.00"].map(row).joined(separator: "\n"))
    #expect(dump.transactions.map { $0.flags.contains(.prorated) } == [true, false, true])
    #expect(dump.transactions.map(\.price) == [nil, nil, nil])
  }

  @Test
  func `may have semicolons`() throws {
    let row =
      "u;app_store;p;2023-01-01 08:27:06;2023-02-01 08:27:06;f;false;2;1;;;;USD;9.99;PURCHASED;US;"
    let dump = try Dump(revenueCat.replacing(",", with: ";") + row)
    #expect(dump.results == ["used"])
    #expect(dump.transactions.map(\.price) == [9_990])
    // Without updated_at, the largest other date.
    #expect(dump.snapshotDate == instant("2023-01-01T08:27:06"))
  }

  @Test
  func `of Adapty hold events`() throws {
    func row(_ event: String, _ reason: String = "", store: String = "app_store") -> String {
      """
      x,\(event),2024-01-01T00:00:00Z,2,1,2024-02-01T00:00:00Z,Production,4.99,\(store),p,\
      \(reason),EUR,DE
      """
    }
    let dump = try Dump(
      adapty
        + [
          row("trial_started"), row("subscription_renewed"),
          row("subscription_expired", "billing_error"),
          row("subscription_renewal_cancelled"), row("billing_issue_detected"),
          row("subscription_refunded"), row("subscription_cancelled", "refund"),
          row("subscription_refunded").replacing(",2,1,", with: ",,1,"),
          row("access_level_updated"),
          row("subscription_renewed", store: "play_store"),
        ].joined(separator: "\n"))
    #expect(
      dump.results == [
        "used", "used", "used", "used", "used", "used", "used", "no-purchase-date", "nothing in it",
        "other store",
      ])
    #expect(dump.transactions.map(\.flags) == [[.trial], [], [.refundOnly], [.refundOnly]])
    #expect(dump.transactions.map(\.price) == [4990, 4990, nil, nil])
    #expect(
      dump.transactions.map(\.cancellation) == [nil, nil]
        + [1, 2].map { _ in instant("2024-01-01") })
    #expect(dump.renewals.map(\.expirationIntent) == [2, 0, 0])
    #expect(dump.renewals.map(\.autoRenews) == [nil, false, nil])
    #expect(dump.renewals.map(\.isInBillingRetry) == [nil, nil, true])
  }

  @Test
  func `of one's own hold what the config says`() throws {
    var options = ReceiptOptions()
    options.columns = ReceiptColumns([
      .transactionID: "Transaction", .originalTransactionID: "Original", .product: "Plan",
      .purchaseDate: "Bought", .expiresDate: "Ends", .priceMilliunits: "Price",
      .currency: "Currency", .app: "App", .autoRenewStatus: "Renews", .recordDate: "Made",
    ])
    let text =
      "Made,Bought,Ends,Plan,Transaction,Original,Price,Currency,App,Renews,Other\n"
      + "2025-03-21 02:43:42.388000,2025-03-01 00:00:00,1743465600000,p,2,1,9990,USD,a.b,1,x\n"
      + "2025-03-21 02:43:42,,,p,,1,,,a.b,0,\n"
    let dump = try Dump(text, options)
    #expect(dump.results == ["used", "used"])
    #expect(
      dump.transactions.map { dump.describe($0) } == [
        "100 2025-03-21T02:43:42Z 0 1 2 0  a.b p  USD  2025-03-01T00:00:00Z 2025-04-01T00:00:00Z - - 9990 -1 0 latest missing missing 1"
      ])
    #expect(dump.renewals.map(\.autoRenews) == [true, false])
    #expect(dump.responses.map(\.environment) == [.missing, .missing])
    let file = TemporaryFile(Array(text.utf8))
    #expect(try ReceiptReader.recognizes(path: file.path, columns: options.columns))
    #expect(try !ReceiptReader.recognizes(path: file.path))
  }

  @Test
  func `that end inside quotes lose their last row`() throws {
    let dump = try Dump("app_user_id,receipt\nu,\"eyJ\nv,x\n")
    #expect(dump.results == ["truncated-record"])
  }
}
