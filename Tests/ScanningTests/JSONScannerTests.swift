import Scanning
import SubreportTestSupport
import Testing

@Suite("JSON scanner")
struct JSONScannerTests {
  /// Every kind of token once, in few bytes.
  static let small = Array(
    #" {"a":[1,-0.5e+3, true,false,null,{}], "é\u00e9\ud83d\ude00":"x\\\n月😀" ,"":[ ]}"#.utf8)

  @Test(arguments: seeds(100))
  func `agrees with the obvious parser`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let text = Array(randomJSON(using: &random).utf8)
      let expected = referenceJSON(text)
      #expect((try? expected.get()) != nil)
      #expect(scanJSON(text) == expected)
      #expect(skipJSON(text) == .success(.word("skipped")))
    }
  }

  @Test(arguments: seeds(100))
  func `agrees with the obvious parser on damaged texts`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes =
      Array(#"{}[]",:\/.+-eE0179truefalsnu "#.utf8) + [0, 0x09, 0x0A, 0x1F, 0x7F, 0x80]
      + [0xBF, 0xC0, 0xC3, 0xE0, 0xED, 0xF0, 0xF4, 0xF5, 0xFF]
    for _ in 0..<30 {
      var text = Array(randomJSON(using: &random).utf8)
      let offset = Int.random(in: 0..<text.count, using: &random)
      let byte = bytes.randomElement(using: &random) ?? 0
      switch Int.random(in: 0...2, using: &random) {
      case 0: text[offset] = byte
      case 1: text.insert(byte, at: offset)
      default: text.remove(at: offset)
      }
      let expected = referenceJSON(text)
      #expect(scanJSON(text) == expected, "\(String(decoding: text, as: UTF8.self))")
      #expect(skipJSON(text) == expected.map { _ in .word("skipped") })
    }
  }

  @Test(arguments: 1...90)
  func `reads the same wherever blocks end`(blockSize: Int) {
    let expected = referenceJSON(Self.small)
    #expect(scanJSON(Self.small, blockSize: blockSize) == expected)
    #expect(skipJSON(Self.small, blockSize: blockSize) == .success(.word("skipped")))
    #expect(scanJSON(gzip(Self.small), blockSize: blockSize) == expected)
  }

  @Test(arguments: [nil, 1, 2, 3, 7])
  func `finds the place where a text was cut, whatever the block`(blockSize: Int?) {
    for length in 0..<Self.small.count {
      let text = Array(Self.small[..<length])
      let expected = JSONOutcome.failure(.init(code: "json-truncated", byteOffset: length))
      #expect(referenceJSON(text) == expected)
      #expect(scanJSON(text, blockSize: blockSize) == expected)
      #expect(skipJSON(text, blockSize: blockSize) == expected)
    }
  }

  @Test(arguments: seeds(40))
  func `finds the same damage wherever blocks end`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5 {
      var text = Self.small
      let offset = Int.random(in: 0..<text.count, using: &random)
      text[offset] = UInt8.random(in: 0...255, using: &random)
      let blockSize = Int.random(in: 1...16, using: &random)
      #expect(scanJSON(text, blockSize: blockSize) == referenceJSON(text))
    }
  }

  static let refused: [(String, JSONError.Code, Int)] = [
    ("[1,]", .syntax, 3), ("[,1]", .syntax, 1), ("[1 2]", .syntax, 3), ("[1", .truncated, 2),
    ("{\"a\":1,}", .syntax, 7), ("{,}", .syntax, 1), ("{\"a\"}", .syntax, 4),
    ("{\"a\":}", .syntax, 5), ("{a:1}", .syntax, 1), ("{'a':1}", .syntax, 1), ("{1:2}", .syntax, 1),
    ("[1}", .syntax, 2), ("{\"a\":1]", .syntax, 6), ("]", .syntax, 0), ("}", .syntax, 0),
    ("01", .syntax, 1), ("-", .truncated, 1), ("-a", .syntax, 1), ("+1", .syntax, 0),
    (".5", .syntax, 0), ("1.", .truncated, 2), ("1.e5", .syntax, 2), ("1e", .truncated, 2),
    ("1e+", .truncated, 3), ("1ex", .syntax, 2), ("0x10", .syntax, 1), ("1.5.2", .syntax, 3),
    ("-01", .syntax, 2), ("1_000", .syntax, 1), ("NaN", .syntax, 0), ("Infinity", .syntax, 0),
    ("tru", .truncated, 3), ("truE", .syntax, 3), ("trueish", .syntax, 4), ("nul1", .syntax, 3),
    ("True", .syntax, 0), ("[1]//", .syntax, 3), ("/**/1", .syntax, 0), ("[1]\u{0}", .syntax, 3),
    ("\u{0}", .syntax, 0), ("\u{B}1", .syntax, 0), ("\u{A0}1", .syntax, 0), ("", .truncated, 0),
    ("  ", .truncated, 2),
  ]

  @Test(arguments: refused)
  func `refuses what JSON forbids`(text: String, code: JSONError.Code, byteOffset: Int) {
    let expected = JSONOutcome.failure(.init(code: code.rawValue, byteOffset: byteOffset))
    #expect(scanJSON(Array(text.utf8)) == expected)
    #expect(skipJSON(Array(text.utf8)) == expected)
    #expect(referenceJSON(Array(text.utf8)) == expected)
  }

  static let runTogether: [(String, Int)] = [
    ("01", 1), ("1.5.2", 3), ("-0-1", 2), ("truefalse", 4), ("nulll", 4), ("1e5e5", 3),
  ]

  @Test(arguments: runTogether)
  func `never takes a number or word that goes on wrongly for two values`(
    text: String, byteOffset: Int
  ) throws {
    var scanner = try jsonScanner(Array(text.utf8))
    _ = try scanner.nextValue()
    do throws(JSONReadError) {
      try scanner.skipValue()
      Issue.record("took a part for a value")
    } catch {
      guard case .text(let error) = error else { throw error }
      #expect(error.code == .syntax)
      #expect(error.byteOffset == byteOffset)
    }
  }

  @Test
  func `reads values that follow each other in any way`() throws {
    var scanner = try jsonScanner(Array("1 \"a\"[2]{}\ntrue\n\n3".utf8))
    var values: [ReferenceJSON.Value] = []
    var lines: [Int] = []
    while try scanner.nextValue() {
      lines.append(scanner.line)
      values.append(try scanner.readTree())
    }
    #expect(lines == [1, 1, 1, 1, 2, 4])
    #expect(
      values == [
        .number([0x31]), .string([0x61]), .array([.number([0x32])]), .object([]), .word("true"),
        .number([0x33]),
      ])
  }

  @Test(arguments: [
    "9007199254740993", "123456789012345678901234567890", "0.1000", "-0", "1E400",
    "1.7976931348623157e+308",
  ])
  func `keeps every digit of a number`(number: String) throws {
    for blockSize in [nil, 1, 5] {
      #expect(
        scanJSON(Array(number.utf8), blockSize: blockSize) == .success(.number(Array(number.utf8))))
    }
  }

  @Test(arguments: [0, 1, 3, 512])
  func `refuses one level more than allowed, with its place`(limit: Int) {
    func nested(_ levels: Int) -> [UInt8] {
      (0..<levels).flatMap { Array(($0.isMultiple(of: 2) ? "[" : "{\"a\":").utf8) } + [0x31]
        + (0..<levels).reversed().flatMap { Array(($0.isMultiple(of: 2) ? "]" : "}").utf8) }
    }
    let deepest = nested(limit)
    #expect(scanJSON(deepest, depthLimit: limit) == referenceJSON(deepest, depthLimit: limit))
    #expect(skipJSON(deepest, depthLimit: limit) == .success(.word("skipped")))
    let place = limit + 4 * (limit / 2)
    let expected = JSONOutcome.failure(.init(code: "json-depth", byteOffset: place))
    for levels in [limit + 1, 10_000] {
      #expect(scanJSON(nested(levels), depthLimit: limit) == expected)
      #expect(skipJSON(nested(levels), depthLimit: limit) == expected)
    }
  }

  @Test
  func `says what it found and expected, on which line, and nothing of a string`() throws {
    let texts: [(String, String)] = [
      ("[1,\n 2;\n", "2:6: found \";\", expected \",\" or \"]\""),
      ("[\"secret\" \"", "1:10: found a quotation mark, expected \",\" or \"]\""),
      ("{\n\n\"secret\" 1}", "3:12: found \"1\", expected \":\""),
      ("\"secret\\x\"", "1:8: found something else, expected an escape such as \"\\n\""),
      ("\"secret\\u12x4\"", "1:11: found something else, expected a hexadecimal digit"),
      ("\"secret\u{1}\"", "1:7: found a control character, expected its escape"),
      ("[\"secret", "1:8: found the end of the text, expected the rest of a string"),
      ("\u{1}", "1:0: found byte 0x1, expected a JSON value"),
    ]
    for (text, expected) in texts {
      var scanner = JSONScanner(ByteStream(Array(text.utf8).span))
      do throws(JSONReadError) {
        if try scanner.nextValue() { try scanner.skipValue() }
        Issue.record("accepted \(text)")
      } catch {
        guard case .text(let error) = error else { continue }
        #expect("\(error.line):\(error.byteOffset): \(error.message)" == expected)
      }
    }
  }

  @Test
  func `keeps its codes`() {
    #expect(
      JSONError.Code.allCases.map(\.rawValue) == [
        "json-syntax", "json-truncated", "json-utf8", "json-surrogate", "json-control-character",
        "json-depth", "json-duplicate-key",
      ])
  }
}
