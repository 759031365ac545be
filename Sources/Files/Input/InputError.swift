/// Why an input cannot be read at all.
public struct InputError: Error, Equatable, Sendable {
  /// The input as the user wrote it.
  public let path: String
  /// A stable code, such as `cannot-open`.
  public let code: String
  /// What was found and what was expected.
  public let message: String

  package init(path: String, code: String, message: String) {
    self.path = path
    self.code = code
    self.message = message
  }
}
