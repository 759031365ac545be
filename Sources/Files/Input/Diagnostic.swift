/// One line on standard error that an editor can jump to.
public struct Diagnostic: Equatable, Sendable {
  /// The line without its ending: `FILE:LINE:FIELD: error: …`.
  public let text: String
  /// The effect on the exit code.
  public let reason: ExitReason

  /// Creates a line.
  ///
  /// - Parameters:
  ///   - text: The line without its ending.
  ///   - reason: The effect on the exit code.
  package init(text: String, reason: ExitReason) {
    self.text = text
    self.reason = reason
  }
}
