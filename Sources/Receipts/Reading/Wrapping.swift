import Scanning

/// Whether a raw receipt goes on in the next line, as receipts do that mail or OpenSSL has wrapped.
///
/// An app receipt says how long it is; any other ends with a line that is shorter or padded.
struct Wrapping {
  /// Lines of wrapped base64 have 64 or 76 characters; the shortest receipts have hundreds.
  private static let longestLine = 128

  private let text: EncodedText
  private let firstCount: Int
  /// How many characters there are so far.
  private var count: Int
  private var isEnd: Bool

  /// Begins with a line, and the number of its characters without the blanks around it.
  init(_ text: EncodedText, firstLine: [UInt8], count: Int) {
    self.text = text
    firstCount = count
    self.count = count
    isEnd = Self.isPadded(firstLine)
  }

  /// Adds a line, after which `lines` holds all so far.
  mutating func add(_ lines: [UInt8], _ count: Int) {
    self.count += count
    isEnd = count < firstCount || Self.isPadded(lines)
  }

  /// Returns whether a line that begins with a byte may belong to the receipt.
  func mayGoOn(at byte: UInt8) -> Bool {
    let bytes = [byte]
    guard firstCount <= Self.longestLine, EncodedText.isMade(bytes.span, 0..<1, of: "+/") else {
      return false
    }
    switch text {
    case .jws: return false
    case .appReceipt(let needed): return count < needed
    case .openReceipt: return !isEnd
    }
  }

  private static func isPadded(_ lines: [UInt8]) -> Bool {
    lines.last { $0 > 0x20 } == UInt8(ascii: "=")
  }
}
