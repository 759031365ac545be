import Receipts
import Scanning
import SubreportTestSupport
import SubscriptionModel
import Testing

/// Returns the line and the path of each transaction of a dump, then of each renewal info, row by row.
private func places(_ text: String) throws -> [String] {
  let file = TemporaryFile(Array(text.utf8))
  var options = ReceiptOptions()
  options.notesPlaces = true
  var reader = ReceiptReader(symbols: SharedSymbols(), options: options)
  var found: [String] = []
  _ = try reader.read(
    path: file.path, file: 3, firstResponse: 0, restart: { found.removeAll() }
  ) { row in
    var items: [ReceiptPlace] = []
    for copy in row.transactions {
      items.append(ReceiptPlace(file: copy.file, row: copy.row, number: copy.number))
    }
    for info in row.renewals {
      items.append(
        ReceiptPlace(file: info.file, row: info.row, number: info.number, isRenewalInfo: true))
    }
    for item in items {
      let place = row.places?.item(at: item)
      found.append("\(place?.line ?? 0) \(place?.path ?? "none") of row \(item.row)")
    }
  }
  return found
}

@Suite("Places of transactions and renewal infos")
struct ItemPlacesTests {
  private static func transaction(_ id: String) -> String {
    "{\"transaction_id\": \"\(id)\", \"original_transaction_id\": \"1\", \"product_id\": \"p\", "
      + "\"purchase_date_ms\": \"1595000000000\", \"expires_date_ms\": \"1596000000000\"}"
  }

  private static let renewal =
    "{\"original_transaction_id\": \"1\", \"product_id\": \"p\", \"auto_renew_status\": \"1\"}"

  private static let answer =
    "{\"status\": 0, \"receipt\": {\"request_date_ms\": \"1600000000000\", \"in_app\": "
    + "[\(transaction("1"))]}, \"latest_receipt_info\": [\(transaction("1")), "
    + "\(transaction("2"))], \"pending_renewal_info\": [\(renewal)]}"

  @Test
  func `are paths in the answer of each line`() throws {
    let expected = [
      "receipt.in_app[0]", "latest_receipt_info[0]", "latest_receipt_info[1]",
      "pending_renewal_info[0]",
    ]
    #expect(
      try places("\(Self.answer)\n\n\(Self.answer)\n")
        == expected.map { "1 \($0) of row 1" } + expected.map { "3 \($0) of row 2" })
  }

  @Test
  func `have the line of the item in a document of several lines`() throws {
    let text = """
      {
        "status": 0,
        "receipt": {"request_date_ms": "1590000000000"},
        "latest_receipt_info": [
          \(Self.transaction("1")),
          \(Self.transaction("2"))
        ]
      }
      """
    #expect(
      try places(text) == [
        "5 latest_receipt_info[0] of row 1", "6 latest_receipt_info[1] of row 1",
      ])
  }

  @Test
  func `have the line of the row for the renewal info of an old answer`() throws {
    let text = """
      {
        "status": 0,
        "auto_renew_status": 1, "auto_renew_product_id": "p",
        "receipt": \(Self.transaction("1"))
      }
      """
    #expect(try places(text) == ["4 receipt of row 1", "1  of row 1"])
  }

  @Test
  func `go on inside a JWS, and pass keys of other tools`() throws {
    let signed = jws(
      #"{"transactionId": "1", "originalTransactionId": "1", "productId": "p", "#
        + #""purchaseDate": 1595000000000, "expiresDate": 1596000000000, "#
        + #""signedDate": 1600000000000}"#)
    let info = jws(
      #"{"originalTransactionId": "1", "productId": "p", "autoRenewStatus": 1, "#
        + #""signedDate": 1600000000000}"#)
    let payload = jws(
      #"{"notificationType": "DID_RENEW", "signedDate": 1600000000000, "#
        + #""data": {"bundleId": "a", "signedTransactionInfo": "\#(signed)", "#
        + #""signedRenewalInfo": "\#(info)"}}"#)
    #expect(
      try places(#"{"signedPayload": "\#(payload)"}"#) == [
        "1 signedPayload.data.signedTransactionInfo of row 1",
        "1 signedPayload.data.signedRenewalInfo of row 1",
      ])
    #expect(
      try places(#"{"revision": "r", "signedTransactions": ["\#(signed)", "\#(signed)"]}"#) == [
        "1 signedTransactions[0] of row 1", "1 signedTransactions[1] of row 1",
      ])
    #expect(
      try places("{\"user\": 1, \"apple\": \(Self.answer)}").prefix(2) == [
        "1 *.receipt.in_app[0] of row 1", "1 *.latest_receipt_info[0] of row 1",
      ])
  }

  @Test
  func `are offsets in a raw receipt`() throws {
    let bytes = try sampleReceipt().receipt()
    let found = try places(base64(bytes))
    let words = try #require(found.first).split(separator: " ")
    #expect(found.count == 1 && words[1] == "ASN.1" && words[2] == "offset")
    var receipt = AppReceipt()
    try receipt.read(bytes)
    let offset = try #require(Int(words[3]))
    // The set of the purchase's attributes.
    #expect(receipt.content[offset] == 0x31 && receipt.offset(ofPurchaseAt: 0) == offset)
  }
}
