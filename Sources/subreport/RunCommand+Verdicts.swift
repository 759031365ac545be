import Pipeline

extension RunCommand {
  /// Says what is not reconciled.
  ///
  /// - Parameter lines: One line each.
  /// - Returns: What it means for the exit code.
  func noteFindings(_ lines: [String]?) -> Set<ExitReason> {
    for line in lines ?? [] { console.error(line) }
    return lines?.isEmpty == false ? [.unreconciled] : []
  }

  /// Says which settlements could not be verified.
  ///
  /// - Parameter lines: Those that the exit code is about, and those that it is not.
  /// - Returns: What it means for the exit code.
  func noteUnverified(_ lines: (errors: [String], notes: [String])?) -> Set<ExitReason> {
    for line in lines?.errors ?? [] { console.error(line) }
    for line in lines?.notes ?? [] { console.note(line) }
    return lines?.errors.isEmpty == false ? [.missingDays] : []
  }
}
