import AppStoreReports
import Metrics
import Scanning
import SubscriptionModel

/// Reads all inputs of a plan and counts: bytes → records → facts → tallies.
public enum Run {
  /// Carries out a plan.
  ///
  /// Bad rows and bad files do not stop it; the result says what they were.
  ///
  /// - Parameters:
  ///   - plan: What to read and count.
  ///   - progress: Takes the steps of the run and the numbers of files and bytes read.
  /// - Returns: What was found and counted.
  public static func carryOut(_ plan: RunPlan, progress: RunProgress = RunProgress()) -> RunResult {
    plan.filters.isEmpty
      ? read(plan, RunInputs(plan), progress) : carryOutFiltered(plan, progress)
  }

  /// The life of a run: files are listed, looked at, and given their roles; those that count are read; what they say
  /// is put together.
  ///
  /// - Parameters:
  ///   - plan: What to read and count; products and apps of its filters are ids.
  ///   - inputs: Lists the files.
  ///   - progress: Takes the steps of the run and the numbers of files and bytes read.
  /// - Returns: What was found and counted.
  static func read(
    _ plan: RunPlan, _ inputs: @autoclosure () -> RunInputs, _ progress: RunProgress
  ) -> RunResult {
    // Is read while files are listed.
    var last = plan.cache?.lastRecord(plan)
    let inputs = inputs()
    progress.expect(
      files: inputs.files.count, bytes: inputs.files.map(\.byteCount).reduce(0, +))
    progress.begin(.looking)
    progress.reach(.listed)
    var files = scout(inputs, plan, progress)
    ReportResolution(plan).resolve(&files)
    progress.reach(.resolved)
    while true {
      let context = ReadContext(plan, files, inputs.known, progress, last)
      progress.begin(.reading)
      let results = Workers.run(
        count: files.count, jobs: plan.jobs, makeState: { FileReader(context) },
        work: { $0.read($1) }, finish: { $0.finish() })
      if !noteDamage(results, &files, plan) {
        progress.begin(.counting)
        return RunAssembly(context, inputs.errors, results).result()
      }
      // What is read again may contradict what was put into the registries of the last tally.
      last = nil
    }
  }

  /// Looks at the first lines of all files.
  private static func scout(
    _ inputs: RunInputs, _ plan: RunPlan, _ progress: RunProgress
  ) -> [ScoutedFile] {
    let files = inputs.files
    // Every file has its place from the beginning: a list in another order would have to be copied.
    let noName = ReportName("")
    let found = Locked(
      files.map { ScoutedFile(file: $0, name: noName, kind: .unknown, vendor: "") })
    _ = Workers.run(
      count: files.count, jobs: plan.jobs,
      makeState: { Scout(inputs.known, plan.receipts.columns) },
      work: { scout, index in
        let scouted = scout.look(at: files[index])
        found.withLock { $0[index] = scouted }
        progress.reach(.scouted, files[index].path)
      }, finish: { _ in })
    return found.withLock { $0 }
  }

  /// Notes what turned out only when files were read to their end.
  ///
  /// A report with bad rows makes way for an older version without. What a dump has said is merged with what others
  /// say and cannot be taken out again, so when it turns out to be damaged, or to be something else, all is read once
  /// more.
  ///
  /// - Returns: Whether all must be read again.
  private static func noteDamage(
    _ results: [ReadResult], _ files: inout [ScoutedFile], _ plan: RunPlan
  ) -> Bool {
    let reports = results.map(\.reports)
    let damaged = RowFaults.damagedVersions(files, reports)
    let wrong = reports.joined().filter { index, report in
      guard files[index].isReceiptDump, files[index].isToBeUsed else { return false }
      return report.problem != nil || (report.wasReadTwice && !files[index].isReadTwice)
    }
    for (index, report) in wrong {
      files[index].problem = report.problem
      files[index].isReadTwice = report.wasReadTwice
    }
    if !damaged.isEmpty {
      for (index, problem) in damaged { files[index].problem = problem }
      ReportResolution(plan).resolve(&files)
    }
    return !wrong.isEmpty || !damaged.isEmpty
  }
}
