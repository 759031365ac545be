/// Why a JSON text could not be read on.
public enum JSONReadError: Error, Equatable, Sendable {
  /// The file itself failed: nothing more can be read from it.
  case file(ScanError)
  /// The text is not JSON; a reader of lines can go on with the next one.
  case text(JSONError)
}

/// Where a text breaks the rules of JSON (RFC 8259), what was found there and what was expected.
public struct JSONError: Error, Equatable, Sendable {
  /// What is wrong; codes never change.
  public enum Code: String, CaseIterable, Sendable {
    /// A byte that cannot stand where it stands.
    case syntax = "json-syntax"
    /// The text, or a line that must hold a whole value, ends inside a value.
    case truncated = "json-truncated"
    /// Bytes of a string or key that are not UTF-8.
    case invalidUTF8 = "json-utf8"
    /// An escaped surrogate without its other half.
    case loneSurrogate = "json-surrogate"
    /// A control character in a string or key, which JSON wants escaped.
    case controlCharacter = "json-control-character"
    /// More objects and arrays inside one another than allowed.
    case tooDeep = "json-depth"
    /// A known key for the second time in one object.
    case duplicateKey = "json-duplicate-key"
  }

  /// What is wrong.
  public let code: Code
  /// The offset in the (inflated) text of the first byte that is wrong; the text's length if it
  /// ends too early.
  public let byteOffset: Int
  /// The number of the line that the byte is on, from 1.
  public let line: Int
  /// The known key that is there twice; empty where no key is meant.
  public let key: String
  /// What was found: at most one byte of the text, because texts hold personal data.
  public let found: String
  /// What would have been right.
  public let expected: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: What is wrong.
  ///   - byteOffset: The offset in the text of the first byte that is wrong.
  ///   - line: The number of its line, from 1.
  ///   - key: The known key that is there twice.
  ///   - found: What was found.
  ///   - expected: What would have been right.
  public init(
    code: Code, byteOffset: Int, line: Int, key: String = "", found: String, expected: String
  ) {
    self.code = code
    self.byteOffset = byteOffset
    self.line = line
    self.key = key
    self.found = found
    self.expected = expected
  }

  /// What was found and what was expected, in lower case and without a full stop.
  public var message: String { "found \(found), expected \(expected)" }
}
