import Receipts
import Scanning
import Storage
import SubreportTestSupport
import SubscriptionModel
import Testing

private let good =
  #"""
  {"status":0,"latest_receipt_info":[{"transaction_id":"1","product_id":"p",\#
  "purchase_date_ms":"1595000000000"}]}
  """#
private let unknown = #"{"hello":"world"}"#

@Suite("Files")
struct ReceiptFileTests {
  @Test
  func `hold a row a line, each with its place; blank lines are none`() throws {
    let dump = try Dump("\u{FEFF}\(good)\r\n\r\n  \n\(unknown)\n  \(good)")
    #expect(dump.results == ["used", "unknown-shape", "used"])
    #expect(dump.rows.map(\.number) == [1, 2, 3])
    #expect(dump.rows.map(\.line) == [1, 4, 5])
    let offset = 3 + good.utf8.count + 2 + 2 + 3
    #expect(dump.rows.map(\.byteOffset) == [3, offset, offset + unknown.utf8.count + 3])
    #expect(dump.rows[1].reject?.byteOffset == offset && dump.rows[1].reject?.line == 4)
    #expect(dump.transactions.map(\.row) == [1, 3])
    #expect(dump.transactions.map(\.response) == [100, 101])
    #expect(dump.kind == .verifyReceipt)
  }

  @Test
  func `that are one array hold a row an element`() throws {
    let dump = try Dump(" [\(good),\n \(unknown) , 5,\(good)]\n")
    #expect(dump.results == ["used", "unknown-shape", "unknown-shape", "used"])
    #expect(dump.rows.map(\.line) == [1, 2, 2, 2])
    #expect(dump.restarts == 0)
  }

  @Test
  func `that are an array and more are lines`() throws {
    let dump = try Dump("[\(good),\(good)]\n\(good)\n")
    #expect(dump.restarts == 1)
    #expect(dump.results == ["used", "used"])
    #expect(dump.rows.map(\.transactions.count) == [2, 1])
    #expect(dump.transactions.map(\.response) == [100, 101, 102])
    #expect(dump.storedByteCount == good.utf8.count * 3 + 5)
  }

  @Test
  func `that are one object over many lines are one row`() throws {
    let pretty = good.split(separator: ",").joined(separator: ",\n")
    #expect(try Dump(pretty).results == ["used"])
    #expect(try Dump(pretty + "\n\n").results == ["used"])
  }

  @Test
  func `of which no line can be parsed are one row, at the first fault`() throws {
    for text in ["{\n\(good),\n\(good),\n}", "[\(good),\n\(good),\n"] {
      let dump = try Dump(text)
      #expect(dump.rows.count == 1, "\(text)")
      #expect(dump.kind == .mixed)
      #expect(["not-json", "truncated-record"].contains(dump.results.first))
      #expect(dump.transactions.isEmpty)
      #expect(dump.storedByteCount == text.utf8.count)
    }
  }

  @Test
  func `in which nothing is known have no rows`() throws {
    for text in ["", "\n \n", "[]", unknown, "[\(unknown)]", "\(unknown)\n\(unknown)\nx\n"] {
      let dump = try Dump(text)
      #expect(dump.kind == nil, "\(text)")
      #expect(dump.rows.isEmpty, "\(text)")
    }
  }

  @Test
  func `lose a truncated last line and no other`() throws {
    let dump = try Dump("\(good)\n\(good.dropLast(9))")
    #expect(dump.results == ["used", "truncated-record"])
    let first = try Dump("\(good.dropLast(9))\n\(good)")
    #expect(first.results.last == "used" && first.rows.count == 2)
  }

  @Test
  func `with two values on a line lose that line`() throws {
    #expect(try Dump("\(good)\(good)\n\(good)").results == ["not-json", "used"])
    #expect(try Dump("\(good)\n\(good) 1\n\(good)").results == ["used", "not-json", "used"])
  }

  @Test
  func `of mixed shapes are read line by line`() throws {
    let transaction = jws(
      #"{"transactionId":"1","purchaseDate":1600000000000,"signedDate":1600000000000}"#)
    let text = [
      good, transaction, "\"\(transaction)\"", #"{"signedTransactions":["\#(transaction)"]}"#,
      "eyJhbGciOiJFUzI1NiJ9.e30", "Hello", "MIIDwrongwrongwrong==", "[\(good)]", "null",
    ].joined(separator: "\n")
    let dump = try Dump(text)
    #expect(
      dump.results == [
        "used", "used", "used", "used", "not-a-jws", "not-json", "not-base64", "used",
        "unknown-shape",
      ])
    #expect(dump.kind == .mixed)
  }

  @Test
  func `may hold control characters that nobody escaped`() throws {
    let text = good.replacing("\"p\"", with: "\"p\u{01}\tq\"")
    #expect(try Dump(text).results == ["used"])
  }

  @Test
  func `that are gzip damaged throw`() throws {
    let bytes = gzip(Array("\(good)\n".utf8))
    #expect(throws: ScanError.self) { try Dump(Array(bytes.dropLast(3))) }
    #expect(try Dump(bytes).results == ["used"])
  }

  @Test
  func `hold texts of any length; only signed records and receipts have a limit`() throws {
    let long = String(repeating: "A", count: 1 << 20)
    let text = #"""
      {"latest_receipt":"\#(long)","password":"\#(long)","product_id":"\#(long)","status":0,\#
      "latest_receipt_info":[{"product_id":"\#(long)","purchase_date_ms":1595000000000}]}
      """#
    let dump = try Dump(text)
    #expect(dump.results == ["used"])
    #expect(dump.transactions.map(\.product) == [.blank])
    let jws = #"{"signedTransactionInfo":"eyJ\#(long).A.A"}"#
    #expect(try Dump(jws).results == ["record-too-long"])
    #expect(try Dump("eyJ\(long).AA.A").results == ["record-too-long"])
    let receipt = String(repeating: "MIIDwrongwrongwr", count: (1 << 20) + 1)
    #expect(try Dump(receipt).results == ["record-too-long"])
    #expect(try Dump(#"{"transactionReceipt":"\#(receipt)"}"#).results == ["record-too-long"])
  }

  @Test
  func `of other stores' clients are ignored`() throws {
    let dump = try Dump(#"{"Store":"GooglePlay","Payload":"{\"json\":\"x\"}"}"# + "\n" + good)
    #expect(dump.results == ["other store", "used"])
  }

  @Test
  func `are recognised by one line`() throws {
    let cases: [(String, Bool)] = [
      ("{", true), ("  [", true), ("hello", false), ("", false), ("5\n", false),
      ("hello\n{\"a\":1}\n", true), ("hello\n{ code }\n", false), (jws("{}"), true),
      ("x\n\(jws("{}"))", true), ("app_user_id,receipt\n", true), ("receipt\n", false),
      ("a,b\n", false), ("\"{\\\"a\\\":1}\"\n", true), ("\"a\"\n", false),
      ("MIISnwYJKoZIhvcNAQcCoIISkDCCEowCAQExCzAJ", true),
      ("ewoJInNpZ25hdHVyZSIgPSAi", true), ("MII is a word", false),
    ]
    for (text, isRecognized) in cases {
      let file = TemporaryFile(Array(text.utf8))
      #expect(try ReceiptReader.recognizes(path: file.path) == isRecognized, "\(text)")
      #expect(try DumpSigns(path: file.path).isDump(nil) == isRecognized, "\(text)")
    }
  }

  @Test
  func `are recognised by signs that were found without the columns of tables`() throws {
    let columns = [
      nil, ReceiptColumns([.purchaseDate: "bought", .product: "plan"]),
      ReceiptColumns([.product: "plan"]), ReceiptColumns([.receipt: "bought"]),
    ]
    let texts = [
      "bought,plan\n2026-01-01,p\n", " bought , plan \n", "plan,receipt\np,MII\n", "bought\n",
      "\"bought\",\"a,b\"\n", "receipt,bought\n{\"a\":1}\n", "profile_id,event_type,bought\n",
      "rc_original_app_user_id\n", "bought\tplan\n", "", "\n", "{\"bought\":1}\n", "bought,\"plan",
    ]
    for text in texts {
      let file = TemporaryFile(Array(text.utf8))
      let signs = try DumpSigns(path: file.path)
      for columns in columns {
        let isRecognized = try ReceiptReader.recognizes(path: file.path, columns: columns)
        #expect(signs.isDump(columns) == isRecognized, "\(text) \(String(describing: columns))")
      }
    }
  }
}
