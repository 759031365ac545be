import Scanning
import SubreportTestSupport
import Testing

@Suite("Paths as text")
struct SystemPathTests {
  private func bytes(of text: String) -> [UInt8] {
    SystemPath.bytes(of: text).dropLast().map { UInt8(bitPattern: $0) }
  }

  @Test(arguments: ["", "a/b.txt", "é", "𝄞", "😀/😀"])
  func `are the text itself where they are UTF-8`(text: String) {
    #expect(SystemPath.text(of: Array(text.utf8)) == text)
    #expect(bytes(of: text) == Array(text.utf8))
    #expect(SystemPath.shown(text) == text)
  }

  static let foreign: [(bytes: [UInt8], shown: String)] = [
    ([0x61, 0xE9], "a\\xE9"), ([0xE9, 0x2E, 0x74], "\\xE9.t"), ([0xC3], "\\xC3"),
    ([0xF0, 0x9F, 0x98], "\\xF0\\x9F\\x98"), ([0xFF, 0xFE, 0x80], "\\xFF\\xFE\\x80"),
    // A character that stands for a byte.
    ([0xF4, 0x8F, 0xBE, 0xA9], "\\xF4\\x8F\\xBE\\xA9"),
  ]

  @Test(arguments: foreign)
  func `show each byte that is not UTF-8`(bytes: [UInt8], shown: String) {
    let text = SystemPath.text(of: bytes)
    #expect(SystemPath.shown(text) == shown)
    #expect(self.bytes(of: text) == bytes)
    // Safe: the bytes end in a zero.
    let again = unsafe SystemPath.text(ofCString: SystemPath.bytes(of: text))
    #expect(again == text)
  }

  @Test(arguments: seeds(200))
  func `become the same bytes again, whatever they are`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let likely: [UInt8] = [0x2F, 0x61, 0xC3, 0xA9, 0xF4, 0x8F, 0xBE, 0xBC, 0x80, 0xE2, 0x82, 0xAC]
    for _ in 0..<50 {
      let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 1...255, using: &random) : likely.randomElement(using: &random) ?? 1
      }
      #expect(self.bytes(of: SystemPath.text(of: bytes)) == bytes)
    }
  }
}
