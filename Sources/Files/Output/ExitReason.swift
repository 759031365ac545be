/// A reason for a run's exit code; several may hold at once.
package enum ExitReason: Int32, CaseIterable, Sendable {
  /// A condition holds, too many rows were rejected, or a folder differs from its manifest.
  case failIf = 1
  case unusableInput = 2
  /// Days are missing, or a settlement or an earlier run could not be verified.
  case missingDays = 3
  case corruptInput = 4
  case locked = 5
  case unreconciled = 6
  /// Apple or the network failed for some requests of `fetch`; the others are kept.
  case unreachable = 7
  case usage = 64
  case internalError = 70

  /// The reasons by precedence: the first that holds is the exit code.
  private static let precedence: [ExitReason] = [
    .internalError, .usage, .locked, .unusableInput, .corruptInput, .unreachable, .unreconciled,
    .missingDays, .failIf,
  ]

  /// Returns the exit code for several reasons, 0 for none.
  ///
  /// - Parameter reasons: The reasons that hold.
  /// - Returns: The exit code.
  package static func code(of reasons: Set<ExitReason>) -> Int32 {
    precedence.first(where: reasons.contains)?.rawValue ?? 0
  }
}
