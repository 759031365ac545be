import AppStoreReports
package import Counting
import Files
import Storage
import SubscriptionModel

/// Reads all inputs of a plan and counts: bytes → records → facts → tallies.
package enum Run {
  /// Carries out a plan; with filters, it first replaces the names in them by ids.
  ///
  /// Bad rows and bad files do not stop it; the result lists them.
  package static func carryOut(_ plan: RunPlan, progress: RunProgress = RunProgress()) -> RunResult
  {
    plan.filters.isEmpty
      ? read(plan, RunInputs(plan), progress) : carryOutFiltered(plan, progress)
  }

  /// Lists files, recognizes them, decides which count, reads those and combines the results.
  ///
  /// Results of earlier runs begin to load before the inputs are listed. The filters of the plan hold ids of products
  /// and apps, no names. If reading shows that a file has another role, such as a damaged version, all files are read
  /// again.
  static func read(
    _ plan: RunPlan, _ inputs: @autoclosure () -> RunInputs, _ progress: RunProgress
  ) -> RunResult {
    var memo = plan.earlierRuns?.begin(plan)
    let inputs = inputs()
    var plan = plan
    plan.fetched = FetchedDays(inputs.archives)
    progress.expect(files: inputs.files.count, bytes: inputs.files.map(\.byteCount).reduce(0, +))
    progress.begin(.recognizing)
    progress.reach(.listed)
    var survey = Survey(recognize(inputs, plan, memo, progress), plan)
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
      memo = memo?.restarted()
    }
  }

  /// Recognizes all files by their first lines.
  private static func recognize(
    _ inputs: RunInputs, _ plan: RunPlan, _ memo: (any RunMemo)?, _ progress: RunProgress
  ) -> [RecognizedFile] {
    let files = inputs.files
    // Fill a list in file order: sorting the results afterwards would copy it.
    let noName = ReportName("")
    let found = Locked(
      files.map { RecognizedFile(file: $0, name: noName, kind: .unknown, vendor: "") })
    _ = Workers.run(
      count: files.count, jobs: plan.jobs,
      makeState: { FileRecognizer(memo, plan.receipts.columns) },
      work: { recognizer, index in
        let recognized = recognizer.recognize(files[index])
        found.withLock { $0[index] = recognized }
        progress.reach(.recognized, files[index].path)
      }, finish: { _ in })
    return found.withLock { $0 }
  }
}

/// A run whose files are read, and whose charges are counted elsewhere.
package struct ReadRun {
  private var assembly: RunAssembly
  private let isAsSurveyed: Bool

  /// Reads files, given by their index in the survey, on one thread, with the results of earlier steps.
  package init(_ indices: some Sequence<Int>, _ context: ReadContext, _ memo: any FileMemo) {
    var reader = FileReader(context, memo)
    for index in indices { reader.read(index) }
    let result = reader.finish()
    let reports = result.reports.map { index, report in
      var report = report
      // Dumps that are read twice have another effect only where their responses were added before.
      if memo.isCountedElsewhere { report.wasReadTwice = false }
      return (index: index, report: report)
    }
    isAsSurveyed = context.survey.corrected(by: [reports], context.plan) == nil
    assembly = RunAssembly(context, [], [result])
  }

  /// Whether reading has shown no other roles of files than those of the survey.
  package var agreesWithSurvey: Bool { isAsSurveyed }

  /// The responses of receipts that are after as-of.
  package var laterReceipts: LaterReceipts { assembly.laterReceipts }

  /// The results of all files of the survey; those that were not read have no rows.
  package var reports: [FileReport] { assembly.reports }

  /// The days of SUBSCRIBER reports; `nil` without one that counts.
  package var days: Completeness? {
    assembly.context.plan.sources.contains(.subscribers)
      ? assembly.completeness(of: .subscribers) : nil
  }

  /// Returns the result of the run; the context's memo has the tally of SUBSCRIBER reports.
  package consuming func result() -> RunResult { assembly.result() }
}

/// The input files, listed once because standard input can be read only once.
struct RunInputs {
  let files: [InputFile]
  let errors: [InputError]
  let archives: [FetchedArchive]

  init(_ plan: RunPlan) {
    let listed = InputListing.list(
      plan.inputs, excluding: plan.excludedFolder, and: plan.earlierRuns?.folderPath)
    errors = listed.errors
    archives = listed.archives
    files = listed.files.filter { plan.onlyFiles?.contains($0.path) ?? true }
  }
}
