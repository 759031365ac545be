import Scanning
import SubreportTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("JSON strings")
struct JSONStringTests {
  static let decoded: [(String, String)] = [
    ("", ""), ("a", "a"), (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"),
    (#"\b\f\n\r\t"#, "\u{8}\u{C}\n\r\t"),
    (#"\u0000"#, "\0"), (#"\u007F\u0080"#, "\u{7F}\u{80}"), (#"\u07ff\u0800"#, "\u{7FF}\u{800}"),
    (#"\uD7FF\uE000\uFFFF"#, "\u{D7FF}\u{E000}\u{FFFF}"), (#"\ud800\udc00"#, "\u{10000}"),
    (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"Etc\/GMT"#, "Etc/GMT"), (#"\\u0041"#, #"\u0041"#),
    (
      "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}",
      "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"
    ),
    ("12345678\\n12345678", "12345678\n12345678"),
  ]

  @Test(arguments: decoded)
  func `decodes`(text: String, expected: String) {
    let quoted = Array("\"\(text)\"".utf8)
    for blockSize in [nil, 1, 2, 3, 4, 5] {
      #expect(scanJSON(quoted, blockSize: blockSize) == .success(.string(Array(expected.utf8))))
    }
  }

  static let refused: [(String, JSONError.Code, Int)] = [
    (#"\x"#, .syntax, 2), (#"\u12G4"#, .syntax, 5), (#"\U0041"#, .syntax, 2),
    (#"\u 123"#, .syntax, 3),
    (#"\uD800"#, .loneSurrogate, 1), (#"\uDC00"#, .loneSurrogate, 1),
    (#"a\uD800b"#, .loneSurrogate, 2),
    (#"\uD800\n"#, .loneSurrogate, 1), (#"\uD800\uD800"#, .loneSurrogate, 1),
    (#"\uD800\u0041"#, .loneSurrogate, 1),
    (#"\uD800\u00"#, .syntax, 11), ("a\u{0}", .controlCharacter, 2), ("\t", .controlCharacter, 1),
    ("12345678\n", .controlCharacter, 9), ("\u{1F}", .controlCharacter, 1),
  ]

  @Test(arguments: refused)
  func `refuses`(text: String, code: JSONError.Code, byteOffset: Int) {
    let quoted = Array("\"\(text)\"".utf8)
    let expected = JSONOutcome.failure(.init(code: code.rawValue, byteOffset: byteOffset))
    for blockSize in [nil, 1, 4] {
      #expect(scanJSON(quoted, blockSize: blockSize) == expected)
      #expect(skipJSON(quoted, blockSize: blockSize) == expected)
    }
    #expect(referenceJSON(quoted) == expected)
  }

  @Test(arguments: 0x80...0xFF as ClosedRange<UInt8>)
  func `tells UTF-8 from other bytes as the standard library does`(first: UInt8) {
    let edges: [UInt8] = [0x22, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0]
    for second in edges {
      for tail in [[], [0x80], [0x80, 0xBF], [0xBF, 0x80, 0x80], [0x80, 0x7F], [0xC0]] as [[UInt8]]
      {
        let text = [0x22, first, second] + tail + [0x22]
        let expected = referenceJSON(text)
        #expect(scanJSON(text) == expected)
        #expect(skipJSON(text) == expected.map { _ in .word("skipped") })
      }
    }
  }

  @Test
  func `keeps control characters where they are allowed`() throws {
    let text = Array("[\"a\tb\r\nc\u{0}\",\"\n\" ,1]".utf8)
    for blockSize in [nil, 1, 2] {
      var scanner = try jsonScanner(text, blockSize: blockSize, allowsControlCharacters: true)
      _ = try scanner.nextValue()
      let tree = try scanner.readTree()
      #expect(
        tree == .array([.string(Array("a\tb\r\nc\u{0}".utf8)), .string([0x0A]), .number([0x31])]))
      #expect(scanner.line == 3)
    }
  }

  @Test(arguments: [nil, 1, 7])
  func `keeps texts up to the limit, and passes over longer ones`(blockSize: Int?) throws {
    let text = Array(
      #"["123456789","1234567890","\u00e9\n","12345678\u00e9",1234567890,123456789,"x"]"#.utf8)
    var scanner = try jsonScanner(text, blockSize: blockSize)
    var values = JSONText()
    var scalars: [JSONScalar] = []
    _ = try scanner.nextValue()
    let array = try #require(try scanner.enterArray())
    while try scanner.nextElement(of: array) {
      scalars.append(try scanner.readScalar(into: &values, limit: 9))
    }
    #expect(scalars.map(\.isTooLong) == [false, true, false, true, true, false, false])
    // Every text stays where it is until the record's end.
    let texts = scalars.map { String(decoding: values.bytes[$0.range], as: UTF8.self) }
    #expect(texts == ["123456789", "", "é\n", "", "", "123456789", "x"])
  }

  @Test(arguments: [1, 5, 1 << 18])
  func `hands out a string in pieces that can be joined`(blockSize: Int) throws {
    let long = (0..<500).map { "receipt \($0)\\n é😀" }.joined()
    var scanner = try jsonScanner(Array("[7,\"\(long)\"]".utf8), blockSize: blockSize)
    var joined: [UInt8] = []
    _ = try scanner.nextValue()
    let array = try #require(try scanner.enterArray())
    _ = try scanner.nextElement(of: array)
    let numberWasRead = try scanner.readString { _ in }
    #expect(!numberWasRead)
    _ = try scanner.nextElement(of: array)
    let stringWasRead = try scanner.readString {
      #expect(String(validating: $0.bytes(), as: UTF8.self) != nil)
      joined += $0.bytes()
    }
    #expect(stringWasRead)
    #expect(joined == Array((0..<500).map { "receipt \($0)\n é😀" }.joined().utf8))
  }

  @Test
  func `passes over a string of 100 MB in no more memory than over a short one`() async {
    await #expect(processExitsWith: .success) {
      let piece = gzip(Array(repeating: 0x41, count: 1 << 20))
      let text = gzip([0x22]) + (0..<100).flatMap { _ in piece } + gzip([0x22])
      let file = TemporaryFile(text)
      var scanner = JSONScanner(try ByteStream(path: file.path))
      let before = peakMemory()
      let isThere = try scanner.nextValue()
      try scanner.skipValue()
      let hasMore = try scanner.nextValue()
      precondition(
        isThere && !hasMore && scanner.byteOffset == 100 << 20 + 2, "not read to its end")
      precondition(peakMemory() - before < 4 << 20, "took more than 4 MiB")
    }
  }
}

/// Returns the most memory that the process has had so far, in bytes.
private func peakMemory() -> Int {
  var usage = rusage()
  // RUSAGE_SELF is 0, but not a number in every C library.
  // Safe: the system fills the structure during the call.
  _ = unsafe getrusage(0, &usage)
  #if canImport(Darwin)
    return usage.ru_maxrss
  #else
    return usage.ru_maxrss * 1024
  #endif
}
