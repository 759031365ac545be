import Pipeline
import Scanning
import SubscriptionModel

extension Reject {
  static let blank = Reject(
    line: 0, byteOffset: 0, field: 0, column: "", code: .missingValue, found: .words(""),
    expected: "")

  mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    var (line, byteOffset, field, column) = (line, byteOffset, field, column)
    var (code, found, expected) = (code, found, expected)
    coder.integer(&line)
    coder.integer(&byteOffset)
    coder.integer(&field)
    coder.text(&column)
    var word = code.rawValue
    coder.text(&word)
    if let known = Code(rawValue: word) { code = known } else { coder.fail() }
    found.code(with: &coder)
    coder.text(&expected)
    self = Reject(
      line: line, byteOffset: byteOffset, field: field, column: column, code: code, found: found,
      expected: expected)
  }
}

extension Reject.Finding {
  /// Encodes or decodes what was found; personal text only as its length, which is all that is ever shown.
  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    var (form, text): (UInt8, String) =
      switch self {
      case .text(let text): (0, text)
      case .words(let text): (1, text)
      case .personal(let text): (2, text)
      }
    coder.integer(&form)
    guard form == 2 else {
      coder.text(&text)
      self = form == 0 ? .text(text) : .words(text)
      return
    }
    var length = text.utf8.count
    coder.integer(&length)
    guard coder.isValid, (0...1_000).contains(length) else { return coder.fail() }
    self = .personal(String(repeating: "?", count: length))
  }
}
