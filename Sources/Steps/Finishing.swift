import AppStoreReports
import Counting
package import Pipeline
import PriceImpact
import Storage
import SubscriptionModel

/// `step finish`: the result of the run.
package enum Finishing {
  /// Makes the result of a run.
  ///
  /// - Parameters:
  ///   - makePlan: Returns the run with the options of the plan.
  ///   - frames: The complete plan, the frames with files of all tasks, the evidence of instalments in all partitions,
  ///     their counts; and with a price increase the price changes and their effect.
  /// - Returns: The result.
  /// - Throws: ``StepError``, and what `makePlan` throws.
  package static func result(
    _ makePlan: ([UInt8]) throws -> RunPlan, _ frames: inout FrameSource
  ) throws -> RunResult {
    var parts = try Parts(makePlan, for: "finish", &frames)
    let (plan, whole, registries) = (parts.plan, parts.whole, parts.context.registries)
    let given = try frames.next(if: .prices).map { frame in
      try Prices(frame, plan, registries).changes
    }
    if given != nil {
      let frame = try frames.next(.impact, for: "finish after the prices")
      let impact = try Impact(frame, plan, whole, registries)
      try impact.cover.checkIsWhole(plan, .impact)
      parts.tally?.impact = impact.tally
    }
    try Folding.checkIsEnd(&frames, for: "finish")
    var result = try parts.result()
    guard result.checkFilters() else {
      throw StepError(
        .unsupported, "a filter matches no row of these sources; steps need all sources to check it"
      )
    }
    guard let asked = parts.tally?.asked, let changes = asked.changes else { return result }
    guard let given else {
      throw StepError(
        .misplaced,
        "these SUBSCRIBER reports have a price increase: finish --prices names it, and fold --prices counts who met it"
      )
    }
    guard Prices(given).agree(with: changes), asked.fitCounts else {
      throw StepError(.misplaced, "found a frame \"prices\" with other price changes")
    }
    return result
  }

  /// Returns the frame with the price changes of SUBSCRIBER reports; none if no effect of theirs is measured.
  ///
  /// - Parameters:
  ///   - makePlan: Returns the run with the options of the plan.
  ///   - frames: The complete plan, the frames with files of all tasks, the evidence of instalments in all partitions,
  ///     and their counts.
  /// - Returns: The frame.
  /// - Throws: ``StepError``, and what `makePlan` throws.
  package static func prices(
    _ makePlan: ([UInt8]) throws -> RunPlan, _ frames: inout FrameSource
  ) throws -> Frame {
    let parts = try Parts(makePlan, for: "finish --prices", &frames)
    try Folding.checkIsEnd(&frames, for: "finish --prices")
    _ = try parts.result()
    return Prices(parts.tally?.asked.changes ?? []).frame(parts.plan, parts.context.registries)
  }

  /// The results of all other steps.
  private struct Parts {
    let plan: StepPlan
    let whole: StepPlan.Whole
    let context: ReadContext
    let files: ReadFiles
    /// The counts of SUBSCRIBER reports; `nil` without one that counts.
    var tally: StepTally?

    init(
      _ makePlan: ([UInt8]) throws -> RunPlan, for step: String, _ frames: inout FrameSource
    ) throws {
      (plan, whole, context) = try Folding.completePlan(makePlan, for: step, &frames)
      files = try ReadFiles(plan, whole.plan, context.registries, &frames)
      guard files.filesSum == whole.filesSum else {
        throw StepError(.misplaced, "found other frames \"files\" than those of the plan")
      }
      let instalments = try Folding.Instalments(
        try frames.next(.instalments, for: "\(step) after the files"), plan, context.registries)
      try instalments.cover.checkIsWhole(plan, .instalments)
      let counts = try Folding.Counts(
        try frames.next(.tally, for: "\(step) after the instalments"), plan, context)
      try counts.cover.checkIsWhole(plan, .tally)
      guard let days = whole.days else { return }
      let terms = TermsWithPlans(instalments.evidence, asOf: days.asOf, context)
      tally = StepTally(result: counts.result, termsWithPlans: terms)
    }

    /// Makes the result as a run does that has read the files itself.
    func result() throws -> RunResult {
      let context = ReadContext(
        ofStep: context.plan, plan.survey, context.registries,
        StepMemo(registries: context.registries, tally: tally))
      let run = ReadRun(plan.survey.files.indices, context, files.memo(for: context))
      guard run.agreesWithSurvey, run.reports.map(\.isUsed) == whole.isUsed,
        run.days == whole.days
      else { throw StepError.otherRoles }
      return run.result()
    }
  }
}
