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

  /// Classifies an answer.
  ///
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - text: The body of an error.
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
