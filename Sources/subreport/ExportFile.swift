import ArgumentParser
import Files
import Rendering
import ReportFolder
import Tables

/// A database or a workbook that a command makes of its tables.
enum ExportFile {
  /// Ends the command where the system's library for a format is missing, before anything is read.
  ///
  /// - Throws: `ExitCode`, after a line that says what to install.
  static func requireLibrary(_ format: OutputFormat) throws {
    guard let obstacle = obstacle(format) else { return }
    Console.standard.error("error: the format \(format.rawValue): \(obstacle) [no-library]")
    throw ExitCode(ExitReason.unusableInput.rawValue)
  }

  private static func obstacle(_ format: OutputFormat) -> String? {
    switch format {
    case .sqlite: DatabaseExport.obstacle
    case .xlsx: WorkbookExport.obstacle
    default: nil
    }
  }

  /// Refuses a file that `subreport` did not write, or that another program has changed; an empty one may be replaced.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - kind: The kind of file that is to be written.
  ///   - canForce: Whether the command has `--force`, for the message.
  /// - Throws: ``OutputError/otherFile(path:canForce:)``.
  static func refuseOther(
    _ path: String, unless kind: WrittenFile, canForce: Bool
  ) throws(OutputError) {
    // Standard output may be a file that the shell adds to.
    guard !["/dev/stdout", "/dev/stderr"].contains(path), let status = FileStatus(of: path),
      status.kind == .file, status.size > 0, !kind.wrote(path)
    else { return }
    throw .otherFile(path: path, canForce: canForce)
  }

  /// Refuses a database that another program is writing to: its journal would be taken for one of the new file.
  static func refuseOpenDatabase(_ path: String, _ option: String) throws(UsageError) {
    for ending in ["-journal", "-wal"] where FileStatus(of: path + ending) != nil {
      throw UsageError(
        "\(option) \(path): \(path)\(ending) is beside it: another program writes to the database; end that program, or remove both files"
      )
    }
  }

  /// Returns tables as a file; prints what a sheet cannot hold.
  ///
  /// - Parameters:
  ///   - tables: The tables, each with the name of its CSV file.
  ///   - format: `sqlite` or `xlsx`.
  ///   - hasKeys: Whether all columns of the tables' keys are there.
  ///   - console: Receives the notes.
  /// - Returns: The bytes.
  /// - Throws: `ExitCode`, after a line that says why it cannot be made.
  static func bytes(
    of tables: [LongTable], _ format: OutputFormat, hasKeys: Bool, _ console: Console
  ) throws -> [UInt8] {
    do throws(ExportError) {
      if format == .sqlite { return try DatabaseExport.bytes(of: tables, hasKeys: hasKeys) }
      let (bytes, notes) = try WorkbookExport.bytes(of: tables)
      for note in notes { console.note("note: \(note)") }
      return bytes
    } catch {
      console.error("error: the format \(format.rawValue): \(error.message) [cannot-export]")
      throw ExitCode(ExitReason.unusableInput.rawValue)
    }
  }
}

/// The files of `--sqlite` and `--xlsx`, with all tables of a report.
struct ReportExports {
  private let files: [(format: OutputFormat, path: String)]

  /// Checks the files, which must be writable and outside the folder that is replaced as a whole.
  ///
  /// - Throws: `UsageError`, `OutputError`, or `ExitCode` where a library is missing.
  init(_ command: RunCommand, outside folder: String, force: Bool) throws {
    let settings = command.settings
    var files: [(format: OutputFormat, path: String)] = []
    for (key, format) in [(SettingKey.sqlite, OutputFormat.sqlite), (.xlsx, .xlsx)] {
      guard let path = try settings.file(key, outside: folder) else { continue }
      if format == .sqlite { try ExportFile.refuseOpenDatabase(path, settings.origin(key)) }
      if !force {
        try ExportFile.refuseOther(
          path, unless: format == .sqlite ? .database : .workbook, canForce: true)
      }
      try ExportFile.requireLibrary(format)
      files.append((format, path))
    }
    self.files = files
  }

  /// Writes the files, each whole or not at all.
  ///
  /// - Returns: The reasons for the exit code.
  func write(_ tables: [LongTable], _ command: RunCommand) throws -> Set<ExitReason> {
    var reasons: Set<ExitReason> = []
    for (format, path) in files {
      do {
        let bytes = try ExportFile.bytes(of: tables, format, hasKeys: true, command.console)
        reasons.formUnion(try command.print(bytes, to: path))
      } catch is ExitCode {
        // Said already; the folder and the ledger are as complete as without the file.
        reasons.insert(.unusableInput)
      }
    }
    return reasons
  }
}
