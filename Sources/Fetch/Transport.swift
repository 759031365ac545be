/// A request to Apple.
package struct FetchRequest: Sendable {
  package var url: String
  /// Lines such as `Accept: application/json`; the token is among them, so they are never printed.
  package var headers: [String]
  /// The body of a POST.
  package var body: String?
  /// The file that gets the body of the answer; it is created.
  package var file: String
  /// Whether to use HTTP/1.1, after an error of the protocol.
  package var isHTTP1 = false

  package init(url: String, headers: [String], body: String? = nil, file: String) {
    (self.url, self.headers, self.body, self.file) = (url, headers, body, file)
  }
}

/// An answer, or the failure to get one.
package struct FetchAnswer: Sendable {
  /// The HTTP status; 0 without an answer.
  package var status = 0
  /// The headers, their names in lower case.
  package var headers: [(name: String, value: String)] = []
  /// Why there is no whole answer.
  package var failure: Failure?
  package var byteCount = 0

  package enum Failure: Equatable, Sendable {
    /// The network, or a server that does not do as it should, in words.
    case network(String)
    /// The body ends early: bytes received, and announced.
    case cut(received: Int, of: Int)
    /// An error of HTTP/2, after which HTTP/1.1 is used.
    case httpVersion
    /// The file of the body cannot be written; `errno`.
    case disk(Int32)
    /// The certificate is not trusted.
    case certificate(String)
    /// The proxy wants a user and a password.
    case proxy

    /// Whether no other try of this run will help.
    var isLasting: Bool {
      switch self {
      case .certificate, .proxy: true
      default: false
      }
    }
  }

  package init() {}

  /// Returns the value of a header; of several, all joined by commas.
  package func header(_ name: String) -> String? {
    let values = headers.filter { $0.name == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}

/// Sends requests, and is the clock: a run in a test takes no time.
package protocol Transport: AnyObject {
  /// The time in milliseconds since 1970.
  var now: Int64 { get }

  /// Starts a request.
  func start(_ request: FetchRequest, id: Int)

  /// Waits for an answer to a request, or until a time.
  ///
  /// - Parameter end: The time in milliseconds since 1970; `nil` to wait for an answer, of which there is one then.
  /// - Returns: The answer; `nil` when the time has come.
  func next(until end: Int64?) -> (id: Int, answer: FetchAnswer)?
}
