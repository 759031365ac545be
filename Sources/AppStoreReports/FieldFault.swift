import Scanning

/// What is wrong with one field of a row, before it is known where in the file the row is.
struct FieldFault: Error {
  /// The column, from 0.
  let field: Int
  /// What is wrong.
  let code: Reject.Code
  /// What was found, in words; `nil` for the field's text.
  let found: String?
  /// What would have been right.
  let expected: String

  init(_ field: Int, _ code: Reject.Code, found: String? = nil, expected: String) {
    self.field = field
    self.code = code
    self.found = found
    self.expected = expected
  }
}
