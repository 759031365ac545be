import ArgumentParser
import Files
import Pages
import Pipeline
import Rendering
import ReportFolder
import Tables

/// A database or a workbook that a command makes of its tables.
enum ExportFile {
  /// Ends the command where the system's library for a format is missing, before anything is read.
  static func requireLibrary(_ format: OutputFormat) throws {
    guard let obstacle = obstacle(format) else { return }
    throw Console.standard.failure("error: the format \(format.rawValue): \(obstacle) [no-library]")
  }

  private static func obstacle(_ format: OutputFormat) -> String? {
    switch format {
    case .sqlite: DatabaseExport.obstacle
    case .xlsx: WorkbookExport.obstacle
    default: nil
    }
  }

  /// Refuses a file that `subreport` did not write, or that another program has changed; an empty one may be replaced.
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

  /// Returns tables, each with the name of its CSV file, as a database or a workbook; prints what a sheet cannot
  /// hold.
  ///
  /// `hasKeys`: whether all columns of the tables' keys are there.
  static func bytes(
    of tables: [LongTable], _ format: OutputFormat, hasKeys: Bool, _ console: Console
  ) throws -> [UInt8] {
    do throws(ExportError) {
      if format == .sqlite { return try DatabaseExport.bytes(of: tables, hasKeys: hasKeys) }
      let (bytes, notes) = try WorkbookExport.bytes(of: tables)
      for note in notes { console.note("note: \(note)") }
      return bytes
    } catch {
      throw console.failure(
        "error: the format \(format.rawValue): \(error.message) [cannot-export]")
    }
  }
}

/// The files of `--sqlite` and `--xlsx`, with all tables of a report.
struct ReportExports {
  private let files: [(format: OutputFormat, path: String)]

  /// Checks the files, which must be writable and outside the folder that is replaced as a whole, and their
  /// libraries.
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

/// The file of `report --openmetrics`, which is written at the end of a run, however it ends.
///
/// Without it, graphs would not show that a run failed. Only a run whose settings are wrong, or that is killed,
/// leaves the file of the last run, whose time then shows it.
final class MetricsFile {
  private let path: String
  private let console: Console
  private let start = ContinuousClock.now
  /// The input as it was read; `nil` before that.
  var result: RunResult?
  /// `headlines.csv` of the folder that was written; `nil` before that, and without any.
  var headlines: ReportTable?
  /// Whether the folder was written.
  var isWritten = false

  /// Finds the file, `nil` without one; refuses one that `subreport` did not write.
  init?(_ settings: Settings, folder: String, force: Bool) throws {
    guard let path = try settings.file(.openmetrics, outside: folder, refusesInputs: true) else {
      return nil
    }
    if !force { try ExportFile.refuseOther(path, unless: .metrics, canForce: true) }
    self.path = path
    console = try Console(settings)
  }

  /// Runs a command and writes the file with its exit code, which is another one if the file could not be written.
  func record(_ body: () throws -> Void) throws {
    var failure: (any Error)?
    do { try body() } catch { failure = error }
    let code = failure.map { Report.exitCode(for: $0).rawValue } ?? 0
    let reasons = Set([ExitReason(rawValue: code)].compactMap(\.self)).union(write(code))
    // Several reasons have one code, which may be another one than that of the run.
    let codeOfAll = ExitReason.code(of: reasons)
    if let failure, codeOfAll == code || codeOfAll == 0 { throw failure }
    if codeOfAll != 0 { throw ExitCode(codeOfAll) }
  }

  /// Writes the file; returns the reason for the exit code if it cannot.
  private func write(_ code: Int32) -> Set<ExitReason> {
    let end = RunMetrics.End(
      exitCode: code, time: Double(FileStatus.now) / 1e9,
      duration: (ContinuousClock.now - start) / .seconds(1), isWritten: isWritten)
    let text = GaugeFamily.text(of: RunMetrics(result, headlines: headlines, end: end).families)
    do throws(OutputError) {
      try writeFileAtomically(path: path, bytes: Array(text.utf8))
      return []
    } catch {
      console.error(error.description)
      return [error.reason]
    }
  }
}
