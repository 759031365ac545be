import Scanning

/// Returns Apple's text in an error answer: `errors[0].detail`, otherwise its title, otherwise its
/// code.
///
/// - Parameter body: An answer in JSON, which may be truncated anywhere.
/// - Returns: Apple's text in one line, or `nil` if the answer is not an error.
func appleErrorDetail(_ body: [UInt8]) -> String? {
  var scanner = JSONScanner(ByteStream(body.span), allowsControlCharacters: true)
  var texts: [AnswerKey: [UInt8]] = [:]
  // If the JSON is truncated, the text before the end is used.
  do throws(JSONReadError) { try readFirstError(&scanner, into: &texts) } catch {}
  let text = texts[.detail] ?? texts[.title] ?? texts[.code]
  // The text is for a message, which has one line.
  return text.map { text in
    let words = String(decoding: text, as: UTF8.self).split { character in
      character.isWhitespace || character.unicodeScalars.contains { $0.value < 0x20 }
    }
    return String(words.joined(separator: " ").prefix(1_000))
  }
}

private enum AnswerKey: String, CaseIterable {
  case errors, detail, title, code
  static let all = JSONKeys<AnswerKey>()
}

private func readFirstError(
  _ scanner: inout JSONScanner, into texts: inout [AnswerKey: [UInt8]]
) throws(JSONReadError) {
  while try scanner.nextValue() {
    guard var answer = try scanner.enterObject() else { continue }
    while let member = try scanner.nextMember(of: &answer, AnswerKey.all) {
      guard member == .known(.errors), let errors = try scanner.enterArray() else { continue }
      guard try scanner.nextElement(of: errors), var first = try scanner.enterObject() else {
        return
      }
      while let member = try scanner.nextMember(of: &first, AnswerKey.all) {
        guard case .known(let key) = member, try scanner.peekKind() == .string else { continue }
        var text: [UInt8] = []
        defer { texts[key] = text }
        _ = try scanner.readString { piece in text.append(piece, 0..<piece.count) }
      }
      return
    }
  }
}
