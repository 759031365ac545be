/// A JSON value, read in the most obvious way.
enum JSONValue: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Reads a text that is exactly one value; nothing if it is not, or if a name occurs twice.
  init?(_ text: some Sequence<UInt8>) {
    var reader = JSONReader(rest: Array(text)[...])
    guard let value = reader.value(), reader.rest.isEmpty else { return nil }
    self = value
  }

  /// A member of an object.
  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  /// What a string or number says.
  var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let value): "\(value)"
    default: nil
    }
  }

  /// The whole number that a string or number says.
  var integer: Int? { text.flatMap { Int($0) } }

  var isTrue: Bool { text == "true" }
}

/// Takes values off the beginning of a text without white space.
private struct JSONReader {
  var rest: ArraySlice<UInt8>

  mutating func value() -> JSONValue? {
    switch rest.first {
    case UInt8(ascii: "{"): object()
    case UInt8(ascii: "["): array()
    case UInt8(ascii: "\""): string().map { .string($0) }
    case UInt8(ascii: "t"): take("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): take("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): take("null") ? .null : nil
    default: number()
    }
  }

  private mutating func take(_ word: String) -> Bool {
    guard rest.first == word.utf8.first, rest.starts(with: word.utf8) else { return false }
    rest = rest.dropFirst(word.utf8.count)
    return true
  }

  private mutating func object() -> JSONValue? {
    var members: [String: JSONValue] = [:]
    guard take("{") else { return nil }
    if take("}") { return .object(members) }
    repeat {
      guard let name = string(), take(":"), let value = value(), members[name] == nil else {
        return nil
      }
      members[name] = value
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func array() -> JSONValue? {
    var elements: [JSONValue] = []
    guard take("[") else { return nil }
    if take("]") { return .array(elements) }
    repeat {
      guard let value = value() else { return nil }
      elements.append(value)
    } while take(",")
    return take("]") ? .array(elements) : nil
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    var bytes: [UInt8] = []
    while true {
      let plain = rest.prefix { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      bytes += plain
      rest = rest.dropFirst(plain.count)
      switch rest.popFirst() {
      case UInt8(ascii: "\""): return String(validating: bytes, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst(), "\"\\/".utf8.contains(escaped) else { return nil }
        bytes.append(escaped)
      default: return nil
      }
    }
  }

  private mutating func number() -> JSONValue? {
    let digits = String(decoding: rest.prefix { "-0123456789".utf8.contains($0) }, as: UTF8.self)
    guard let value = Int(digits), "\(value)" == digits else { return nil }
    rest = rest.dropFirst(digits.utf8.count)
    return .number(digits)
  }
}
