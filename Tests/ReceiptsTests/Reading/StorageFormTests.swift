import Receipts
import SubreportTestSupport
import Testing

@Suite("Storage forms")
struct ReceiptStorageFormTests {
  private static let records: [String] = {
    var random = SeededGenerator(seed: 3)
    return (0..<40).map { _ in RandomAnswer(&random).tree.text(&random) }
  }()

  @Test
  func `of the same records read the same: lines, an array, gzip, CRLF, a byte order mark`() throws
  {
    let lines = Self.records.joined(separator: "\n")
    let expected = try Dump(lines)
    #expect(expected.rows.count == Self.records.count)
    let forms: [[UInt8]] = [
      Array((lines + "\n").utf8), Array("\u{FEFF}\(lines)".utf8),
      Array(Self.records.joined(separator: "\r\n\r\n").utf8), gzip(Array(lines.utf8)),
      Array("[\(Self.records.joined(separator: ","))]".utf8),
      gzip(Array("\u{FEFF}[\n\(Self.records.joined(separator: "\n,"))\n]\n".utf8)),
    ]
    for form in forms { #expect(try Dump(form).content == expected.content) }
  }

  @Test
  func `of long files read the same wherever a block ends`() throws {
    let text = Array(repeating: Self.records, count: 8).joined().joined(separator: "\n")
    #expect(text.utf8.count > 1 << 18)
    let expected = try Dump(text).content
    for shift in stride(from: 1, to: 64, by: 9) {
      let shifted = String(repeating: " ", count: shift) + text
      #expect(try Dump(shifted).content == expected, "shifted by \(shift)")
    }
  }

  @Test
  func `of a receipt in base64 read the same: on a line or on several`() throws {
    let list =
      #"{"purchase-info" = "\#(base64(Array(#"{"product-id" = "p"; "purchase-date-ms" = "1600000000000";}"#.utf8)))";}"#
    let receipt = base64(Array(("{\n" + list.dropFirst()).utf8))
    let expected = try Dump(receipt)
    #expect(expected.results == ["used"])
    for width in [64, 76] {
      let starts = stride(from: 0, to: receipt.utf8.count, by: width)
      let lines = starts.map { start in
        String(receipt.dropFirst(start).prefix(width))
      }
      for separator in ["\n", "\r\n"] {
        let wrapped = lines.joined(separator: separator)
        #expect(try Dump(wrapped).content == expected.content)
        // Another receipt, and JSON, after it.
        let two = try Dump([wrapped, wrapped, "{\"a\":1}", receipt].joined(separator: separator))
        #expect(two.results == ["used", "used", "unknown-shape", "used"])
      }
    }
  }
}
