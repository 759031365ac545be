/// Returns Apple's text in an error answer: `errors[0].detail`, else its title, else its code.
///
/// The answer may be cut off after the text. Other JSON gives `nil`.
///
/// - Parameter body: The beginning of an answer in JSON.
/// - Returns: Apple's text in one line, or `nil` if the answer is not an error.
func appleErrorDetail(_ body: [UInt8]) -> String? {
  var reader = AnswerReader(body: body)
  return reader.firstError()
}

/// Scans JSON until the texts of the first error are found.
private struct AnswerReader {
  let body: [UInt8]
  private var offset = 0
  private var depth = 0

  init(body: [UInt8]) { self.body = body }

  mutating func firstError() -> String? {
    var isInErrors = false
    var texts: [String: String] = [:]
    while offset < body.count {
      switch body[offset] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        offset += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        offset += 1
        // The first error ends here, or the list is empty.
        if isInErrors, depth <= 2 { return text(of: texts) }
      case UInt8(ascii: "\""):
        let string = readString()
        guard skipColon() else { continue }
        if depth == 1 { isInErrors = string == "errors" && peek() == UInt8(ascii: "[") }
        if isInErrors, depth == 3, peek() == UInt8(ascii: "\"") { texts[string] = readString() }
      default:
        offset += 1
      }
    }
    return isInErrors ? text(of: texts) : nil
  }

  private func text(of texts: [String: String]) -> String? {
    let text = texts["detail"] ?? texts["title"] ?? texts["code"]
    // The text is printed, so it must be one line.
    return text.map { text in
      let words = text.split { character in
        character.isWhitespace || character.unicodeScalars.contains { $0.value < 0x20 }
      }
      return String(words.joined(separator: " ").prefix(1_000))
    }
  }

  private mutating func peek() -> UInt8? {
    while offset < body.count, body[offset] <= 0x20 { offset += 1 }
    return offset < body.count ? body[offset] : nil
  }

  private mutating func skipColon() -> Bool {
    guard peek() == UInt8(ascii: ":") else { return false }
    offset += 1
    return true
  }

  /// Reads a string from its opening quote to its closing quote or the end of the body.
  private mutating func readString() -> String {
    offset += 1
    var units: [UInt8] = []
    while offset < body.count, body[offset] != UInt8(ascii: "\"") {
      if body[offset] == UInt8(ascii: "\\") {
        offset += 1
        units.append(contentsOf: readEscape())
      } else {
        units.append(body[offset])
        offset += 1
      }
    }
    offset += 1
    return String(decoding: units, as: UTF8.self)
  }

  private mutating func readEscape() -> [UInt8] {
    guard offset < body.count else { return [] }
    let letter = body[offset]
    offset += 1
    switch letter {
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"),
      UInt8(ascii: "f"):
      return [0x20]
    case UInt8(ascii: "u"):
      return readCodeUnits()
    default:
      return [letter]
    }
  }

  /// Reads the digits of `\u0041`, and of a second escape if the first is half of a surrogate pair.
  private mutating func readCodeUnits() -> [UInt8] {
    var units = [readHexadecimal()]
    if units[0] & 0xFC00 == 0xD800, offset + 1 < body.count, body[offset] == UInt8(ascii: "\\"),
      body[offset + 1] == UInt8(ascii: "u")
    {
      offset += 2
      units.append(readHexadecimal())
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private mutating func readHexadecimal() -> UInt16 {
    let end = min(offset + 4, body.count)
    let digits = String(decoding: body[offset..<end], as: UTF8.self)
    offset = end
    return UInt16(digits, radix: 16) ?? 0xFFFD
  }
}
