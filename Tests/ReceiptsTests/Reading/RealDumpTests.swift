import Receipts
import Scanning
import SubscriptionModel
import Testing

/// A real file, and what is in it: its kind, and the outcome, the transactions and the renewal infos of
/// its rows.
private typealias Expected = (
  name: String, kind: ReceiptKind?, outcome: String, transactions: Int, renewals: Int
)

private let answers: [Expected] = [
  ("verify_ios7/revenuecat_verifyReceiptSample1.json", .verifyReceipt, "used", 18, 1),
  ("verify_ios7/mbaasy_unified.json", .verifyReceipt, "used", 42, 0),
  ("verify_ios7/monza_response.json", .verifyReceipt, "used", 4, 1),
  ("verify_ios7/monza_cancellation_response.json", .verifyReceipt, "used", 2, 0),
  ("verify_ios7/monza_bad_response.json", .verifyReceipt, "status not 0 or 21006", 0, 0),
  ("verify_ios7/aporat_status_21002.json", .verifyReceipt, "status not 0 or 21006", 0, 0),
  ("verify_ios7/candy_check_minimal_unordered.ndjson", .verifyReceipt, "used used", 4, 0),
  ("verify_ios7/python_iap_unified_receipt_no_wol.json", .verifyReceipt, "used", 1, 1),
  ("verify_ios7/venice_receipt_not_expired_cancelled.json", .verifyReceipt, "used", 1, 1),
  ("verify_ios7/voltrue2_ms_differs_from_string.json", .verifyReceipt, "used", 3, 0),
  ("verify_ios7/voltrue2_nested_latest_receipt_info_sandbox.json", .verifyReceipt, "used", 6, 0),
  ("verify_ios6/candy_check_receipt_object.json", .verifyReceiptIOS6, "used", 1, 0),
  ("verify_ios6/mbaasy_expired_transaction.json", .verifyReceiptIOS6, "used", 2, 0),
  ("verify_ios6/venice_receipt_expired_cancelled.json", .verifyReceiptIOS6, "used", 2, 1),
  (
    "verify_ios6/ladeiko_21006_latest_expired_newer_than_receipt.json", .verifyReceiptIOS6, "used",
    2, 1
  ),
]

private let notifications: [Expected] = [
  ("notifications_v1/aporat_DID_RENEW_example.json", .notificationV1, "used", 1, 1),
  ("notifications_v1/aporat_serverNotificationRequest.json", .notificationV1, "used", 1, 1),
  ("notifications_v1/imdhemy_server-notification.json", .notificationV1, "used", 54, 1),
  ("notifications_v1/monza_did_change_renewal_pref.json", .notificationV1, "used", 1, 1),
  ("notifications_v1/monza_initial_buy.json", .notificationV1, "used", 1, 1),
  ("notifications_v1/monza_interactive_renewal.json", .notificationV1, "used", 1, 1),
  ("notifications_v1/monza_renewal.json", .notificationV1, "used", 1, 1),
  ("notifications_v1/monza_renewal_with_unified_receipt.json", .notificationV1, "used", 22, 1),
  ("notifications_v1/python_iap_DID_FAIL_TO_RENEW.json", .notificationV1, "used", 1, 1),
  ("notifications_v1/python_iap_INITIAL_BUY_both_shapes.json", .notificationV1, "used", 2, 1),
  ("notifications_v1/python_iap_REFUND_non_subscription.json", .notificationV1, "used", 1, 0),
  ("v2_jws/real_sandbox_TEST_notification.json", .notificationV2, "nothing in it", 0, 0),
  ("v2_jws/apple_mock/testNotification", .notificationV2, "nothing in it", 0, 0),
  ("v2_jws/apple_mock/missingX5CHeaderClaim", .notificationV2, "nothing in it", 0, 0),
  ("v2_jws/apple_mock/wrongBundleId", .notificationV2, "nothing in it", 0, 0),
  ("v2_decoded/signedNotification.json", .notificationV2, "not-a-jws", 0, 0),
  ("v2_decoded/signedConsumptionRequestNotification.json", .notificationV2, "not-a-jws", 0, 0),
  ("v2_decoded/imdhemy_decoded-payload.json", .notificationV2, "nothing in it", 0, 0),
  ("v2_decoded/signedSummaryNotification.json", .notificationV2, "nothing in it", 0, 0),
  ("v2_decoded/signedRescindConsentNotification.json", .notificationV2, "nothing in it", 0, 0),
  (
    "v2_decoded/signedExternalPurchaseTokenNotification.json", .notificationV2, "nothing in it", 0,
    0
  ),
  (
    "v2_decoded/signedExternalPurchaseTokenSandboxNotification.json", .notificationV2,
    "nothing in it", 0, 0
  ),
  ("v2_decoded/getNotificationHistoryResponse.json", .notificationV2, "not-a-jws", 0, 0),
  ("v2_decoded/getTestNotificationStatusResponse.json", .notificationV2, "not-a-jws", 0, 0),
]

private let pages: [Expected] = [
  ("v2_decoded/transactionHistoryResponse.json", .apiHistory, "not-a-jws", 0, 0),
  (
    "v2_decoded/transactionHistoryResponseWithMalformedAppAppleId.json", .apiHistory, "not-a-jws",
    0, 0
  ),
  (
    "v2_decoded/transactionHistoryResponseWithMalformedEnvironment.json", .apiHistory, "not-a-jws",
    0, 0
  ),
  ("v2_decoded/aporat_transactionHistoryResponse.json", .apiHistory, "nothing in it", 0, 0),
  ("v2_decoded/getRefundHistoryResponse.json", .apiHistory, "not-a-jws", 0, 0),
  ("v2_decoded/getAllSubscriptionStatusesResponse.json", .apiStatus, "not-a-jws", 0, 0),
  ("v2_decoded/aporat_subscriptionStatusResponse.json", .apiStatus, "nothing in it", 0, 0),
  ("v2_decoded/transactionInfoResponse.json", .apiTransaction, "not-a-jws", 0, 0),
  ("v2_decoded/aporat_appTransactionResponse.json", .apiTransaction, "not-a-jws", 0, 0),
  ("v2_decoded/signedTransaction.json", .transaction, "used", 1, 0),
  ("v2_decoded/signedTransactionWithRevocation.json", .transaction, "used", 1, 0),
  ("v2_jws/apple_xcode/xcode-signed-transaction", .transaction, "used", 1, 0),
  ("v2_decoded/signedRenewalInfo.json", .renewalInfo, "used", 0, 1),
  ("v2_jws/apple_xcode/xcode-signed-renewal-info", .renewalInfo, "used", 0, 1),
  ("v2_decoded/appTransaction.json", .appTransaction, "app transaction", 0, 0),
  ("v2_decoded/appTransactionInfoResponse.json", .appTransaction, "app transaction", 0, 0),
  ("v2_jws/apple_xcode/xcode-signed-app-transaction", .appTransaction, "app transaction", 0, 0),
  ("v2_decoded/apiException.json", .apiError, "error body", 0, 0),
  ("v2_decoded/apiTooManyRequestsException.json", .apiError, "error body", 0, 0),
  ("v2_decoded/apiUnknownError.json", .apiError, "error body", 0, 0),
  ("v2_decoded/familyTransactionNotSupportedError.json", .apiError, "error body", 0, 0),
  ("v2_decoded/invalidTransactionIdError.json", .apiError, "error body", 0, 0),
  ("v2_decoded/transactionIdNotFoundError.json", .apiError, "error body", 0, 0),
]

private let receipts: [Expected] = [
  ("raw_receipts/revenuecat_base64encodedreceiptsample1.txt", .appReceipt, "used", 9, 0),
  ("raw_receipts/mbaasy_decoder/unified_sandbox.txt", .appReceipt, "used", 5, 0),
  ("raw_receipts/mbaasy_validator/unified.txt", .appReceipt, "used", 7, 0),
  ("raw_receipts/voltrue2_no_purchases.b64", .appReceipt, "nothing in it", 0, 0),
  ("raw_receipts/tpinappreceipt/receipt-sandbox-g5", .appReceipt, "used", 2, 0),
  ("raw_receipts/tpinappreceipt/receipt-xcode", .appReceipt, "used", 1, 0),
  ("raw_receipts/tpinappreceipt/receipt-xcode-with-purchases", .appReceipt, "used", 1, 0),
  ("v2_jws/apple_xcode/xcode-app-receipt-empty", .appReceipt, "nothing in it", 0, 0),
  ("v2_jws/apple_xcode/xcode-app-receipt-with-transaction", .appReceipt, "used", 1, 0),
  (
    "raw_receipts/imdhemy_plugin_wrapper_fake_receipt.json", .appReceipt, "not-an-app-receipt", 0, 0
  ),
  ("raw_receipts/mbaasy_decoder/transaction_production.txt", .ios6Receipt, "used", 1, 0),
  ("raw_receipts/mbaasy_decoder/transaction_sandbox.txt", .ios6Receipt, "used", 1, 0),
  ("raw_receipts/mbaasy_validator/subscription_transaction.txt", .ios6Receipt, "used", 1, 0),
  ("raw_receipts/venice_receipt.b64", .ios6Receipt, "used", 1, 0),
  ("raw_receipts/voltrue2_apple.b64", .ios6Receipt, "used", 1, 0),
  ("raw_receipts/voltrue2_unity_apple.json", .ios6Receipt, "used", 1, 0),
  ("v2_jws/apple_mock/legacyTransaction", .ios6Receipt, "no-purchase-date", 0, 0),
  ("raw_receipts/mbaasy_decoder/transaction_sandbox.json", .verifyReceiptIOS6, "used", 1, 0),
  ("raw_receipts/mbaasy_decoder/unified_sandbox.json", .verifyReceipt, "used", 5, 0),
]

/// Files that hold nothing of a known shape, so that there are no rows.
private let strangers: [Expected] = [
  ("v2_jws/apple_mock/renewalInfo", nil, "", 0, 0),
  ("v2_jws/apple_mock/transactionInfo", nil, "", 0, 0),
  ("v2_jws/certs/imdhemy_x5c-chain.json", nil, "", 0, 0),
  ("v2_decoded/extendRenewalDateForAllActiveSubscribersResponse.json", nil, "", 0, 0),
  ("v2_decoded/extendSubscriptionRenewalDateResponse.json", nil, "", 0, 0),
  ("v2_decoded/getStatusOfSubscriptionRenewalDateExtensionsResponse.json", nil, "", 0, 0),
  ("exports/revenuecat_CustomerInfo.json", nil, "", 0, 0),
  ("exports/revenuecat_webhooks/sample-events_1.json", nil, "", 0, 0),
]

private let tables =
  ["revenuecat_receipt_import", "adapty_s3_export", "adapty_s3_export_new"]
  + [3, 4, 5].map { "revenuecat_scheduled_export_v\($0)" }

@Suite(
  "Real dumps", .enabled(if: receiptFixtures != nil, "the folder of real receipts is not there"))
struct RealDumpTests {
  private func dump(_ name: String, _ options: ReceiptOptions = ReceiptOptions()) throws -> Dump {
    try Dump(path: try #require(receiptFixtures) + name, options)
  }

  @Test
  func `are recognised, and what is in them counted`() throws {
    for file in answers + notifications + pages + receipts + strangers {
      let dump = try dump(file.name)
      #expect(dump.kind == file.kind, "\(file.name)")
      #expect(dump.results.joined(separator: " ") == file.outcome, "\(file.name)")
      #expect(dump.transactions.count == file.transactions, "\(file.name)")
      #expect(dump.renewals.count { !$0.isAbsent } == file.renewals, "\(file.name)")
      #expect(dump.rows.allSatisfy { $0.unusableCount == 0 }, "\(file.name)")
    }
  }

  @Test
  func `hold as many distinct transaction ids as were counted by hand`() throws {
    for (name, count) in [
      ("verify_ios7/revenuecat_verifyReceiptSample1.json", 9),
      ("verify_ios7/mbaasy_unified.json", 35),
      ("notifications_v1/imdhemy_server-notification.json", 54),
    ] {
      let ids = Set(try dump(name).transactions.map(\.transactionID))
      #expect(ids.count == count, "\(name)")
    }
  }

  @Test
  func `say the same in an answer and in the receipt that it answers`() throws {
    let receipt = try dump("raw_receipts/revenuecat_base64encodedreceiptsample1.txt")
    let answer = try dump("verify_ios7/revenuecat_verifyReceiptSample1.json")
    let copies = answer.transactions.filter { $0.origin == .inApp }
    #expect(copies.count == 9)
    for copy in copies {
      let other = try #require(
        receipt.transactions.first { $0.transactionID == copy.transactionID })
      #expect(other.purchase == copy.purchase)
      #expect(other.expires == copy.expires)
      #expect(other.originalPurchase == copy.originalPurchase)
      #expect(other.lineItemID == copy.lineItemID)
      #expect(receipt.text(other.product) == answer.text(copy.product))
      #expect(receipt.text(other.app) == answer.text(copy.app))
      #expect(other.flags == copy.flags)
    }
  }

  @Test(arguments: tables)
  func `of tables are recognised by their headers`(name: String) throws {
    let path = try #require(receiptFixtures) + "exports/headers/\(name).csv"
    #expect(try ReceiptReader.recognizes(path: path))
    #expect(try Dump(path: path).kind == .receiptCSV)
    #expect(try Dump(path: path).rows.isEmpty)
  }

  @Test
  func `of others are not recognised`() throws {
    let fixtures = try #require(receiptFixtures)
    for name in [
      "SOURCES.md", "v2_jws/certs/AppleRootCA-G3.cer", "LICENSES/awa__go-iap.txt",
      "exports/headers/asn_v2_flattened_db_export.csv",
    ] {
      #expect(try !ReceiptReader.recognizes(path: fixtures + name), "\(name)")
    }
  }

  @Test
  func `are used when a given root vouches for them, and rejected when none does`() throws {
    var options = ReceiptOptions()
    options.roots = RootCertificates()
    let names = [
      "raw_receipts/revenuecat_base64encodedreceiptsample1.txt",
      "raw_receipts/mbaasy_decoder/transaction_sandbox.txt",
      "v2_jws/real_sandbox_TEST_notification.json",
    ]
    for name in names {
      #expect(try dump(name, options).results == ["not-verified"], "\(name)")
    }
    let fixtures = try #require(receiptFixtures)
    for root in [
      "raw_receipts/tpinappreceipt/AppleIncRootCertificate", "v2_jws/certs/AppleRootCA-G3",
    ] {
      try options.roots?.add(try contents(fixtures + root + ".cer"))
    }
    #expect(try dump(names[0], options).results == ["used"])
    let unsupported = VerificationFailure.unsupportedReceipt
    #expect(
      try dump(names[1], options).rows.first?.reject?.found
        == .words("\(unsupported.found) (\(unsupported.rawValue))"))
    #expect(try dump(names[2], options).results == ["nothing in it"])
    // Nobody vouches for what Xcode signs, and it is never production.
    let local = try dump("v2_jws/apple_xcode/xcode-signed-transaction", options)
    #expect(local.results == ["used"])
    #expect(local.transactions.allSatisfy { $0.flags.contains(.nonProduction) })
  }
}
