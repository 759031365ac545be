/// Why an input cannot be read at all.
package struct InputError: Error, Equatable, Sendable {
  /// The input as the user wrote it.
  package let path: String
  /// The path below the input argument, which all outputs name; without one the input as the user wrote it.
  package let relativePath: String
  /// A stable code, such as `cannot-open`.
  package let code: String
  /// What was found and what was expected.
  package let message: String
  /// Whether it is about a folder, whose files are not read.
  package let isOfFolder: Bool

  package init(
    path: String, relativePath: String = "", code: String, message: String,
    isOfFolder: Bool = false
  ) {
    self.isOfFolder = isOfFolder
    self.path = path
    self.relativePath = relativePath.isEmpty ? path : relativePath
    self.code = code
    self.message = message
  }
}

/// One line on standard error that an editor can jump to.
package struct Diagnostic: Equatable, Sendable {
  /// The line without its ending: `FILE:LINE:FIELD: error: …`.
  package let text: String
  /// The file that it is about, with which the text begins.
  package let path: String
  /// The effect on the exit code.
  package let reason: ExitReason

  package init(path: String, text: String, reason: ExitReason) {
    (self.path, self.text, self.reason) = (path, text, reason)
  }
}
