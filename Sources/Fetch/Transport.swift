import Scanning

/// A request to Apple.
package struct FetchRequest: Sendable {
  package var url: String
  /// Lines such as `Accept: application/json`; the token is among them, so they are never printed.
  package var headers: [String]
  package var body: String?
  /// The file that gets the body of the answer; it is created.
  package var file: String
  /// Whether to use HTTP/1.1, after an error of the protocol.
  package var isHTTP1 = false

  package init(url: String, headers: [String], body: String? = nil, file: String) {
    (self.url, self.headers, self.body, self.file) = (url, headers, body, file)
  }

  init(url: String, accepts type: String, token: String, body: String?, file: String) {
    let content = body == nil ? [] : ["Content-Type: application/json"]
    let headers = ["Accept: \(type)", "Authorization: Bearer \(token)"]
    self.init(url: url, headers: headers + content, body: body, file: file)
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

  func start(_ request: FetchRequest, id: Int)

  /// Waits for an answer to a request, or until a time in milliseconds since 1970; `nil` when the time has come.
  ///
  /// Without a time there is an answer.
  func next(until end: Int64?) -> (id: Int, answer: FetchAnswer)?
}

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

/// The meaning of an answer of App Store Connect: FETCH.md, *Answers of App Store Connect*.
package enum Verdict: Equatable, Sendable {
  /// A body that may be the report.
  case body
  /// Apple has not made it yet.
  case notYet
  /// Nothing was sold, or it is not made yet.
  case nothing
  /// 404 in words that are not known.
  case unknownWords
  /// Older than a year.
  case gone
  /// Another version: that which Apple names, if it does.
  case version(String?)
  /// The vendor number is not accepted for this kind.
  case noVendor
  /// Another error of ours.
  case refused
  case unauthorized
  case agreement
  case forbidden
  case notAcceptable
  case tooMany
  /// 500 with Apple's code for a vendor number that does not exist, or an outage.
  case unexpectedError
  /// 5xx, and anything else that another try may mend.
  case failed
  case redirect

  /// Classifies an answer, with the body of an error.
  package init(status: Int, _ text: AnswerText) {
    let words = text.allWords
    switch status {
    case 200: self = .body
    case 201..<300, 408, 425: self = .failed
    case 300..<400: self = .redirect
    case 400:
      if let version = Self.version(in: words) {
        self = .version(version)
      } else if words.contains("version parameter") {
        self = .version(nil)
      } else {
        self = words.contains("invalid vendor number") ? .noVendor : .refused
      }
    case 401: self = .unauthorized
    case 403:
      self = words.contains("required_agreements") ? .agreement : .forbidden
    case 404: self = Self.absence(words)
    case 406: self = .notAcceptable
    case 410: self = words.contains("no longer available") ? .gone : .unknownWords
    case 429: self = .tooMany
    case 500: self = words.contains("unexpected_error") ? .unexpectedError : .failed
    case 500...: self = .failed
    default: self = .refused
    }
  }

  /// Returns the meaning of the words of a 404, in lower case.
  static func absence(_ words: String) -> Verdict {
    if words.contains("not available yet") { return .notYet }
    return words.contains("there were no") && words.contains("for the date specified")
      ? .nothing : .unknownWords
  }

  /// Returns the version that Apple names: `1_3` of `the latest version for this report is 1_3`.
  private static func version(in words: String) -> String? {
    guard let range = words.firstRange(of: "latest version for this report is ") else { return nil }
    let version = words[range.upperBound...].prefix { ("0"..."9").contains($0) || $0 == "_" }
    let parts = version.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.count) }) else { return nil }
    return String(version)
  }
}
