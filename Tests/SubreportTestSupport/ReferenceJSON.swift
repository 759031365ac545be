/// The obvious JSON parser, to compare with: it holds the text, recurses and builds a tree.
package struct ReferenceJSON {
  /// A value as a tree: numbers as they are written, strings and keys decoded.
  package indirect enum Value: Equatable, Sendable {
    case object([Member])
    case array([Value])
    case string([UInt8])
    case number([UInt8])
    case word(String)
  }

  /// A member of an object; members are kept in order, also if a key comes twice.
  package struct Member: Equatable, Sendable {
    /// The decoded key.
    package let key: [UInt8]
    /// The value.
    package let value: Value

    package init(key: [UInt8], value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// Where a text breaks the rules.
  package struct Failure: Error, Equatable {
    /// What is wrong, such as `json-syntax`.
    package let code: String
    /// The offset of the first wrong byte; the text's length if it ends too early.
    package let byteOffset: Int

    package init(code: String, byteOffset: Int) {
      self.code = code
      self.byteOffset = byteOffset
    }
  }

  private let text: [UInt8]
  private let depthLimit: Int
  private var offset = 0

  /// Parses a text that holds one value.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - depthLimit: How many objects and arrays may be inside one another.
  /// - Returns: The value.
  /// - Throws: The first failure.
  package static func parse(_ text: [UInt8], depthLimit: Int = 512) throws(Failure) -> Value {
    var parser = ReferenceJSON(text: text, depthLimit: depthLimit)
    parser.skipWhitespace()
    let value = try parser.value(depth: 0)
    parser.skipWhitespace()
    if parser.offset < text.count { throw parser.failure("json-syntax") }
    return value
  }

  private func failure(_ code: String) -> Failure {
    Failure(code: offset == text.count ? "json-truncated" : code, byteOffset: offset)
  }

  private var next: Character? {
    offset < text.count ? Character(Unicode.Scalar(text[offset])) : nil
  }

  private mutating func skipWhitespace() {
    while offset < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[offset]) { offset += 1 }
  }

  private mutating func require(_ character: Character) throws(Failure) {
    guard next == character else { throw failure("json-syntax") }
    offset += 1
  }

  private mutating func value(depth: Int) throws(Failure) -> Value {
    switch next {
    case "{":
      return .object(try members(depth: depth))
    case "[":
      return .array(try elements(depth: depth))
    case "\"":
      return .string(try string())
    case "t":
      return try word("true")
    case "f":
      return try word("false")
    case "n":
      return try word("null")
    default:
      return .number(try number())
    }
  }

  private mutating func members(depth: Int) throws(Failure) -> [Member] {
    if depth == depthLimit { throw failure("json-depth") }
    var members: [Member] = []
    try require("{")
    skipWhitespace()
    if next == "}" {
      offset += 1
      return []
    }
    while true {
      let key = try string()
      skipWhitespace()
      try require(":")
      skipWhitespace()
      members.append(Member(key: key, value: try value(depth: depth + 1)))
      skipWhitespace()
      if next == "}" { break }
      try require(",")
      skipWhitespace()
    }
    offset += 1
    return members
  }

  private mutating func elements(depth: Int) throws(Failure) -> [Value] {
    if depth == depthLimit { throw failure("json-depth") }
    var elements: [Value] = []
    try require("[")
    skipWhitespace()
    if next == "]" {
      offset += 1
      return []
    }
    while true {
      elements.append(try value(depth: depth + 1))
      skipWhitespace()
      if next == "]" { break }
      try require(",")
      skipWhitespace()
    }
    offset += 1
    return elements
  }

  private mutating func word(_ word: String) throws(Failure) -> Value {
    for character in word { try require(character) }
    return .word(word)
  }

  private mutating func number() throws(Failure) -> [UInt8] {
    let start = offset
    if next == "-" { offset += 1 }
    if next == "0" { offset += 1 } else { try digits() }
    if next == "." {
      offset += 1
      try digits()
    }
    if next == "e" || next == "E" {
      offset += 1
      if next == "+" || next == "-" { offset += 1 }
      try digits()
    }
    return Array(text[start..<offset])
  }

  private mutating func digits() throws(Failure) {
    guard let first = next, "0123456789".contains(first) else { throw failure("json-syntax") }
    while let digit = next, "0123456789".contains(digit) { offset += 1 }
  }
}

// MARK: - Strings

extension ReferenceJSON {
  private mutating func string() throws(Failure) -> [UInt8] {
    var decoded: [UInt8] = []
    try require("\"")
    while next != "\"" {
      guard offset < text.count else { throw failure("json-truncated") }
      if next == "\\" {
        decoded += try escape()
      } else if text[offset] < 0x20 {
        throw failure("json-control-character")
      } else {
        decoded += try character()
      }
    }
    offset += 1
    return decoded
  }

  /// Returns the shortest prefix of the rest that the standard library takes for UTF-8.
  private mutating func character() throws(Failure) -> ArraySlice<UInt8> {
    for length in 1...4 where offset + length <= text.count {
      let bytes = text[offset..<offset + length]
      if String(validating: bytes, as: UTF8.self) != nil {
        offset += length
        return bytes
      }
    }
    // What could still become a character is cut short, anything else is broken.
    let rest = Array(text[offset...])
    let tails: [[UInt8]] = [0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF].flatMap {
      [[$0], [$0, 0x80], [$0, 0x80, 0x80]]
    }
    if rest.count < 4,
      tails.contains(where: { String(validating: rest + $0, as: UTF8.self) != nil })
    {
      offset = text.count
    }
    throw failure("json-utf8")
  }

  private mutating func escape() throws(Failure) -> [UInt8] {
    let start = offset
    try require("\\")
    let letters: [Character: UInt8] = [
      "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 0x08, "f": 0x0C, "n": 0x0A, "r": 0x0D, "t": 0x09,
    ]
    if let letter = next, let byte = letters[letter] {
      offset += 1
      return [byte]
    }
    let first = try codeUnit()
    if UTF16.isTrailSurrogate(first) { throw loneSurrogate(at: start) }
    guard UTF16.isLeadSurrogate(first) else {
      return Array(String(decoding: [first], as: UTF16.self).utf8)
    }
    guard next == "\\" || next == nil else { throw loneSurrogate(at: start) }
    try require("\\")
    guard next == "u" || next == nil else { throw loneSurrogate(at: start) }
    let second = try codeUnit()
    guard UTF16.isTrailSurrogate(second) else { throw loneSurrogate(at: start) }
    return Array(String(decoding: [first, second], as: UTF16.self).utf8)
  }

  private func loneSurrogate(at start: Int) -> Failure {
    Failure(code: "json-surrogate", byteOffset: start)
  }

  /// Reads `uXXXX`.
  private mutating func codeUnit() throws(Failure) -> UInt16 {
    try require("u")
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = next?.hexDigitValue, text[offset] < 0x80 else {
        throw failure("json-syntax")
      }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }
}
