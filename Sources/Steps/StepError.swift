package import Files
import Scanning

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
    /// A copy of a file that this machine cannot read, although another one has read the file.
    case unreadable = "cannot-read"
    /// A file or an option that steps do not support.
    case unsupported = "not-in-steps"
    /// The plan foresaw another result of reading.
    case `internal` = "internal-error"
  }

  /// Throws an error if a system call on the copy of a file has failed.
  static func checkCopy(_ path: String) throws(StepError) {
    guard let fault = SystemFault.take(path) else { return }
    throw StepError(.unreadable, "the copy of a file on this machine: \(fault.message)")
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

  package var reason: ExitReason {
    switch code {
    case .damaged: .corruptInput
    case .otherVersion, .misplaced, .unreadable, .unsupported: .unusableInput
    case .internal: .internalError
    }
  }
}
