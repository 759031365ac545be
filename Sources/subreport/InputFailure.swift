import ArgumentParser
import Pipeline

/// A file named by an option that cannot be used: one line on standard error and exit code 2.
struct InputFailure: Error {
  let line: String

  init(_ line: String) {
    self.line = line
  }
}

/// Runs a command's body; a file or folder that cannot be used ends it with its line and exit code 2.
func withInputFailures(_ body: () throws -> Void) throws {
  do {
    try body()
  } catch let failure as InputFailure {
    Console.standard.error(failure.line)
    throw ExitCode(ExitReason.unusableInput.rawValue)
  } catch let error as OutputError {
    Console.standard.error(error.description)
    throw ExitCode(error.reason.rawValue)
  }
}
