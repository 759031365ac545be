import Receipts
import SubreportTestSupport
import Testing

@Suite("Property lists and receipts of iOS 6")
struct PropertyListTests {
  @Test func findsEntriesByKey() throws {
    let text = Array(
      """
       {
      \t"product-id" = "com.example.month";\r
      bid=com.example.app; "note" = "a \\"b\\"; = {c}"; "empty" = ""; "bid" = "second";
      }

      """.utf8)
    var list = PropertyList()
    try list.read(text.span)
    let entries = list.entries
    #expect(entries.count == 5)
    func value(_ key: String) -> String? {
      list.value(of: key, in: text.span).map { String(decoding: text[$0], as: UTF8.self) }
    }
    #expect(value("product-id") == "com.example.month")
    #expect(value("bid") == "com.example.app")
    #expect(value("note") == #"a \"b\"; = {c}"#)
    #expect(value("empty") == "")
    #expect(value("none") == nil)
  }

  static let wrong: [(String, offset: Int)] = [
    ("", 0), ("x", 0), ("{", 1), ("{a", 2), ("{a=", 3), ("{a=b", 4), ("{a=b;", 5), ("{a=b}", 4),
    ("{a=b;}x", 6), ("{\"a", 3), ("{\"a\\", 4), ("{\"a\\\"=b;}", 9), ("{a={};}", 3),
    ("{a=(b);}", 3), ("{=b;}", 1), ("{a b;}", 3), ("{a=<00>;}", 3), ("<?xml version=\"1.0\"?>", 0),
  ]

  @Test(arguments: wrong)
  func `says where a text stops being a list of strings`(text: String, offset: Int) {
    let bytes = Array(text.utf8)
    var list = PropertyList()
    var fault: EncodingFault?
    do throws(EncodingFault) { try list.read(bytes.span) } catch { fault = error }
    #expect(fault?.code == .notAPropertyList)
    #expect(fault?.byteOffset == offset)
  }

  @Test func holdsNoMoreThanItsMostEntries() throws {
    let most = Array("{\(String(repeating: "a=b;", count: PropertyList.mostEntries))}".utf8)
    var list = PropertyList()
    try list.read(most.span)
    let tooMany = Array("{\(String(repeating: "a=b;", count: 1 << 20))}".utf8)
    var fault: EncodingFault?
    do throws(EncodingFault) { try list.read(tooMany.span) } catch { fault = error }
    #expect(fault?.byteOffset == 1 + 4 * PropertyList.mostEntries)
  }

  @Test func readsReceiptsOneAfterTheOther() throws {
    var receipt = TransactionReceipt()
    for (product, environment) in [("month", "Sandbox"), ("year", nil)] {
      let info = ReferenceBase64.encode(Array(#"{"product-id" = "\#(product)";}"#.utf8))
      let text = Array(
        "{purchase-info=\"\(info)\";\(environment.map { "environment=\($0);" } ?? "")}".utf8)
      try receipt.read(text.span)
      let found = receipt.value(of: "product-id").map { receipt.purchaseInfo[$0] }
      #expect(found.map { String(decoding: $0, as: UTF8.self) } == product)
      let place = receipt.environment
      #expect(place.map { String(decoding: text[$0], as: UTF8.self) } == environment)
    }
  }

  static let wrongReceipts: [(String, EncodingFault.Code)] = [
    ("{a=b;}", .notAPropertyList), ("{purchase-info=\"e3\";}", .notBase64),
    ("{purchase-info=\"e30=\";", .notAPropertyList),
    ("{purchase-info=\"e3s=\";}", .notAPropertyList),
  ]

  @Test(arguments: wrongReceipts)
  func `says which encoding of a receipt is broken`(text: String, code: EncodingFault.Code) {
    var receipt = TransactionReceipt()
    let bytes = Array(text.utf8)
    var fault: EncodingFault?
    do throws(EncodingFault) { try receipt.read(bytes.span) } catch { fault = error }
    #expect(fault?.code == code)
  }
}
