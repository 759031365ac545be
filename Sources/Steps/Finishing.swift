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
  /// The frames are the complete plan, the files of all tasks, the evidence of instalments in all partitions, their
  /// counts; and with a price increase the price changes and their effect.
  package static func result(
    _ makePlan: ([UInt8]) throws -> RunPlan, _ frames: inout FrameSource
  ) throws -> RunResult {
    var parts = try Parts(makePlan, for: "finish", &frames)
    let (plan, whole, registries) = (parts.plan, parts.whole, parts.context.registries)
    let given = try frames.next(if: .prices).map { try Prices($0, plan, registries) }
    if let given {
      let frame = try frames.next(.impact, for: "finish after the prices")
      let impact = try Impact(whole).reading(frame, plan, registries)
      try impact.checkIsWhole(plan)
      let measuresReceipts = given.foldOfReceipts(whole, parts.context) != nil
      guard !measuresReceipts || impact.responses == whole.responses else {
        throw StepError(.misplaced, "found a frame \"impact\" without some receipts")
      }
      parts.subscribers?.impact = impact.subscribers
      parts.receipts?.impact = impact.receipts
    }
    try Folding.checkIsEnd(&frames, for: "finish")
    var result = try parts.result()
    guard result.checkFilters() else {
      throw StepError(
        .unsupported, "a filter matches no row of these sources; steps need all sources to check it"
      )
    }
    let asked = [
      (parts.subscribers?.asked, given?.subscribers), (parts.receipts?.asked, given?.receipts),
    ]
    for (asked, given) in asked {
      guard let asked, let prices = asked.prices else { continue }
      guard let given else {
        throw StepError(
          .misplaced,
          "the run has a price increase or a plan: finish --prices names it, and fold --prices counts who meets it"
        )
      }
      guard given.agrees(with: prices), asked.fitCounts else {
        throw StepError(.misplaced, "found a frame \"prices\" with other prices")
      }
    }
    return result
  }

  /// Returns the frame with the price changes of chains; with none if no effect of theirs is measured.
  ///
  /// The frames are the complete plan, the files of all tasks, the evidence of instalments in all partitions, and
  /// their counts.
  package static func prices(
    _ makePlan: ([UInt8]) throws -> RunPlan, _ frames: inout FrameSource
  ) throws -> Frame {
    let parts = try Parts(makePlan, for: "finish --prices", &frames)
    try Folding.checkIsEnd(&frames, for: "finish --prices")
    _ = try parts.result()
    let prices = Prices(
      subscribers: parts.subscribers?.asked.prices ?? Prices.OfSource(),
      receipts: parts.receipts?.asked.prices ?? Prices.OfSource(),
      firstReceiptDay: parts.receipts?.counts.tally.firstChargeDay)
    return prices.frame(parts.plan, parts.context.registries)
  }

  /// The results of all other steps.
  private struct Parts {
    let plan: StepPlan
    let whole: StepPlan.Whole
    let context: ReadContext
    let files: ReadFiles
    /// The counts of SUBSCRIBER reports; `nil` without one that counts.
    var subscribers: StepTally?
    /// The counts of receipts; `nil` without any.
    var receipts: StepReceipts?

    init(
      _ makePlan: ([UInt8]) throws -> RunPlan, for step: String, _ frames: inout FrameSource
    ) throws {
      (plan, whole, context) = try Folding.completePlan(
        makePlan, for: step, readsFiles: true, &frames)
      files = try ReadFiles(plan, whole.plan, context.registries, &frames)
      guard files.filesSum == whole.filesSum else {
        throw StepError(.misplaced, "found other frames \"files\" than those of the plan")
      }
      let instalments = try Folding.Instalments().reading(
        try frames.next(.instalments, for: "\(step) after the files"), plan, context.registries)
      try instalments.checkIsWhole(plan)
      let counts = try Folding.Counts(whole, context).reading(
        try frames.next(.tally, for: "\(step) after the instalments"), plan, context.registries)
      try counts.checkIsWhole(plan)
      guard counts.responses == whole.responses else {
        throw StepError(
          .misplaced,
          "found counts of \(counts.responses.count) responses of receipts, expected the \(whole.responses.count) that were read"
        )
      }
      receipts = counts.receipts.map {
        StepReceipts(counts: $0, statements: whole.statements, laterIDsFound: counts.laterIDsFound)
      }
      guard let days = whole.days else { return }
      let terms = TermsWithPlans(instalments.evidence, asOf: days.asOf, context)
      subscribers = StepTally(result: counts.subscribers, termsWithPlans: terms)
    }

    /// Makes the result as a run does that has read the files itself.
    func result() throws -> RunResult {
      let context = ReadContext(
        ofStep: context.plan, plan.survey, context.registries,
        StepMemo(registries: context.registries, tally: subscribers, foldedReceipts: receipts))
      let run = ReadRun(plan.survey.files.indices, context, files.memo(for: context))
      guard run.agreesWithSurvey, run.reports.map(\.isUsed) == whole.isUsed,
        run.days == whole.days
      else { throw StepError.otherRoles }
      return run.result()
    }
  }
}
