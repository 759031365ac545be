import Receipts
import Storage
import SubscriptionModel
import Testing

/// Returns JSON as a string in JSON.
private func quoted(_ json: String) -> String {
  "\""
    + json.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    + "\""
}

private let purchase =
  #"{"transaction_id":"2","original_transaction_id":"1","product_id":"p","purchase_date_ms":"1600000000000"}"#
private let signed =
  #"{"transactionId":"2","originalTransactionId":"1","purchaseDate":1600000000000,"signedDate":1600000001000}"#

private func answer(_ members: String) -> String {
  #"{"status":0,"environment":"Production",\#(members)}"#
}

@Suite("JSON kept as text")
struct KeptTextTests {
  @Test(arguments: [
    answer(#""latest_receipt_info":\#(quoted("[\(purchase)]"))"#),
    answer(#""latest_expired_receipt_info":\#(quoted(purchase))"#),
    answer(#""latest_receipt_info":[\#(quoted(purchase))]"#),
    answer(#""receipt":\#(quoted(#"{"bundle_id":"a.b","in_app":[\#(purchase)]}"#))"#),
    answer(#""receipt":{"in_app":\#(quoted("[\(purchase)]"))}"#),
    #"{"notification_type":"DID_RENEW","unified_receipt":\#(quoted(#"{"status":0,"latest_receipt_info":[\#(purchase)]}"#))}"#,
    #"{"transactionReceipt":\#(quoted(signed))}"#,
    #"{"transactionReceipt":\#(quoted(answer(#""latest_receipt_info":[\#(purchase)]"#)))}"#,
    #"{"user":7,"answer":\#(quoted(" " + answer(#""latest_receipt_info":[\#(purchase)]"#)))}"#,
    #"{"id":7,"data":\#(quoted(signed))}"#,
    #"{"id":7,"body":\#(quoted("[\(signed),{}]"))}"#,
    #"{"a":\#(quoted(#"{"b":\#(quoted(signed))}"#))}"#,
    "[\(quoted(signed))]",
    "[\(quoted(signed))]\n{\"status\":21002}",
  ])
  func `is read as what it holds`(text: String) throws {
    let dump = try Dump(text)
    #expect(dump.results.filter { $0 != "status not 0 or 21006" } == ["used"], "\(text)")
    #expect(dump.transactions.map(\.transactionID) == [ReceiptID(value: 2)], "\(text)")
    #expect(dump.rows.allSatisfy { $0.unusableCount == 0 })
  }

  @Test
  func `is read in a list of renewal infos`() throws {
    let info = #"{"original_transaction_id":"1","auto_renew_status":"0"}"#
    let dump = try Dump(
      answer(
        #""latest_receipt_info":[\#(purchase)],"pending_renewal_info":[\#(quoted(info)),"gone",7]"#)
    )
    #expect(dump.renewals.map(\.autoRenews) == [false])
    #expect(dump.rows.map(\.unusableCount) == [2])
  }

  @Test
  func `under a list that is none is an unusable transaction`() throws {
    let text = answer(
      #""receipt":{"in_app":[\#(purchase)]},"latest_receipt_info":"[{\"transaction_id\"""#)
    let dump = try Dump(text)
    #expect(dump.results == ["used"])
    #expect(dump.rows.map(\.unusableCount) == [1])
    #expect(try Dump(answer(#""latest_receipt_info":"gone""#)).results == ["not-json"])
    #expect(try Dump(answer(#""latest_receipt_info":"""#)).results == ["nothing in it"])
  }

  @Test
  func `of another store is ignored`() throws {
    let google = quoted(#"{"orderId":"GPA.1","productId":"p","purchaseTime":1600000000000}"#)
    let dump = try Dump(#"{"transactionReceipt":\#(google)}"# + "\n" + signed)
    #expect(dump.results == ["other store", "used"])
  }

  @Test
  func `of another tool does no harm`() throws {
    let text = #"{"note":"{hello}","more":"[1,","answer":\#(signed)}"#
    let dump = try Dump(text)
    #expect(dump.results == ["used"])
    #expect(dump.rows.map(\.unusableCount) == [0])
  }

  @Test
  func `is read in a column of receipts`() throws {
    let cell = "\"\(signed.replacing("\"", with: "\"\""))\""
    let dump = try Dump("app_user_id,receipt\nu,\(cell)\n")
    #expect(dump.transactions.map(\.transactionID) == [ReceiptID(value: 2)])
  }
}
