import Receipts
import SubreportTestSupport
import Testing

/// Every text cut short and every single byte changed: each must be read or refused, in no time.
@Suite("Damaged encodings")
struct DamagedEncodingTests {
  @Test(arguments: ReceiptMaker.Form.allCases)
  func `of app receipts are read or refused`(form: ReceiptMaker.Form) throws {
    var purchase = ReceiptMaker()
    purchase.add(1702, "month")
    purchase.add(1711, 12_345)
    var maker = ReceiptMaker()
    maker.add(2, "com.example")
    maker.add(purchase)
    maker.form = form
    let receipt = try maker.receipt()
    for count in receipt.indices {
      #expect(appReceiptFault(Array(receipt[..<count])) != nil, "cut to \(count) bytes")
    }
    forEachChange(of: receipt) { _ = appReceiptFault($0) }
  }

  @Test
  func `of receipts of iOS 6 are read or refused`() throws {
    let info = ReferenceBase64.encode(Array(#"{"bid" = "com.example";}"#.utf8))
    let text = Array("{\"signature\" = \"AA==\"; \"purchase-info\" = \"\(info)\";}".utf8)
    var receipt = TransactionReceipt()
    for count in text.indices {
      let cut = Array(text[..<count])
      var isRead = true
      do throws(EncodingFault) { try receipt.read(cut.span) } catch { isRead = false }
      #expect(!isRead, "cut to \(count) bytes")
    }
    forEachChange(of: text) { try? receipt.read($0.span) }
  }

  @Test
  func `of JWS are read or refused`() throws {
    let text = Array("eyJhbGciOiJFUzI1NiJ9.eyJzaWduZWREYXRlIjoxfQ.AQIDBA".utf8)
    var payload: [UInt8] = []
    forEachChange(of: text) {
      try? JWS(splitting: $0.span, 0..<$0.count).decodePayload($0.span, into: &payload)
    }
  }

  /// Calls a closure with every change of one byte.
  private func forEachChange(of bytes: [UInt8], _ body: ([UInt8]) -> Void) {
    for offset in bytes.indices {
      var changed = bytes
      for value in UInt8.min...UInt8.max {
        changed[offset] = value
        body(changed)
      }
    }
  }
}
