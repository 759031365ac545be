import ArgumentParser
import Files
import Pipeline
import Rendering
import ReportFolder

/// The ledger of a run of `report`: locked, read to its end, and continued by one line.
final class RunLedger {
  /// The ledger before the run.
  let before: LedgerBefore
  private var file: AppendedFile

  /// Locks a ledger and reads it, before any input is read.
  ///
  /// - Parameters:
  ///   - path: The file; it need not exist.
  ///   - console: Takes the note about a line that a stopped run left.
  /// - Throws: `OutputError` for a file that cannot be written, `InputFailure` for one that is no ledger.
  init(_ path: String, _ console: Console) throws {
    file = try AppendedFile(path: path)
    let ledger = try Self.open(path, length: file.length)
    let part = Ledger.Part(
      path: Settings.shown(path), length: ledger.length, sha256: ledger.sha256)
    let state = try Self.reading(path) { () throws(LedgerError) in try ledger.state() }
    before = LedgerBefore(state, part)
    try removeUnfinishedLine(console)
  }

  /// Removes the line that a stopped run left unfinished, once the lines before it are read: another file stays as it is.
  private func removeUnfinishedLine(_ console: Console) throws {
    let (path, count) = (file.path, file.unfinishedByteCount)
    guard count > 0 else { return }
    guard LedgerEntry.mayBeginLine(try file.unfinishedBytes(16)) else {
      throw InputFailure(
        "\(path): error: found text without a line feed at the end; \(Self.advice) [bad-ledger]")
    }
    try file.removeUnfinishedLine()
    console.note(
      "\(path): removed the last line, which a stopped run left unfinished (\(counted(count, "byte")))"
    )
  }

  /// What to do about a file that cannot be read as a ledger.
  private static let advice =
    "this is no ledger, was edited, or is of a newer version: name another file, or restore a copy"

  /// Adds the line of the run, and waits until it is on the disk.
  func append(_ entry: LedgerEntry?) throws(OutputError) {
    guard let entry else { return }
    try file.append(Array(entry.text.utf8))
  }

  /// Opens a ledger to read it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - length: How many bytes to read; `nil` for all whole lines.
  /// - Returns: The ledger.
  /// - Throws: `InputFailure` when the file cannot be read.
  static func open(_ path: String, length: Int? = nil) throws(InputFailure) -> Ledger {
    if let ledger = Ledger(path, length: length) { return ledger }
    throw InputFailure(
      "\(path): error: found no readable file, expected the ledger of report --ledger [cannot-open]"
    )
  }

  /// Reads lines of a ledger.
  ///
  /// - Parameters:
  ///   - path: The file, for the message.
  ///   - body: Reads.
  /// - Returns: The value of `body`.
  /// - Throws: `InputFailure` for text that `report` does not write.
  static func reading<Value>(
    _ path: String, _ body: () throws(LedgerError) -> Value
  ) throws(InputFailure) -> Value {
    do throws(LedgerError) {
      return try body()
    } catch {
      throw failure(error, path)
    }
  }

  /// Returns the failure of a file that is no ledger.
  static func failure(_ error: LedgerError, _ path: String) -> InputFailure {
    InputFailure(
      "\(path):\(error.line): error: \(error.message); \(advice) [bad-ledger]"
    )
  }
}

extension RunCommand {
  /// Returns the file of `--ledger`; it must be writable, no input, and outside the folder that is replaced as a whole.
  ///
  /// - Parameter folder: The output folder.
  /// - Returns: The file; `nil` without a ledger.
  /// - Throws: `UsageError` for another place, `OutputError` when there is no folder for the file.
  func ledgerFile(_ folder: String) throws -> String? {
    guard let path = settings.text(.ledger) else { return nil }
    let option = settings.origin(.ledger)
    if let changes = settings.text(.changes),
      InputListing.inputDestroyed(by: changes, isFolder: false, inputs: [path]) != nil
        || changes == path
    {
      throw UsageError(
        "\(option) \(path): this is the file of \(settings.origin(.changes)); name another file")
    }
    try refuseInput(as: path, option)
    guard !OutputCheck.isInside(path, folder) else {
      throw UsageError(
        "\(option) \(path): \(folder) is replaced as a whole; name a file outside it")
    }
    if let input = plan.inputs.first(where: { OutputCheck.isInside(path, $0) }) {
      throw UsageError(
        "\(option) \(path): it would be an input of the next run; name a file outside \(input)")
    }
    return path
  }
}
