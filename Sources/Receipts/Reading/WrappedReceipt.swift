/// The lines so far of a raw receipt in base64 that mail or OpenSSL has wrapped.
///
/// The receipt ends when its length is reached, if it is an app receipt that states its length. Any
/// other receipt ends with its first shorter line, or with its first line that ends in `=`.
struct WrappedReceipt {
  /// The longest first line of a wrapped receipt: wrapped lines have 64 or 76 characters, and
  /// receipts on one line have hundreds.
  private static let longestLine = 128

  private let kind: EncodedText
  /// The number of characters in the first line.
  private let firstCount: Int
  /// The number of characters so far.
  private var count: Int
  /// Whether the last line is shorter than the first, or padded.
  private var isEnd: Bool

  /// Creates a receipt of one line; `count` is the line's length without the blanks around it.
  init(_ kind: EncodedText, firstLine: [UInt8], count: Int) {
    self.kind = kind
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
  func mayContinue(with byte: UInt8) -> Bool {
    let bytes = [byte]
    guard firstCount <= Self.longestLine, EncodedText.hasOnly(bytes.span, 0..<1, and: "+/-_") else {
      return false
    }
    switch kind {
    case .jws: return false
    case .appReceipt(let needed): return count < needed
    case .otherReceipt: return !isEnd
    }
  }

  private static func isPadded(_ lines: [UInt8]) -> Bool {
    lines.last { $0 > 0x20 } == UInt8(ascii: "=")
  }
}
