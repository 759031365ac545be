import Scanning

/// A fault in one field of a row; the row's place in the file is added later.
struct FieldFault: Error {
  /// The column, from 0.
  let field: Int
  /// The code of the fault.
  let code: Reject.Code
  /// What was found, in words; `nil` for the field's text.
  let found: String?
  /// What was expected.
  let expected: String

  init(_ field: Int, _ code: Reject.Code, found: String? = nil, expected: String) {
    self.field = field
    self.code = code
    self.found = found
    self.expected = expected
  }
}
