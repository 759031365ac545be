import Scanning
import SubreportTestSupport
import Testing

@Suite("CSV scanner")
struct CSVScannerTests {
  /// The rows of a text, with the line on which each begins.
  private func rows(
    _ text: String, blockSize: Int? = nil
  ) throws -> (cells: [[String]], lines: [Int], isTruncated: Bool) {
    let bytes = Array(text.utf8)
    let file = TemporaryFile(bytes)
    var scanner =
      if let blockSize {
        CSVScanner(try ByteStream(path: file.path, blockSize: blockSize))
      } else {
        CSVScanner(ByteStream(bytes.span))
      }
    var cells: [[String]] = []
    var lines: [Int] = []
    while try scanner.nextRow() {
      cells.append(
        (0..<scanner.count).map { String(decoding: scanner.text[scanner[$0]], as: UTF8.self) })
      lines.append(scanner.line)
    }
    return (cells, lines, scanner.isTruncated)
  }

  @Test(arguments: [
    ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]), ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
    ("\u{FEFF}a\n", [["a"]]), (",\n", [["", ""]]), ("\n\r\n\na\n\n", [["a"]]), ("", []),
    ("\"a,b\",c\n", [["a,b", "c"]]), ("\"a\"\"b\"\n", [["a\"b"]]), ("\"\"\n\"\",\n", [["", ""]]),
    ("\"a\nb\r\nc\",d\r\n", [["a\nb\r\nc", "d"]]), ("\"234.58\" EUR,x\n", [["234.58 EUR", "x"]]),
    ("a\"b,c\n", [["a\"b", "c"]]), ("a,\"b", [["a", "b"]]),
  ])
  func `finds cells`(text: String, expected: [[String]]) throws {
    #expect(try rows(text).cells == expected)
  }

  @Test
  func `counts lines, also those inside quotes`() throws {
    #expect(try rows("a\n\"b\n\nc\"\n\nd\n").lines == [1, 2, 6])
  }

  @Test
  func `tells when the text ends inside quotes`() throws {
    #expect(try rows("a\n\"b\n").isTruncated)
    #expect(try !rows("a\n\"b\"\n").isTruncated)
  }

  @Test(arguments: seeds(20))
  func `finds the same cells wherever a block ends`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = [",", "\"", "\"\"", "\n", "\r\n", "a", "é", " ", "\"x,y\"", "\r"]
    var text = ""
    for _ in 0..<40 { text += pieces[Int.random(in: 0..<pieces.count, using: &random)] }
    let expected = try rows(text)
    for blockSize in 1...7 {
      let found = try rows(text, blockSize: blockSize)
      #expect(found.cells == expected.cells && found.lines == expected.lines)
    }
  }
}
