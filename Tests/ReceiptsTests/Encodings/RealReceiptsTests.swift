import Receipts
import Testing

@Suite(
  "Real receipts", .enabled(if: receiptFixtures != nil, "the folder of real receipts is not there"))
struct RealReceiptsTests {
  struct Expected: Sendable, CustomTestStringConvertible {
    let file: String
    let type: String
    let bundleID: String
    let creationDate: String
    let purchases: Int
    var testDescription: String { file }
  }

  static let appFiles = [
    Expected(
      file: "raw_receipts/tpinappreceipt/receipt-sandbox-g5", type: "ProductionSandbox",
      bundleID: "dev.bonzer.weeka.app", creationDate: "2025-12-26T18:39:47Z", purchases: 2),
    Expected(
      file: "raw_receipts/revenuecat_base64encodedreceiptsample1.txt", type: "ProductionSandbox",
      bundleID: "com.revenuecat.sampleapp", creationDate: "2020-07-22T17:39:08Z", purchases: 9),
    Expected(
      file: "raw_receipts/mbaasy_decoder/unified_sandbox.txt", type: "ProductionSandbox",
      bundleID: "com.mbaasy.ios.demo", creationDate: "2015-11-18T17:13:48Z", purchases: 5),
    Expected(
      file: "raw_receipts/voltrue2_no_purchases.b64", type: "Production",
      bundleID: "com.mustafadur.Kargotakip", creationDate: "2015-09-16T19:48:24Z", purchases: 0),
    Expected(
      file: "raw_receipts/tpinappreceipt/receipt-xcode", type: "Xcode",
      bundleID: "net.zachariadis.cyclemaps", creationDate: "2020-07-22T18:33:15+0100",
      purchases: 1),
    Expected(
      file: "v2_jws/apple_xcode/xcode-app-receipt-with-transaction", type: "Xcode",
      bundleID: "com.example.naturelab.backyardbirds.example",
      creationDate: "2023-10-19T01:45:40Z", purchases: 1),
    Expected(
      file: "v2_jws/apple_xcode/xcode-app-receipt-empty", type: "Xcode",
      bundleID: "com.example.naturelab.backyardbirds.example",
      creationDate: "2023-10-19T01:18:54Z", purchases: 0),
  ]

  @Test(arguments: appFiles)
  func `for apps are read`(expected: Expected) throws {
    var receipt = AppReceipt()
    try receipt.read(base64Fixture(expected.file))
    #expect(receipt.text(receipt.type) == expected.type)
    #expect(receipt.text(receipt.bundleID) == expected.bundleID)
    #expect(receipt.text(receipt.creationDate) == expected.creationDate)
    #expect(receipt.purchaseCount == expected.purchases)
    for index in 0..<receipt.purchaseCount {
      let purchase = try receipt.purchase(at: index)
      #expect(!purchase.productID.isEmpty)
      #expect(purchase.purchaseDate.count >= 20)
    }
  }

  @Test func subscriptionIsReadWhole() throws {
    var receipt = AppReceipt()
    try receipt.read(base64Fixture("raw_receipts/revenuecat_base64encodedreceiptsample1.txt"))
    let purchase = try receipt.purchase(at: 0)
    #expect(
      receipt.text(purchase.productID) == "com.revenuecat.monthly_4.99.1_week_intro")
    #expect(receipt.text(purchase.transactionID) == "1000000692879214")
    #expect(receipt.text(purchase.originalTransactionID) == "1000000692878476")
    #expect(receipt.text(purchase.purchaseDate) == "2020-07-14T19:36:40Z")
    #expect(receipt.text(purchase.expirationDate) == "2020-07-14T19:41:40Z")
    #expect(purchase.webOrderLineItemID == 1_000_000_054_042_695)
    #expect(purchase.productType == 3)
    #expect(purchase.isTrial == 0)
    #expect(purchase.cancellationDate.isEmpty)
  }

  static let transactionFiles: [(file: String, product: String, environment: String?)] = [
    ("raw_receipts/mbaasy_decoder/transaction_sandbox.txt", "yearly", "Sandbox"),
    ("raw_receipts/mbaasy_decoder/transaction_production.txt", "com.mindmobapp.download", nil),
    ("raw_receipts/venice_receipt.b64", "com.mindmobapp.download", "Sandbox"),
    ("raw_receipts/voltrue2_apple.b64", "com.mindmobapp.download", "Sandbox"),
  ]

  @Test(arguments: transactionFiles)
  func `of iOS 6 are read`(file: String, product: String, environment: String?) throws {
    let bytes = try base64Fixture(file)
    var receipt = TransactionReceipt()
    try receipt.read(bytes.span)
    let found = receipt.value(of: "product-id").map { receipt.purchaseInfo[$0] }
    #expect(found.map { String(decoding: $0, as: UTF8.self) } == product)
    let place = receipt.environment
    #expect(place.map { String(decoding: bytes[$0], as: UTF8.self) } == environment)
  }
}
