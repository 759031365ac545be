import ArgumentParser
import Files

/// An error about an unusable file that an option names, such as exchange rates.
///
/// Its lines go to standard error and the exit code is 64, like any wrong setting.
struct InputFailure: Error {
  let line: String

  init(_ line: String) {
    self.line = line
  }
}

/// Runs a command's body; prints the error of an unusable file or folder, and throws its exit code.
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
