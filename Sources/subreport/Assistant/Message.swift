import Pages
import Rendering
import Scanning

/// A message of JSON-RPC 2.0: a request, or a notification, which has no id and gets no answer.
struct Message {
  /// Why a line gets an error of the protocol in place of a result.
  struct Fault: Error {
    enum Code: Int {
      case parse = -32700
      case invalidRequest = -32600
      case unknownMethod = -32601
      case invalidParameters = -32602
    }

    let code: Code
    let message: String
    var id = JSONValue.null

    init(_ code: Code, _ message: String, id: JSONValue = .null) {
      (self.code, self.message, self.id) = (code, message, id)
    }
  }

  /// A text or a whole number; `nil` for a notification.
  let id: JSONValue?
  let method: String
  /// An object, also where the message has none.
  let parameters: JSONValue

  /// Reads a line without its line feed.
  static func value(of line: [UInt8]) throws(Fault) -> JSONValue {
    do throws(JSONReadError) {
      return try JSONValue(parsing: line)
    } catch {
      guard case .text(let error) = error else { throw Fault(.parse, "the line cannot be read") }
      throw Fault(.parse, "the line is no JSON: \(error.message) at byte \(error.byteOffset)")
    }
  }

  /// Reads a value; `nil` for an answer of the client, which this server has asked nothing.
  init?(_ value: JSONValue) throws(Fault) {
    let id = value["id"]
    switch id {
    case nil, .text?: break
    case .number(let digits)? where Int(digits) != nil: break
    default: throw Fault(.invalidRequest, "the id must be a text or a whole number")
    }
    guard value["jsonrpc"] == .text("2.0") else {
      throw Fault(
        .invalidRequest, "expected one object with \"jsonrpc\":\"2.0\"", id: id ?? .null)
    }
    if value["method"] == nil, value["result"] != nil || value["error"] != nil { return nil }
    guard let method = value["method"]?.words else {
      throw Fault(.invalidRequest, "the method must be a text", id: id ?? .null)
    }
    let parameters = value["params"] ?? .object([])
    guard case .object = parameters else {
      throw Fault(.invalidParameters, "params must be an object", id: id ?? .null)
    }
    (self.id, self.method, self.parameters) = (id, method, parameters)
  }
}

/// Divides a stream into lines of limited length.
struct MessageLines {
  /// A line without its line feed.
  enum Line: Equatable {
    case whole([UInt8])
    /// A longer line, which is not kept.
    case tooLong
  }

  private let limit: Int
  private var buffer: [UInt8] = []
  /// The bytes of ``buffer`` that are known to have no line feed.
  private var searched = 0
  private var isTooLong = false
  private var isAtEnd = false

  /// Creates a reader of lines of at most so many bytes.
  init(limit: Int) { self.limit = limit }

  /// Returns the next line, at the end of the stream also one without a line feed; `read` returns no bytes at the end.
  mutating func next<Failure>(
    _ read: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> Line? {
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[..<end]
        let isLong = isTooLong || line.count > limit
        defer { buffer.removeSubrange(...end) }
        (searched, isTooLong) = (0, false)
        return isLong ? .tooLong : .whole(Array(line))
      }
      searched = buffer.count
      if buffer.count > limit {
        isTooLong = true
        buffer.removeAll(keepingCapacity: true)
        searched = 0
      }
      let bytes = isAtEnd ? [] : try read()
      guard bytes.isEmpty else {
        buffer += bytes
        continue
      }
      isAtEnd = true
      guard isTooLong || !buffer.isEmpty else { return nil }
      defer { (buffer, searched, isTooLong) = ([], 0, false) }
      return isTooLong ? .tooLong : .whole(buffer)
    }
  }
}
