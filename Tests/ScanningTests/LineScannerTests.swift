import Scanning
import SubreportTestSupport
import Testing

@Suite("Line scanner")
struct LineScannerTests {
  @Test(arguments: seeds(200))
  func `agrees with the obvious splitter wherever blocks end`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let text = randomText(using: &random)
    let stored = seed.isMultiple(of: 2) ? text : gzip(text)
    let scanned = ScannedText(
      stored, storedBlockSize: .random(in: 1...9, using: &random),
      textBlockSize: .random(in: 1...9, using: &random))
    #expect(scanned.error == nil)
    expectLines(ReferenceSplitter.lines(text), in: scanned)
    #expect(scanned.textBytes == text)
    #expect(scanned.storedBytes == stored)
    #expect(scanned.isGzip == !seed.isMultiple(of: 2))
  }

  /// Expects all lines, but for those empty ones that an empty one follows.
  private func expectLines(_ expected: [ReferenceSplitter.Line], in scanned: ScannedText) {
    #expect(scanned.lines == scanned.numbers.map { expected[$0 - 1] })
    let missing = Set(expected.indices).subtracting(scanned.numbers.map { $0 - 1 })
    #expect(
      missing.allSatisfy { expected[$0].bytes.isEmpty && expected[($0 + 1)...].first?.bytes == [] })
  }

  @Test
  func `hands out the last of the empty lines that follow each other`() {
    let scanned = ScannedText(Array("a".utf8) + Array(repeating: 0x0A, count: 100_000) + [0x62])
    #expect(scanned.numbers == [1, 100_000, 100_001])
    #expect(scanned.texts == ["a", "", "b"])
    #expect(scanned.lines.map(\.byteOffset) == [0, 100_000, 100_001])
  }

  static let texts: [(String, [String])] = [
    ("", []), ("\n", [""]), ("\r\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\r\nb", ["a", "b"]),
    ("a\n\nb\n", ["a", "", "b"]), ("a\rb\n", ["a", "b"]), ("a\nb\rc\n", ["a", "b\rc"]),
    ("a\r", ["a\r"]), ("a\r\r\n", ["a\r"]),
    ("\u{FEFF}", []), ("\u{FEFF}a\n", ["a"]), ("\u{FEFF}\n", [""]),
    ("a\n\u{FEFF}b", ["a", "\u{FEFF}b"]),
    ("\"a\nb\"\n", ["\"a", "b\""]),
  ]

  @Test(arguments: texts)
  func `reads`(text: String, lines: [String]) {
    let expected = lines.map { Array($0.utf8) }
    #expect(ScannedText(Array(text.utf8)).lines.map(\.bytes) == expected)
    #expect(ScannedText(gzip(Array(text.utf8))).lines.map(\.bytes) == expected)
  }

  @Test
  func `counts the byte order mark in the offset of the first line`() {
    let scanned = ScannedText(Array("\u{FEFF}a\nb".utf8))
    #expect(scanned.lines.map(\.byteOffset) == [3, 5])
  }

  @Test(arguments: ["\n", "\r\n", ""])
  func `hands out a line of 1 MiB and skips one a byte longer`(ending: String) {
    let limit = LineScanner.longestLine
    #expect(limit == 1_048_576)
    let longest = [UInt8](repeating: 0x61, count: limit)
    let end = Array(ending.utf8)
    let fits = ScannedText(gzip(longest + end))
    #expect(fits.tooLong == [])
    #expect(fits.lines.map(\.bytes) == [longest])
    let text = Array("first\n".utf8) + longest + [0x61] + end
    let scanned = ScannedText(gzip(text + (ending == "" ? [] : Array("after".utf8))))
    #expect(scanned.tooLong == [2])
    let offsets = [0, 6] + (ending == "" ? [] : [6 + limit + 1 + end.count])
    #expect(scanned.lines.map(\.byteOffset) == offsets)
    #expect(scanned.lines[1].bytes == [])
    if ending != "" { #expect(scanned.texts.last == "after") }
  }

  @Test(arguments: seeds(100))
  func `skips long lines wherever blocks end`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // How lines end is found in the first one, which must not be too long.
    let text = [0x0A] + randomText(using: &random)
    let limit = Int.random(in: 0...12, using: &random)
    let scanned = ScannedText(
      text, storedBlockSize: .random(in: 1...9, using: &random),
      textBlockSize: .random(in: 1...40, using: &random), longestLine: limit)
    let expected = ReferenceSplitter.lines(text)
    expectLines(
      expected.map {
        ReferenceSplitter.Line(
          bytes: $0.bytes.count > limit ? [] : $0.bytes, byteOffset: $0.byteOffset)
      }, in: scanned)
    #expect(
      scanned.tooLong == expected.indices.filter { expected[$0].bytes.count > limit }.map { $0 + 1 }
    )
  }

  @Test
  func `goes on after a stop`() throws {
    let file = TemporaryFile(gzip(Array("header\nfirst\nlast".utf8)))
    var scanner = try LineScanner(path: file.path)
    var seen: [String] = []
    try scanner.forEachLine { line, place in
      seen.append("\(place.number):\(line.bytes().count)")
      return .stop
    }
    #expect(seen == ["1:6"])
    try scanner.forEachLine { line, place in
      seen.append("\(place.number):\(line.bytes().count)")
      return .next
    }
    #expect(seen == ["1:6", "2:5", "3:4"])
    let textByteCount = scanner.textByteCount
    #expect(textByteCount == 17)
  }

  @Test
  func `names what it cannot open`() {
    #expect(throws: ScanError.cannotOpen(errno: 2)) {
      _ = try LineScanner(path: "/nowhere/at/all")
    }
    #expect(throws: ScanError.isDirectory) { _ = try LineScanner(path: "/tmp") }
    // No process has memory at its first address.
    #expect(throws: ScanError.cannotRead(errno: 5, byteOffset: 0)) {
      _ = try LineScanner(path: "/proc/self/mem")
    }
    let error = ScanError.cannotOpen(errno: 2)
    #expect(error.code == "cannot-open")
    #expect(error.message == "cannot open the file: no such file or directory")
    #expect(!error.isCorruption)
  }
}
