/// The reasons for which a JSON text could not be read further.
public enum JSONReadError: Error, Equatable, Sendable {
  /// The file itself failed: nothing more can be read from it.
  case file(ScanError)
  /// The text is not JSON; a reader of lines can go on with the next one.
  case text(JSONError)
}

/// The place where a text breaks the rules of JSON (RFC 8259), with the found and the expected text.
public struct JSONError: Error, Equatable, Sendable {
  /// The kind of error; codes never change.
  public enum Code: String, CaseIterable, Sendable {
    /// A byte that is not allowed at its place.
    case syntax = "json-syntax"
    /// The text, or a line that must hold a whole value, ends inside a value.
    case truncated = "json-truncated"
    /// Bytes of a string or key that are not UTF-8.
    case invalidUTF8 = "json-utf8"
    /// An escaped surrogate without its other half.
    case loneSurrogate = "json-surrogate"
    /// A control character in a string or key, which JSON requires to be escaped.
    case controlCharacter = "json-control-character"
    /// More nested objects and arrays than allowed.
    case tooDeep = "json-depth"
    /// A known key for the second time in one object.
    case duplicateKey = "json-duplicate-key"
  }

  /// The kind of error.
  public let code: Code
  /// The offset in the (inflated) text of the first wrong byte; the text's length if it ends too early.
  public let byteOffset: Int
  /// The number of the line that the byte is on, from 1.
  public let line: Int
  /// The known key that occurs twice; empty for other errors.
  public let key: String
  /// What was found: at most one byte of the text, because texts hold personal data.
  public let found: String
  /// What was expected.
  public let expected: String

  /// What was found and what was expected, in lower case and without a full stop.
  public var message: String { "found \(found), expected \(expected)" }
}
