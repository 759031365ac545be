import Scanning
import SubreportTestSupport

/// What a scanner makes of a text that should hold one value.
typealias JSONOutcome = Result<ReferenceJSON.Value, ReferenceJSON.Failure>

/// Returns what the reference parser makes of a text.
func referenceJSON(_ text: [UInt8], depthLimit: Int = 512) -> JSONOutcome {
  Result { () throws(ReferenceJSON.Failure) in
    try ReferenceJSON.parse(text, depthLimit: depthLimit)
  }
}

/// Reads a text that holds one value from memory, or from a file in blocks of a size.
func scanJSON(_ text: [UInt8], blockSize: Int? = nil, depthLimit: Int = 512) -> JSONOutcome {
  outcome(text, blockSize: blockSize, depthLimit: depthLimit) { scanner throws(JSONReadError) in
    try scanner.readTree()
  }
}

/// Passes over a text that holds one value; the tree of one that is accepted is only a word.
func skipJSON(_ text: [UInt8], blockSize: Int? = nil, depthLimit: Int = 512) -> JSONOutcome {
  outcome(text, blockSize: blockSize, depthLimit: depthLimit) { scanner throws(JSONReadError) in
    try scanner.skipValue()
    return .word("skipped")
  }
}

/// Returns a scanner over bytes, or over a file with these bytes in blocks of a size.
func jsonScanner(
  _ text: [UInt8], blockSize: Int? = nil, depthLimit: Int = 512,
  allowsControlCharacters: Bool = false
) throws(JSONReadError) -> JSONScanner {
  guard let blockSize else {
    return JSONScanner(
      ByteStream(text.span), depthLimit: depthLimit,
      allowsControlCharacters: allowsControlCharacters)
  }
  let file = TemporaryFile(text)
  do throws(ScanError) {
    return JSONScanner(
      try ByteStream(path: file.path, blockSize: blockSize), depthLimit: depthLimit,
      allowsControlCharacters: allowsControlCharacters)
  } catch {
    throw .file(error)
  }
}

private func outcome(
  _ text: [UInt8], blockSize: Int?, depthLimit: Int,
  _ read: (inout JSONScanner) throws(JSONReadError) -> ReferenceJSON.Value
) -> JSONOutcome {
  do throws(JSONReadError) {
    var scanner = try jsonScanner(text, blockSize: blockSize, depthLimit: depthLimit)
    guard try scanner.nextValue() else {
      return .failure(.init(code: "json-truncated", byteOffset: scanner.byteOffset))
    }
    let value = try read(&scanner)
    guard try !scanner.nextValue() else {
      return .failure(.init(code: "json-syntax", byteOffset: scanner.byteOffset))
    }
    return .success(value)
  } catch {
    switch error {
    case .file(let error): return .failure(.init(code: error.code, byteOffset: -1))
    case .text(let error):
      return .failure(.init(code: error.code.rawValue, byteOffset: error.byteOffset))
    }
  }
}

extension JSONScanner {
  /// Reads the next value and everything inside it.
  mutating func readTree() throws(JSONReadError) -> ReferenceJSON.Value {
    if let object = try enterObject() {
      var members: [ReferenceJSON.Member] = []
      var text = JSONText()
      while let key = try nextMember(of: object, keyInto: &text) {
        members.append(.init(key: Array(text.bytes[key.range]), value: try readTree()))
      }
      return .object(members)
    }
    if let array = try enterArray() {
      var elements: [ReferenceJSON.Value] = []
      while try nextElement(of: array) { elements.append(try readTree()) }
      return .array(elements)
    }
    var text = JSONText()
    let scalar = try readScalar(into: &text)
    let bytes = Array(text.bytes[scalar.range])
    switch scalar.kind {
    case .string: return .string(bytes)
    case .number: return .number(bytes)
    default: return .word("\(scalar.kind)")
    }
  }
}

/// Returns a random JSON text: every kind of value, of escape and of white space.
///
/// - Parameters:
///   - random: Where the choices come from.
///   - levels: The most objects and arrays inside one another.
/// - Returns: The text.
func randomJSON(using random: inout SeededGenerator, levels: Int = 4) -> String {
  func any(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
  func blank() -> String { any(["", "", "", "", " ", "\n", "\t\r\n          "]) }
  func string() -> String {
    let pieces = [
      "a", "transaction_id", "2026-11-21 10:17:47 America/Los_Angeles", "é", "月額", "😀", "\u{7F}",
      "\\\"", "\\\\", "\\/", "\\b\\f\\n\\r\\t", "\\u0041", "\\u00e9", "\\u6708", "\\uD83D\\uDE00",
      "\\u0000", "MIIT0wYJKoZIhvcNAQcCoIITxDCCE8ACAQExCzAJBgUrDgMCGgUAMIIDdAYJKoZIhvc",
    ]
    let count = Int.random(in: 0...3, using: &random)
    return "\"" + (0..<count).map { _ in any(pieces) }.joined() + "\""
  }
  func value(_ levels: Int) -> String {
    let count = Int.random(in: 0...3, using: &random)
    switch Int.random(in: levels > 0 ? 0...6 : 2...6, using: &random) {
    case 0:
      let members = (0..<count).map { _ in
        blank() + string() + blank() + ":" + blank() + value(levels - 1) + blank()
      }
      return "{" + (members.isEmpty ? blank() : members.joined(separator: ",")) + "}"
    case 1:
      let elements = (0..<count).map { _ in blank() + value(levels - 1) + blank() }
      return "[" + (elements.isEmpty ? blank() : elements.joined(separator: ",")) + "]"
    case 2: return any(["true", "false", "null"])
    case 3:
      return any(["0", "-0", "7", "-12", "9007199254740993", "1448129867409", "0.0", "9.990"])
        + any(["", "", "e5", "E+10", "e-0"])
    default: return string()
    }
  }
  return blank() + value(levels) + blank()
}
