import Pipeline

extension RunCommand {
  /// Prints what is not reconciled.
  ///
  /// - Parameter lines: One line for each finding.
  /// - Returns: The reason for the exit code, if there is any line.
  func noteFindings(_ lines: [String]?) -> Set<ExitReason> {
    for line in lines ?? [] { console.error(line) }
    return lines?.isEmpty == false ? [.unreconciled] : []
  }

  /// Prints which settlements could not be verified.
  ///
  /// - Parameter lines: Lines that change the exit code, and lines that do not.
  /// - Returns: The reason for the exit code, if there is any error line.
  func noteUnverified(_ lines: (errors: [String], notes: [String])?) -> Set<ExitReason> {
    for line in lines?.errors ?? [] { console.error(line) }
    for line in lines?.notes ?? [] { console.note(line) }
    return lines?.errors.isEmpty == false ? [.missingDays] : []
  }
}
