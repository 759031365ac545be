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

  /// The life of a run: files are listed and looked at; a survey says which of them count; those are read; what they say
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
    var memo = plan.earlierRuns?.begin(plan)
    let inputs = inputs()
    progress.expect(
      files: inputs.files.count, bytes: inputs.files.map(\.byteCount).reduce(0, +))
    progress.begin(.looking)
    progress.reach(.listed)
    var survey = Survey(scout(inputs, plan, memo, progress), plan)
    progress.reach(.resolved)
    while true {
      let context = ReadContext(plan, survey, memo, progress)
      memo?.begin(context)
      progress.begin(.reading)
      let results = Workers.run(
        count: survey.files.count, jobs: plan.jobs, makeState: { FileReader(context) },
        work: { $0.read($1) }, finish: { $0.finish() })
      guard let corrected = survey.corrected(by: results.map(\.reports), plan) else {
        progress.begin(.counting)
        return RunAssembly(context, inputs.errors, results).result()
      }
      survey = corrected
      memo = memo?.again()
    }
  }

  /// Looks at the first lines of all files.
  private static func scout(
    _ inputs: RunInputs, _ plan: RunPlan, _ memo: (any RunMemo)?, _ progress: RunProgress
  ) -> [ScoutedFile] {
    let files = inputs.files
    // Every file has its place from the beginning: a list in another order would have to be copied.
    let noName = ReportName("")
    let found = Locked(
      files.map { ScoutedFile(file: $0, name: noName, kind: .unknown, vendor: "") })
    _ = Workers.run(
      count: files.count, jobs: plan.jobs,
      makeState: { Scout(memo, plan.receipts.columns) },
      work: { scout, index in
        let scouted = scout.look(at: files[index])
        found.withLock { $0[index] = scouted }
        progress.reach(.scouted, files[index].path)
      }, finish: { _ in })
    return found.withLock { $0 }
  }
}
