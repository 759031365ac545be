import Scanning
import SubreportTestSupport
import Testing

/// Nobody may be able to tell which thread has read a file.
@Suite("Reading ahead")
struct ReadAheadTests {
  @Test(arguments: [1, 8, 1 << 16])
  func `changes nothing about a file with a damaged byte`(blockSize: Int) {
    for offset in GzipDamageTests.member.indices {
      var damaged = GzipDamageTests.member
      damaged[offset] ^= 1 << UInt8(offset % 8)
      for textBlockSize in [1, 7, 1 << 16] { expectSame(damaged, blockSize, textBlockSize) }
    }
  }

  @Test(arguments: [1, 5, 1 << 16])
  func `changes nothing about a file that is cut`(blockSize: Int) {
    let member = GzipTests.member(flags: 0x1E)
    let file = member + gzip([]) + gzip(Array("a\n\nb".utf8)) + [0, 0, 0]
    for length in 0...file.count { expectSame(Array(file[..<length]), blockSize, blockSize) }
    for tail in GzipTests.tails { expectSame(member + tail.0, blockSize, 3) }
  }

  @Test(arguments: seeds(200))
  func `changes nothing wherever blocks end or lines do`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var file: [UInt8] = []
    let isPlain = seed.isMultiple(of: 4)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let text = randomText(using: &random)
      file += isPlain ? text : gzip(text)
    }
    if !file.isEmpty, Bool.random(using: &random) {
      file[Int.random(in: file.indices, using: &random)] ^= .random(in: 1...255, using: &random)
    }
    expectSame(
      file, .random(in: 1...40, using: &random), .random(in: 1...40, using: &random),
      longestLine: .random(in: 0...30, using: &random),
      stoppingEvery: .random(in: 1...5, using: &random))
  }

  @Test
  func `changes nothing about a large file, whole or damaged`() {
    let whole = gzip(Self.largeText)
    #expect(whole.count > 1 << 19)
    expectSame(whole, 1 << 16, 1 << 17, stoppingEvery: 999)
    expectSame(Array(whole.dropLast(3)), 1 << 16, 1 << 17)
    expectSame(Array(whole.prefix(whole.count / 2)) + Self.largeText.prefix(99), 1 << 16, 1 << 16)
  }

  private static let largeText = (0..<60_000 as Range<UInt64>).flatMap {
    Array("\($0 &* 0x9E37_79B9_7F4A_7C15)\n".utf8)
  }

  @Test(arguments: 0..<100)
  func `ends with whoever wants no more lines`(lineCount: Int) throws {
    let file = TemporaryFile(gzip(Array(repeating: [0x61, 0x0A], count: 2_500).flatMap(\.self)))
    for textBlockSize in [1, 3, 4_000] {
      var scanner = try LineScanner(
        path: file.path, readsAhead: true, storedBlockSize: 2, textBlockSize: textBlockSize)
      var seenCount = 0
      while seenCount < lineCount {
        try scanner.forEachLine { _, _ in
          seenCount += 1
          return .stop
        }
      }
      // The scanner goes out of scope, and waits for the thread: the test ends only if that ends too.
      #expect(seenCount == lineCount)
    }
  }

  @Test
  func `names what it cannot open`() {
    #expect(throws: ScanError.cannotOpen(errno: 2)) {
      _ = try LineScanner(path: "/nowhere/at/all", readsAhead: true)
    }
    #expect(throws: ScanError.isDirectory) { _ = try LineScanner(path: "/tmp", readsAhead: true) }
    #expect(throws: ScanError.cannotOpen(errno: 2)) {
      _ = try ByteStream(path: "/nowhere/at/all", readsAhead: true)
    }
  }

  @Test(arguments: [1, 1000, 1 << 17])
  func `gives a stream the same bytes`(blockSize: Int) throws {
    let text = [0xEF, 0xBB, 0xBF] + Self.largeText.prefix(blockSize == 1 ? 2_000 : .max)
    let whole = gzip(text)
    for length in [whole.count, whole.count - 100, whole.count / 2, 0] {
      let file = TemporaryFile(Array(whole.prefix(length)))
      let expected = streamed { (hook) throws(ScanError) in
        try ByteStream(path: file.path, onStoredBytes: hook)
      }
      let found = streamed { (hook) throws(ScanError) in
        try ByteStream(
          path: file.path, readsAhead: true, blockSize: blockSize, onStoredBytes: hook)
      }
      #expect(found.error == expected.error)
      #expect(found.stored == expected.stored)
      // Text before damage comes in whole blocks, so of larger ones there is less.
      #expect(expected.error != nil || found.text == expected.text)
      #expect(text.dropFirst(3).starts(with: found.text))
    }
  }

  private struct Streamed {
    var text: [UInt8] = []
    var stored: [UInt8] = []
    var error: ScanError?
  }

  private func streamed(
    _ open: (@escaping (Span<UInt8>) -> Void) throws(ScanError) -> ByteStream
  ) -> Streamed {
    final class Seen { var stored: [UInt8] = [] }
    let seen = Seen()
    var streamed = Streamed()
    do throws(ScanError) {
      var stream = try open { seen.stored += $0.bytes() }
      while try stream.peek() != nil { try stream.read(into: &streamed.text, atMost: 5000) }
    } catch {
      streamed.error = error
    }
    streamed.stored = seen.stored
    return streamed
  }
}

/// Expects that a scanner does the same, in the same order, whichever thread reads.
private func expectSame(
  _ stored: [UInt8], _ storedBlockSize: Int, _ textBlockSize: Int,
  longestLine: Int = LineScanner.longestLine, stoppingEvery count: Int = .max,
  at location: SourceLocation = #_sourceLocation
) {
  let file = TemporaryFile(stored)
  let expected = eventsOfReading(stoppingEvery: count) { () throws(ScanError) in
    try LineScanner(
      path: file.path, storedBlockSize: storedBlockSize, textBlockSize: textBlockSize,
      longestLine: longestLine)
  }
  let found = eventsOfReading(stoppingEvery: count) { () throws(ScanError) in
    try LineScanner(
      path: file.path, readsAhead: true, storedBlockSize: storedBlockSize,
      textBlockSize: textBlockSize, longestLine: longestLine)
  }
  #expect(found == expected, sourceLocation: location)
}

/// Something that a scanner did.
private enum ScanEvent: Equatable {
  case opened(isGzip: Bool)
  case stored([UInt8]), text([UInt8])
  case line([UInt8], Line)
  case stopped(storedByteCount: Int, textByteCount: Int)
  case error(ScanError)
}

/// Reads to the end and returns all that the scanner did, in order; stops now and then.
private func eventsOfReading(
  stoppingEvery count: Int, _ open: () throws(ScanError) -> LineScanner
) -> [ScanEvent] {
  final class Seen { var events: [ScanEvent] = [] }
  let seen = Seen()
  var room = 0
  do throws(ScanError) {
    var scanner = try open()
    seen.events.append(.opened(isGzip: scanner.isGzip))
    repeat {
      room = count
      try scanner.forEachLine(
        onStoredBytes: { seen.events.append(.stored($0.bytes())) },
        onTextBytes: { seen.events.append(.text($0.bytes())) }
      ) { line, place in
        seen.events.append(.line(line.bytes(), place))
        room -= 1
        return room == 0 ? .stop : .next
      }
      seen.events.append(
        .stopped(storedByteCount: scanner.storedByteCount, textByteCount: scanner.textByteCount))
    } while room == 0
  } catch {
    seen.events.append(.error(error))
  }
  return seen.events
}
