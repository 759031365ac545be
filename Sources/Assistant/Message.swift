import Rendering
import Scanning

/// A message of JSON-RPC 2.0: a request, or a notification, which has no id and gets no answer.
struct Message {
  /// Why a line gets an error of the protocol in place of a result.
  struct Fault: Error {
    /// The codes of JSON-RPC.
    enum Code: Int {
      case parse = -32700
      case invalidRequest = -32600
      case unknownMethod = -32601
      case invalidParameters = -32602
    }

    let code: Code
    let message: String
    var id = JSONValue.null
  }

  /// A text or a whole number; `nil` for a notification.
  let id: JSONValue?
  let method: String
  /// An object, also where the message has none.
  let parameters: JSONValue

  /// The most objects and arrays inside one another.
  static let mostNested = 32

  /// Reads a line.
  ///
  /// - Parameter line: The bytes without the line feed.
  /// - Returns: `nil` for an answer of the client, which this server has asked nothing.
  /// - Throws: ``Fault`` for a line that is no message.
  init?(_ line: [UInt8]) throws(Fault) {
    let value = try Self.value(line)
    if case .list = value {
      throw Fault(
        code: .invalidRequest,
        message: "found an array: batches are not part of the protocol; send one message a line")
    }
    guard case .object = value else {
      throw Fault(code: .invalidRequest, message: "found no object, expected a JSON-RPC message")
    }
    let id = value["id"]
    switch id {
    case nil, .text?: break
    case .number(let digits)? where Int(digits) != nil: break
    default:
      throw Fault(code: .invalidRequest, message: "the id must be a text or a whole number")
    }
    let answered = id ?? .null
    guard value["jsonrpc"] == .text("2.0") else {
      throw Fault(
        code: .invalidRequest, message: "found no \"jsonrpc\":\"2.0\"", id: answered)
    }
    guard let method = value["method"] else {
      if value["result"] != nil || value["error"] != nil { return nil }
      throw Fault(code: .invalidRequest, message: "found no method", id: answered)
    }
    guard case .text(let name) = method else {
      throw Fault(code: .invalidRequest, message: "the method must be a text", id: answered)
    }
    let parameters = value["params"] ?? .object([])
    guard case .object = parameters else {
      throw Fault(code: .invalidParameters, message: "params must be an object", id: answered)
    }
    (self.id, self.method, self.parameters) = (id, name, parameters)
  }

  private static func value(_ line: [UInt8]) throws(Fault) -> JSONValue {
    var scanner = JSONScanner(ByteStream(line.span), depthLimit: mostNested)
    var (values, hasMore): ([JSONValue], Bool) = ([], false)
    do throws(JSONReadError) {
      if try scanner.nextValue() {
        values = [try JSONValue(reading: &scanner, limit: line.count)]
        hasMore = try scanner.nextValue()
      }
    } catch {
      guard case .text(let error) = error else {
        throw Fault(code: .parse, message: "the line cannot be read")
      }
      throw Fault(
        code: .parse, message: "the line is no JSON: \(error.message) at byte \(error.byteOffset)")
    }
    guard let value = values.first, !hasMore else {
      throw Fault(code: .parse, message: "a line must have one JSON object")
    }
    return value
  }
}

extension JSONValue {
  /// Reads a value as a tree; of equal keys the first one counts.
  ///
  /// - Parameters:
  ///   - scanner: At the value; its depth is limited.
  ///   - limit: The length of the whole text, which no part exceeds.
  /// - Throws: `JSONReadError` for other text than JSON.
  init(reading scanner: inout JSONScanner, limit: Int) throws(JSONReadError) {
    if let object = try scanner.enterObject() {
      var members: [Member] = []
      var text = JSONText()
      while let key = try scanner.nextMember(of: object, keyInto: &text, limit: limit) {
        let name = String(decoding: text.bytes[key.range], as: UTF8.self)
        members.append(Member(name, try JSONValue(reading: &scanner, limit: limit)))
        text.removeAll()
      }
      self = .object(members)
    } else if let list = try scanner.enterArray() {
      var values: [JSONValue] = []
      while try scanner.nextElement(of: list) {
        values.append(try JSONValue(reading: &scanner, limit: limit))
      }
      self = .list(values)
    } else {
      var text = JSONText()
      let scalar = try scanner.readScalar(into: &text, limit: limit)
      let words = String(decoding: text.bytes[scalar.range], as: UTF8.self)
      switch scalar.kind {
      case .string: self = .text(words)
      case .number: self = .number(words)
      case .true: self = .bool(true)
      case .false: self = .bool(false)
      case .null, .object, .array: self = .null
      }
    }
  }
}
