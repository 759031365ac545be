package import Rendering
package import Scanning

extension JSONValue {
  /// The most objects and arrays inside one another that are read.
  private static let mostNested = 32

  /// Reads a whole text in UTF-8 as a tree; of equal keys the first one counts.
  package init(parsing bytes: [UInt8]) throws(JSONReadError) {
    var scanner = JSONScanner(ByteStream(bytes.span), depthLimit: Self.mostNested)
    self = try scanner.nextValue() ? Self.read(&scanner, limit: bytes.count) : .null
    // A second value is an error of the same kind as a missing one.
    if try scanner.nextValue() { self = .null }
  }

  private static func read(
    _ scanner: inout JSONScanner, limit: Int
  ) throws(JSONReadError) -> JSONValue {
    var text = JSONText()
    if let object = try scanner.enterObject() {
      var members: [Member] = []
      while let key = try scanner.nextMember(of: object, keyInto: &text, limit: limit) {
        let name = String(decoding: text.bytes[key.range], as: UTF8.self)
        members.append(Member(name, try read(&scanner, limit: limit)))
        text.removeAll()
      }
      return .object(members)
    }
    if let list = try scanner.enterArray() {
      var values: [JSONValue] = []
      while try scanner.nextElement(of: list) { values.append(try read(&scanner, limit: limit)) }
      return .list(values)
    }
    let scalar = try scanner.readScalar(into: &text, limit: limit)
    let words = String(decoding: text.bytes[scalar.range], as: UTF8.self)
    switch scalar.kind {
    case .string: return .text(words)
    case .number: return .number(words)
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .null, .object, .array: return .null
    }
  }
}
