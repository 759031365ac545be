/// Why a JSON text cannot be read further.
package enum JSONReadError: Error, Equatable, Sendable {
  /// The file cannot be read further.
  case file(ScanError)
  /// The text is not JSON; a reader of lines can continue with the next line.
  case text(JSONError)
}

/// An error in a JSON text (RFC 8259): its place, what was found and what was expected.
package struct JSONError: Error, Equatable, Sendable {
  /// The kind of error; codes never change.
  package enum Code: String, CaseIterable, Sendable {
    /// A byte that is not allowed in its place.
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
    /// One of the ``JSONKeys`` for the second time in one object.
    case duplicateKey = "json-duplicate-key"
  }

  /// The kind of error.
  package let code: Code
  /// The offset in the (inflated) text of the first wrong byte; the text's length if it ends too early.
  package let byteOffset: Int
  /// The number of the line that the byte is on, from 1.
  package let line: Int
  /// The key that occurs twice; empty for other errors.
  package let key: String
  /// What was found; quotes at most one byte of the text, because the text may be personal data.
  package let found: String
  /// What was expected.
  package let expected: String

  /// What was found and what was expected, in lower case and without a full stop.
  package var message: String { "found \(found), expected \(expected)" }
}
