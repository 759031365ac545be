import ArgumentParser
import Files
import UserTables

/// An error about an unusable file that an option names, such as exchange rates.
///
/// Its lines go to standard error and the exit code is 64, like any wrong setting.
struct InputFailure: Error {
  let line: String

  init(_ line: String) {
    self.line = line
  }
}

/// Reads a CSV file that an option names.
///
/// - Parameters:
///   - path: The file.
///   - columns: The columns that it should have, for a message.
///   - read: Reads the text of the file with this path.
/// - Returns: What the file says.
/// - Throws: `InputFailure` for a file that cannot be used.
func readTable<Value>(
  _ path: String, columns: String, _ read: (String, String) throws(TableError) -> Value
) throws(InputFailure) -> Value {
  let bytes = try readBytes(path, expecting: "CSV \(columns)")
  do throws(TableError) {
    return try read(String(decoding: bytes, as: UTF8.self), path)
  } catch {
    throw InputFailure(error.message)
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

/// Returns the bytes of a small file that an option names.
///
/// - Throws: `InputFailure` when it cannot be read; it says what contents were expected.
func readBytes(_ path: String, expecting contents: String) throws(InputFailure) -> [UInt8] {
  guard let bytes = OutputFileSystem.contents(ofAnything: path) else {
    throw InputFailure(
      "\(path): error: found no readable file, expected \(contents) [cannot-open]")
  }
  return bytes
}
