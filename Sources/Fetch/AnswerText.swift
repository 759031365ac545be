import Scanning

/// The texts in a JSON answer with the paths of their keys, such as `errors.0.detail`.
package struct AnswerText: Sendable {
  package private(set) var leaves: [(path: String, text: String)] = []

  /// The longest text that is kept, in bytes: a signed payload is shorter.
  private static let longestText = 1 << 20

  /// Reads an answer; of one that is damaged, the texts before the damage.
  package init(_ body: [UInt8]) {
    var scanner = JSONScanner(ByteStream(body.span), allowsControlCharacters: true)
    do throws(JSONReadError) {
      while try scanner.nextValue() { try read(&scanner, "") }
      isWhole = true
    } catch {
      isWhole = false
    }
  }

  /// Whether the answer is JSON to its end.
  package private(set) var isWhole = false

  package subscript(path: String) -> String? {
    leaves.first { $0.path.utf8.elementsEqual(path.utf8) }?.text
  }

  /// Apple's words of an error, for people: of the first the detail, else its title, else its code.
  package var words: String {
    let names = ["errors.0.detail", "errors.0.title", "errors.0.code", "errorMessage", "errorCode"]
    return names.lazy.compactMap { self[$0] }.first ?? ""
  }

  /// All of Apple's words and codes in an error, in lower case.
  package var allWords: String {
    leaves.map { $0.text.lowercased() }.joined(separator: "\n")
  }

  private mutating func read(
    _ scanner: inout JSONScanner, _ path: String
  ) throws(JSONReadError) {
    let start = path.isEmpty ? "" : path + "."
    var text = JSONText()
    switch try scanner.peekKind() {
    case .object:
      guard let object = try scanner.enterObject() else { return }
      while let key = try scanner.nextMember(of: object, keyInto: &text) {
        let name = String(decoding: text.bytes[key.range], as: UTF8.self)
        try read(&scanner, start + name)
      }
    case .array:
      guard let array = try scanner.enterArray() else { return }
      var place = 0
      while try scanner.nextElement(of: array) {
        try read(&scanner, start + String(place))
        place += 1
      }
    default:
      let value = try scanner.readScalar(into: &text, limit: Self.longestText)
      let bytes = text.bytes[value.range]
      switch value.kind {
      case .true: leaves.append((path, "true"))
      case .false: leaves.append((path, "false"))
      default: leaves.append((path, String(decoding: bytes, as: UTF8.self)))
      }
    }
  }
}
