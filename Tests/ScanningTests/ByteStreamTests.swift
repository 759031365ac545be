import Scanning
import SubreportTestSupport
import Testing

@Suite("Byte stream")
struct ByteStreamTests {
  @Test(arguments: [nil, 1, 2, 100])
  func `skips a byte order mark and nothing like it`(blockSize: Int?) throws {
    var scanner = try jsonScanner([0xEF, 0xBB, 0xBF, 0x31], blockSize: blockSize)
    let hasValue = try scanner.nextValue()
    #expect(hasValue)
    #expect(scanner.byteOffset == 3)
    for text in [[0xEF, 0xBB, 0x31], [0xEF, 0xBB], [0x31, 0xEF, 0xBB]] as [[UInt8]] {
      #expect(scanJSON(text, blockSize: blockSize) == referenceJSON(text))
    }
    // Joined files may each begin with one.
    let joined: [UInt8] = [0x31, 0xEF, 0xBB, 0xBF]
    #expect(scanJSON(joined, blockSize: blockSize) == referenceJSON([0x31]))
  }

  @Test
  func `shows the first byte without using it`() throws {
    let file = TemporaryFile(gzip(Array("\u{FEFF}{}".utf8)))
    var stream = try ByteStream(path: file.path)
    for _ in 0..<2 {
      let byte = try stream.peek()
      #expect(byte == UInt8(ascii: "{"))
    }
    #expect(stream.isGzip == true)
    #expect(stream.byteOffset == 3)
    let empty = TemporaryFile([])
    var nothing = try ByteStream(path: empty.path)
    let none = try nothing.peek()
    #expect(none == nil)
    #expect(nothing.isGzip == false)
  }

  @Test
  func `shows the stored bytes to whoever hashes them`() throws {
    let stored = gzip(Array("[1,2]\n[3]".utf8))
    let file = TemporaryFile(stored)
    var seen: [UInt8] = []
    var scanner = JSONScanner(try ByteStream(path: file.path) { seen += $0.bytes() })
    while try scanner.nextValue() {}
    #expect(seen == stored)
    #expect(scanner.storedByteCount == stored.count)
  }

  @Test
  func `tells a file that cannot be read from a text that is no JSON`() throws {
    #expect(throws: ScanError.cannotOpen(errno: 2)) { _ = try ByteStream(path: "/nowhere/at/all") }
    #expect(throws: ScanError.isDirectory) { _ = try ByteStream(path: "/tmp") }
    let stored = Array(gzip((0..<100_000).flatMap { Array("[\($0)]\n".utf8) }).dropLast(9))
    let file = TemporaryFile(stored)
    var scanner = JSONScanner(try ByteStream(path: file.path))
    var count = 0
    do throws(JSONReadError) {
      while try scanner.nextValue() { count += 1 }
      Issue.record("read a file that was cut")
    } catch {
      #expect(error == .file(.gzipTruncated(byteOffset: stored.count)))
    }
    #expect(count > 99_000)
  }
}
