import Scanning

/// Decides whether the next line belongs to a raw receipt that mail or OpenSSL has wrapped.
///
/// An app receipt states its length; any other receipt ends at the first shorter or padded line.
struct Wrapping {
  /// A longer first line is not wrapped: wrapped lines have 64 or 76 characters, whole receipts hundreds.
  private static let longestLine = 128

  private let text: EncodedText
  private let firstCount: Int
  /// The number of characters so far.
  private var count: Int
  private var isEnd: Bool

  /// Starts with the first line; `count` is its length without the blanks around it.
  init(_ text: EncodedText, firstLine: [UInt8], count: Int) {
    self.text = text
    firstCount = count
    self.count = count
    isEnd = Self.isPadded(firstLine)
  }

  /// Adds a line of `count` characters; `lines` holds all so far.
  mutating func add(_ lines: [UInt8], _ count: Int) {
    self.count += count
    isEnd = count < firstCount || Self.isPadded(lines)
  }

  /// Returns whether a line that starts with this byte may belong to the receipt.
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
