/// Damages text the way that editors, spreadsheets, broken disks and attackers do.
package struct Mutation: Sendable {
  /// Text that is put in: what the format's reader acts on.
  private let tokens: [[UInt8]]

  /// What any reader of text may stumble over.
  private static let usual: [[UInt8]] = [
    [0], [0x1B, 0x5B, 0x32, 0x4A], [0x7F], [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xEF, 0xBB, 0xBF],
    Array("\n".utf8), Array("\r\n".utf8), Array("\r".utf8), Array("\t".utf8),
    Array("\u{2028}".utf8),
    Array("\u{202E}".utf8), Array("é".utf8), Array("-".utf8), Array("0".utf8), Array("1e999".utf8),
    Array("99999999999999999999999999999999999999999".utf8), Array("9223372036854775807".utf8),
    Array("-9223372036854775808".utf8), Array("2026-02-30".utf8), Array("9999-12-31".utf8),
    Array("0000-00-00".utf8), Array("NaN".utf8),
  ]

  /// Creates a mutation.
  ///
  /// - Parameter tokens: What the format's reader acts on, such as brackets.
  package init(tokens: [String]) {
    self.tokens = Self.usual + tokens.map { Array($0.utf8) }
  }

  /// Returns a text with one to four faults.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - random: Where chance comes from.
  /// - Returns: The damaged text.
  package func applied(to bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, using: &random) }
    return bytes
  }

  private func change(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 0...12, using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes.removeSubrange(place..<end)
    case 1: bytes.removeSubrange(place...)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 4 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 5:
      // A line stands at another place too.
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      guard let line = lines.randomElement(using: &random) else { return }
      bytes.insert(contentsOf: line + [UInt8(ascii: "\n")], at: place)
    case 6:
      let token = tokens.randomElement(using: &random) ?? []
      let count = Bool.random(using: &random) ? 1 : Int.random(in: 1...40, using: &random)
      bytes.insert(contentsOf: repeatElement(token, count: count).joined(), at: place)
    default:
      bytes.replaceSubrange(place..<end, with: tokens.randomElement(using: &random) ?? [])
    }
  }
}
