import ArgumentParser
import Pipeline

/// A file named by an option, such as exchange rates, that cannot be used: its lines on standard error and exit
/// code 64, like any wrong setting.
struct InputFailure: Error {
  let line: String

  init(_ line: String) {
    self.line = line
  }
}

/// Runs a command's body; a file or folder that cannot be used ends it with its lines and exit code.
func withInputFailures(_ body: () throws -> Void) throws {
  do {
    try body()
  } catch let failure as InputFailure {
    Console.standard.error(failure.line)
    throw ExitCode(ExitReason.usage.rawValue)
  } catch let error as OutputError {
    Console.standard.error(error.description)
    throw ExitCode(error.reason.rawValue)
  }
}
