import Scanning
import SubreportTestSupport
import Testing

@Suite("Fields")
struct FieldTests {
  @Test(arguments: seeds(200))
  func `agree with the obvious splitter`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var splitter = FieldSplitter(capacity: 24)
    for _ in 0..<20 {
      let line = Self.randomLine(using: &random)
      let expected = ReferenceSplitter.fields(line)
      let fits = splitter.split(line.span)
      let count = splitter.count
      let isASCII = splitter.isASCII
      #expect(fits == (expected.count <= 24))
      #expect(count == expected.count)
      #expect(isASCII == line.allSatisfy { $0 < 128 })
      let found = (0..<min(count, 24)).map { Array(line[splitter[$0]]) }
      #expect(found == Array(expected.prefix(24)))
      for field in [min(count, 24), count, count + 1, 1_000] {
        let beyond = splitter[field]
        #expect(beyond == line.count..<line.count)
      }
    }
  }

  @Test(arguments: seeds(200))
  func `are the same at the ends of a line that is not looked at as a whole`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var splitter = FieldSplitter(capacity: 200)
    for _ in 0..<50 {
      let line = Self.randomLine(length: 0...300, tabsIn: 40, using: &random)
      let expected = ReferenceSplitter.fields(line)
      let first = Int.random(in: 0..<expected.count, using: &random)
      let last = Int.random(in: 0..<(expected.count - first), using: &random)
      let between = splitter.splitEnds(line.span, first: first, last: last, of: expected.count)
      let start = expected.prefix(first).map { $0.count + 1 }.reduce(0, +)
      let end = line.count - expected.suffix(last).map { $0.count + 1 }.reduce(0, +)
      let areNear = line.count >= 64 && start <= 64 && line.count - end <= 64
      let areASCII = (line[..<start] + line[end...]).allSatisfy { $0 < 128 }
      guard areNear, areASCII else {
        #expect(between == nil)
        continue
      }
      #expect(between == start..<end)
      for field in Array(0..<first) + Array((expected.count - last)..<expected.count) {
        #expect(Array(line[splitter[field]]) == expected[field])
      }
      let after = splitter[expected.count]
      #expect(after == line.count..<line.count)
    }
  }

  @Test
  func `take quotes and commas for text`() {
    let line = Array("\"a\tb\",c\t".utf8)
    var splitter = FieldSplitter(capacity: 3)
    let fits = splitter.split(line.span)
    #expect(fits)
    let fields = (0..<3).map { String(decoding: line[splitter[$0]], as: UTF8.self) }
    #expect(fields == ["\"a", "b\",c", ""])
  }

  static let paddings: [(String, String)] = [
    ("", ""), (" ", ""), ("  \t ", ""), ("RUB      ", "RUB"), (" a b ", "a b"), ("\ta\r", "a"),
    ("\u{A0}a\u{3000}\u{2009} ", "a"), ("\u{FEFF} \u{200B}", ""), ("é\u{202F}\u{A0}", "é"),
    ("\u{2010}a\u{300C}", "\u{2010}a\u{300C}"), ("\u{E0}\u{3042}", "\u{E0}\u{3042}"), ("à", "à"),
  ]

  @Test(arguments: paddings)
  func `lose the blanks at their ends`(padded: String, expected: String) {
    let line = Array("x\(padded)x".utf8)
    let range = trimmed(line.span, 1..<line.count - 1)
    #expect(String(decoding: line[range], as: UTF8.self) == expected)
  }

  @Test(arguments: 0..<4)
  func `show at most 80 bytes in a message, cut between characters`(shift: Int) {
    let line = Array(
      (String(repeating: "a", count: shift) + String(repeating: "부", count: 40)).utf8)
    let text = Reject.excerpt(line.span, 0..<line.count)
    #expect(text.utf8.count <= 80 && text.utf8.count > 76)
    #expect(!text.unicodeScalars.contains("\u{FFFD}"))
    #expect(Reject.excerpt(line.span, 0..<shift) == String(repeating: "a", count: shift))
  }

  /// Returns a line in which one byte of `tabsIn` is a tab, and few are past ASCII.
  private static func randomLine(
    length: ClosedRange<Int>, tabsIn: Int, using random: inout SeededGenerator
  ) -> [UInt8] {
    (0..<Int.random(in: length, using: &random)).map { _ in
      if Int.random(in: 0..<tabsIn, using: &random) == 0 { return 0x09 }
      return Int.random(in: 0..<300, using: &random) == 0 ? 0xC3 : 0x41
    }
  }

  private static func randomLine(using random: inout SeededGenerator) -> [UInt8] {
    let alphabet: [UInt8] =
      [[0x09, 0x41, 0x08, 0x0A, 0x22], [0x09, 0x41, 0x89, 0x88, 0xFF, 0x00]]
      .randomElement(using: &random) ?? []
    return (0..<Int.random(in: 0...200, using: &random)).map { _ in
      alphabet.randomElement(using: &random) ?? 0
    }
  }
}

@Suite("UTF-8")
struct UTF8Tests {
  static let lines: [([UInt8], Int?)] = [
    ([], nil), (Array("Café 부산 🙂".utf8), nil),
    ([0x61, 0x80], 1),  // a continuation without a start
    ([0x61, 0xC0, 0x80], 1), ([0xC1, 0xBF], 0),  // overlong, two bytes
    ([0xE0, 0x80, 0x80], 0), ([0xE0, 0x9F, 0xBF], 0), ([0xF0, 0x80, 0x80, 0x80], 0),  // overlong
    ([0x61, 0xED, 0xA0, 0x80], 1), ([0xED, 0xBF, 0xBF], 0),  // surrogates
    ([0xED, 0x9F, 0xBF], nil), ([0xEE, 0x80, 0x80], nil),  // beside the surrogates
    ([0xF4, 0x8F, 0xBF, 0xBF], nil), ([0xF4, 0x90, 0x80, 0x80], 0),  // U+10FFFF and one more
    ([0xF5, 0x80, 0x80, 0x80], 0), ([0xFF], 0), ([0x61, 0x62, 0xFE], 2),
    ([0x61, 0xC3], 1), ([0xE2, 0x82], 0), ([0xE2, 0x82, 0x41], 0), ([0xF0, 0x9F, 0x99], 0),  // cut
    (Array("부산".utf8) + [0x9F], 6),
  ]

  @Test(arguments: lines)
  func `has its first bad byte found`(line: [UInt8], offset: Int?) {
    #expect(firstInvalidUTF8(line.span) == offset)
  }

  @Test(arguments: seeds(200))
  func `agrees with the standard library on random bytes`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces: [[UInt8]] = [
      Array("a".utf8), Array("é".utf8), Array("부".utf8), Array("🙂".utf8), [0x80],
      [0xED, 0xA0, 0x80],
    ]
    for _ in 0..<20 {
      var line: [UInt8] = []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        line += pieces.randomElement(using: &random) ?? []
      }
      if Bool.random(using: &random), !line.isEmpty { line.removeLast() }
      // The longest valid beginning ends where the first bad sequence starts.
      let valid = (0...line.count).last { String(validating: line[..<$0], as: UTF8.self) != nil }
      #expect(firstInvalidUTF8(line.span) == (valid == line.count ? nil : valid))
    }
  }
}
