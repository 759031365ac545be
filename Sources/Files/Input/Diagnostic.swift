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
