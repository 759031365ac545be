import Scanning
import SubreportTestSupport
import Testing

@Suite("JSON lines")
struct JSONLineTests {
  /// Reads lines that begin with a brace as JSON and all others as text.
  private func read(_ text: String, blockSize: Int) throws -> [String] {
    let file = TemporaryFile(Array(text.utf8))
    var scanner = JSONScanner(try ByteStream(path: file.path, blockSize: blockSize))
    scanner.isLineDelimited = true
    var found: [String] = []
    while try scanner.nextValue() {
      let line = scanner.line
      if scanner.nextByte != UInt8(ascii: "{") {
        var bytes: [UInt8] = []
        let isWhole = try scanner.readLine(into: &bytes, limit: 5)
        found.append("\(line) \(isWhole ? String(decoding: bytes, as: UTF8.self) : "too long")")
        continue
      }
      do throws(JSONReadError) {
        try scanner.finishLine()
        found.append("\(line) JSON")
      } catch {
        guard case .text(let fault) = error else { throw error }
        found.append("\(line) \(fault.code.rawValue)")
        try scanner.skipToLineEnd()
      }
    }
    return found
  }

  @Test(arguments: 1...12)
  func `may hold JSON or text, and are read line by line`(blockSize: Int) throws {
    let text = "{\"a\":1} \t\r\nhello\n\n  {} {}\n{\"a\"\n123456\n{\"b\":[\n\r\n  x"
    #expect(
      try read(text, blockSize: blockSize) == [
        "1 JSON", "2 hello", "4 json-syntax", "5 json-truncated", "6 too long", "7 json-truncated",
        "9 x",
      ])
  }

  @Test
  func `are passed over to the end, which a damaged gzip file does not have`() throws {
    let file = TemporaryFile(Array("{} [1\n2".utf8))
    var scanner = JSONScanner(try ByteStream(path: file.path))
    _ = try scanner.nextValue()
    try scanner.skipToEnd()
    let isAtValue = try scanner.nextValue()
    #expect(!isAtValue)
  }
}
