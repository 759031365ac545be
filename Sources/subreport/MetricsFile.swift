import ArgumentParser
import Files
import Pages
import Pipeline
import Rendering
import ReportFolder
import Tables

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

  /// Finds the file; `nil` without one.
  ///
  /// - Throws: `UsageError` for a file in the output folder or in an input, `OutputError` without a folder for it, and for
  ///   a file that `subreport` did not write.
  init?(_ settings: Settings, folder: String, force: Bool) throws {
    guard let path = try settings.file(.openmetrics, outside: folder, refusesInputs: true) else {
      return nil
    }
    if !force { try ExportFile.refuseOther(path, unless: .metrics, canForce: true) }
    self.path = path
    console = try Console(settings)
  }

  /// Runs a command and writes the file with its exit code.
  ///
  /// - Throws: What `body` throws, or `ExitCode` if the file could not be written.
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
