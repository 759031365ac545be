import Receipts
import SubreportTestSupport
import Testing

@Suite("Base64")
struct Base64Tests {
  @Test(arguments: seeds(100))
  func `decodes what an obvious encoder wrote`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...200, using: &random)
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = Array(ReferenceBase64.encode(bytes).utf8)
    #expect(try decoded(text) == bytes)

    let urlSafe = Array(ReferenceBase64.encode(bytes, urlSafe: true).utf8)
    #expect(try decoded(urlSafe, .urlSafe) == bytes)
    // Receipts may have been written for a URL.
    #expect(try decoded(urlSafe) == bytes)
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: text.count - urlSafe.count)
    #expect(try decoded(urlSafe + padding, .urlSafe) == bytes)
  }

  @Test(arguments: seeds(100))
  func `skips layout and takes spaces for plus signs`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<150).map { _ in [UInt8(0xFB), 0xEF, 0xBE, 0x12].randomElement(using: &random)!
    }
    var text: [UInt8] = []
    var mayBreak = true
    for byte in ReferenceBase64.encode(bytes).utf8 {
      let isPlus = byte == UInt8(ascii: "+")
      // A break beside a space would turn the space into layout.
      if mayBreak, !isPlus, Int.random(in: 0..<5, using: &random) == 0 {
        text += Array([" \r\n", "\n", "\t ", "\n\n   "].randomElement(using: &random)!.utf8)
      }
      text.append(isPlus ? UInt8(ascii: " ") : byte)
      mayBreak = !isPlus
    }
    // At the ends, spaces are layout.
    if text.first != UInt8(ascii: " "), text.last != UInt8(ascii: " ") {
      #expect(try decoded(Array("  \n".utf8) + text + Array("\r\n ".utf8)) == bytes)
    }
  }

  static let wrong: [(String, Base64.Alphabet, offset: Int)] = [
    ("A", .standard, 1), ("AB", .standard, 1), ("AAAAA", .standard, 5),
    ("AA=", .standard, 3), ("====", .standard, 0), ("A===", .standard, 1), ("=AAA", .standard, 0),
    ("AA==A", .standard, 4), ("AA==AAAA", .standard, 4), ("AAA=AAAA", .standard, 4),
    ("AA=A", .standard, 3), ("AAAA====", .standard, 4),
    ("AAAA.AAA", .standard, 4), ("AAAAAAA\u{e9}", .standard, 7),
    ("AAAAAA\0A", .standard, 6), ("AB==", .standard, 3), ("AAB=", .standard, 3),
    ("A", .urlSafe, 1), ("AAAAA", .urlSafe, 5), ("AA=", .urlSafe, 3), ("AA+A", .urlSafe, 2),
    ("AA/A", .urlSafe, 2), ("AA A", .urlSafe, 2), ("AAAA\n", .urlSafe, 4), ("AB", .urlSafe, 1),
    (" AAAA", .urlSafe, 0), ("AAAA=", .urlSafe, 4),
  ]

  @Test(arguments: wrong)
  func `says where a text stops being base64`(text: String, alphabet: Base64.Alphabet, offset: Int)
  {
    let bytes = Array("xx\(text)".utf8)
    var target: [UInt8] = []
    let fault = #expect(throws: EncodingFault.self) {
      try Base64.decode(bytes.span, 2..<bytes.count, alphabet, into: &target)
    }
    #expect(fault?.code == .notBase64)
    #expect(fault?.byteOffset == offset + 2)
  }

  @Test
  func `reads no further than its range`() throws {
    let text = Array("!!TWFu!!".utf8)
    var bytes: [UInt8] = []
    try Base64.decode(text.span, 2..<6, .standard, into: &bytes)
    #expect(bytes == Array("Man".utf8))
  }

  @Test
  func `takes time in proportion to the text, whatever it holds`() throws {
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)
    #expect(try decoded(spaces).isEmpty)
    let plus = try decoded(Array("AAAA".utf8) + spaces + Array("AAAA".utf8))
    #expect(plus.count == (1 << 20) / 4 * 3 + 6)
    let broken = (0..<1 << 18).flatMap { _ in Array("A \n".utf8) }
    #expect(try decoded(broken).count == (1 << 18) / 4 * 3)
  }
}
