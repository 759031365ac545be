/// Why an input cannot be read at all.
package struct InputError: Error, Equatable, Sendable {
  /// The input as the user wrote it.
  package let path: String
  /// A stable code, such as `cannot-open`.
  package let code: String
  /// What was found and what was expected.
  package let message: String
  /// Whether it is about a folder, whose files are not read.
  package let isOfFolder: Bool

  package init(path: String, code: String, message: String, isOfFolder: Bool = false) {
    self.isOfFolder = isOfFolder
    self.path = path
    self.code = code
    self.message = message
  }
}
