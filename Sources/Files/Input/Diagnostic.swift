/// One line on standard error that an editor can jump to.
package struct Diagnostic: Equatable, Sendable {
  /// The line without its ending: `FILE:LINE:FIELD: error: …`.
  package let text: String
  /// The effect on the exit code.
  package let reason: ExitReason

  package init(text: String, reason: ExitReason) {
    self.text = text
    self.reason = reason
  }
}
