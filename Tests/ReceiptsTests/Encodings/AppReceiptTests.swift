import Receipts
import SubreportTestSupport
import Testing

/// A receipt with one subscription and one consumable, as Apple writes them.
func sampleReceipt() -> ReceiptMaker {
  var subscription = ReceiptMaker()
  subscription.add(1701, 1)
  subscription.add(1702, "com.example.month")
  subscription.add(1703, "2000001")
  subscription.add(1704, "2024-03-01T10:00:00Z", isDate: true)
  subscription.add(1705, "2000000")
  subscription.add(1706, "2024-02-01T10:00:00Z", isDate: true)
  subscription.add(1707, 3)
  subscription.add(1708, "2024-04-01T10:00:00Z", isDate: true)
  subscription.add(1711, 1_000_000_012_345_678)
  subscription.add(1712, "2024-03-05T10:00:00Z", isDate: true)
  subscription.add(1713, 0)
  subscription.add(1719, 1)
  subscription.add(1720, 1)
  subscription.add(1721, "spring")
  var consumable = ReceiptMaker()
  consumable.add(1702, "com.example.coins")
  consumable.add(1708, "", isDate: true)
  consumable.add(1711, 0)
  var receipt = ReceiptMaker()
  receipt.add(0, "ProductionSandbox")
  receipt.add(1, 0)
  receipt.add(2, "com.example.app")
  receipt.attributes.append((4, [0xBE, 0x1D]))
  receipt.add(subscription)
  receipt.add(12, "2024-03-06T10:00:00Z", isDate: true)
  receipt.add(consumable)
  receipt.add(21, "4001-01-01T00:00:00Z", isDate: true)
  return receipt
}

extension AppReceipt {
  /// Reads the bytes of an array; the compiler crashes on the span of one without a name.
  mutating func read(_ bytes: [UInt8]) throws(EncodingFault) { try read(bytes.span) }

  /// Returns a text of the content.
  func text(_ range: Range<Int>) -> String { String(decoding: content[range], as: UTF8.self) }
}

/// Returns why a receipt, or one of its purchases, cannot be read.
func appReceiptFault(_ bytes: [UInt8]) -> EncodingFault? {
  var receipt = AppReceipt()
  do throws(EncodingFault) {
    try receipt.read(bytes)
    for index in 0..<receipt.purchaseCount { _ = try receipt.purchase(at: index) }
    return nil
  } catch {
    return error
  }
}

@Suite("App receipts")
struct AppReceiptTests {
  @Test(arguments: ReceiptMaker.Form.allCases)
  func `are read in every form`(form: ReceiptMaker.Form) throws {
    var maker = sampleReceipt()
    maker.form = form
    var receipt = AppReceipt()
    try receipt.read(maker.receipt())
    #expect(receipt.content == maker.content)
    #expect(receipt.text(receipt.type) == "ProductionSandbox")
    #expect(receipt.appItemID == 0)
    #expect(receipt.text(receipt.bundleID) == "com.example.app")
    #expect(receipt.text(receipt.creationDate) == "2024-03-06T10:00:00Z")
    #expect(receipt.text(receipt.expirationDate) == "4001-01-01T00:00:00Z")
    #expect(receipt.purchaseCount == 2)

    let subscription = try receipt.purchase(at: 0)
    #expect(subscription.quantity == 1)
    #expect(receipt.text(subscription.productID) == "com.example.month")
    #expect(receipt.text(subscription.transactionID) == "2000001")
    #expect(receipt.text(subscription.purchaseDate) == "2024-03-01T10:00:00Z")
    #expect(receipt.text(subscription.originalTransactionID) == "2000000")
    #expect(receipt.text(subscription.originalPurchaseDate) == "2024-02-01T10:00:00Z")
    #expect(subscription.productType == 3)
    #expect(receipt.text(subscription.expirationDate) == "2024-04-01T10:00:00Z")
    #expect(subscription.webOrderLineItemID == 1_000_000_012_345_678)
    #expect(receipt.text(subscription.cancellationDate) == "2024-03-05T10:00:00Z")
    #expect(subscription.isTrial == 0)
    #expect(subscription.isIntroductory == 1)
    #expect(subscription.cancellationReason == 1)
    #expect(receipt.text(subscription.promotionalOfferID) == "spring")
  }

  @Test func haveNothingForWhatIsMissing() throws {
    var receipt = AppReceipt()
    try receipt.read(sampleReceipt().receipt())
    let consumable = try receipt.purchase(at: 1)
    #expect(receipt.text(consumable.productID) == "com.example.coins")
    #expect(consumable.expirationDate.isEmpty)
    #expect(consumable.cancellationDate.isEmpty)
    #expect(consumable.webOrderLineItemID == 0)
    #expect(consumable.quantity == nil)
    #expect(consumable.isIntroductory == nil)

    try receipt.read(ReceiptMaker().receipt())
    #expect(receipt.purchaseCount == 0)
    #expect(receipt.bundleID.isEmpty)
    #expect(receipt.type.isEmpty)
    #expect(receipt.appItemID == nil)
  }

  @Test func sayWhatIsWrongWithThem() throws {
    let good = try sampleReceipt().receipt()
    #expect(appReceiptFault([])?.byteOffset == 0)
    #expect(appReceiptFault(Array("fake_data".utf8))?.code == .notAnAppReceipt)
    #expect(appReceiptFault(good + [0])?.byteOffset == good.count)
    #expect(appReceiptFault(Array(good.dropLast()))?.byteOffset == 1)

    var wrong = ReceiptMaker()
    wrong.attributes = [(2, [0x02, 1, 1])]
    #expect(appReceiptFault(try wrong.receipt())?.found == "an attribute that is not a text")
    wrong.attributes = [(1, [0x0C, 1, 0x31])]
    #expect(
      appReceiptFault(try wrong.receipt())?.found == "an attribute that is not a whole number")
    wrong.attributes = [(1, [0x02, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9])]
    #expect(appReceiptFault(try wrong.receipt())?.code == .notAnAppReceipt)
    wrong.attributes = [(2, [0x0C, 1, 0x31, 0x0C, 0])]
    #expect(appReceiptFault(try wrong.receipt())?.code == .notAnAppReceipt)
    wrong.attributes = [(17, [0x04, 0])]
    #expect(appReceiptFault(try wrong.receipt())?.code == .notAnAppReceipt)
  }

  /// Bytes that claim more than they hold.
  ///
  /// They are shown by name: a million bytes are slow to print.
  struct Bomb: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) { (testDescription, self.bytes) = (name, bytes) }
  }

  static let bombs = [
    Bomb("4 GiB", [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]),
    Bomb("16 EiB", [0x30, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
    Bomb("a length of 127 bytes", [0x30, 0xFF] + [UInt8](repeating: 0xFF, count: 127)),
    Bomb("a million levels", [UInt8](repeating: 0x30, count: 1 << 20).flatMap { [$0, 0x80] }),
    Bomb(
      "a million empty elements",
      [0x30, 0x80] + [UInt8](repeating: 5, count: 1 << 20).flatMap { [$0, 0] }
    ),
    Bomb("an endless tag", [UInt8](repeating: 0xFF, count: 1 << 20)),
    Bomb("zeros", [UInt8](repeating: 0, count: 1 << 20)),
  ]

  @Test(arguments: bombs)
  func `are refused when they claim more than they hold`(bomb: Bomb) {
    #expect(appReceiptFault(bomb.bytes)?.code == .notAnAppReceipt, "\(bomb.testDescription)")
  }

  @Test
  func `claim lengths inside them in vain`() throws {
    let good = try sampleReceipt().receipt()
    for offset in good.indices.dropLast(6) {
      var bytes = good
      bytes.replaceSubrange(offset..<offset + 5, with: [0x84, 0xFF, 0xFF, 0xFF, 0xFF])
      _ = appReceiptFault(bytes)
    }
  }
}
