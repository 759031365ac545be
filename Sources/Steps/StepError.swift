package import Files

/// Why a step cannot do its work: one line, and an exit code.
package struct StepError: Error, Equatable, Sendable {
  /// A stable code, such as `damaged-frame`.
  package enum Code: String, Sendable {
    /// The bytes of a frame are not those that were written, or end inside it.
    case damaged = "damaged-frame"
    /// A frame of another version of the program.
    case otherVersion = "other-version"
    /// A frame that this step cannot use, or that is missing, there twice, or of another plan.
    case misplaced = "misplaced-frame"
    /// A file or an option that steps do not support.
    case unsupported = "not-in-steps"
    /// The plan foresaw another result of reading.
    case `internal` = "internal-error"
  }

  package let code: Code
  /// What was found and what was expected, in lower case and without a full stop.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The error as one line.
  package var line: String { "standard input: error: \(message) [\(code.rawValue)]" }

  /// The reason for the exit code.
  package var reason: ExitReason {
    switch code {
    case .damaged: .corruptInput
    case .otherVersion, .misplaced, .unsupported: .unusableInput
    case .internal: .internalError
    }
  }
}
