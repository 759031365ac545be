import Scanning
import SubreportTestSupport
import Testing

@Suite("A gzip writer")
struct GzipWriterTests {
  /// Text of some length, half random and half repeated.
  private static func text(_ length: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var text: [UInt8] = []
    for place in 0..<length {
      switch place % 80 {
      case 79: text.append(UInt8(ascii: "\n"))
      case 0..<40: text.append(UInt8(ascii: "a") + UInt8(place % 7))
      default: text.append(UInt8.random(in: 32..<127, using: &random))
      }
    }
    return text
  }

  private static func member(_ text: [UInt8], pieces: Int) -> [UInt8] {
    var writer = GzipWriter()
    for start in stride(from: 0, to: text.count, by: pieces) {
      writer.append(Array(text[start..<min(start + pieces, text.count)]))
    }
    return writer.finish()
  }

  @Test(arguments: [0, 1, 79, 10_000, 300_000])
  func `writes a member that has the text, with a header of constants`(length: Int) {
    let text = Self.text(length, seed: UInt64(length))
    let member = Self.member(text, pieces: 1 << 20)
    // No flags, no time, no hint about speed, no system.
    #expect(Array(member.prefix(10)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    let scanned = ScannedText(member)
    #expect(scanned.error == nil && scanned.isGzip)
    #expect(scanned.textBytes == text)
    for pieces in [997, 65_536] { #expect(Self.member(text, pieces: pieces) == member) }
  }

  @Test(arguments: [0, 1, 6, 9] as [Int32])
  func `reads the text of a member that zlib has compressed in another way`(level: Int32) {
    for length in [0, 5, 200_000] {
      let text = Self.text(length, seed: 7)
      #expect(GzipWriter.text(of: gzip(text, level: level)) == text)
    }
  }

  @Test
  func `reads no text of damaged bytes`() {
    let member = Self.member(Self.text(5_000, seed: 3), pieces: 5_000)
    for offset in [0, 1, 2, 3, 40, member.count / 2, member.count - 8] {
      var damaged = member
      damaged[offset] ^= 0x11
      #expect(GzipWriter.text(of: damaged) == nil, "\(offset)")
    }
    #expect(GzipWriter.text(of: Array(member.dropLast())) == nil)
    #expect(GzipWriter.text(of: member + [0]) == nil)
    #expect(GzipWriter.text(of: []) == nil)
  }
}
