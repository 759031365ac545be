import AppStoreReports
package import Pipeline
import Storage
import SubscriptionModel

/// `step fold` and `step merge`: the counts of partitions.
package enum Folding {
  // MARK: Folding

  /// A pass over the charges of a partition.
  package enum Pass {
    /// Looks for instalments; the evidence of all partitions is needed before charges are counted.
    case instalments
    case counts
    /// Counts what those did who met a price increase; the counts of all partitions are needed before.
    case prices
  }

  /// Folds partitions, one after another; returns the frame with the result of all of them.
  ///
  /// The frames are the complete plan; after the first pass the evidence of instalments in all partitions; for the
  /// last pass the price changes; then, in the order of `partitions`, the charges of all tasks, and after the first
  /// pass the responses of receipts.
  package static func frame(
    _ makePlan: ([UInt8]) throws -> RunPlan, _ pass: Pass, partitions: [Int],
    _ frames: inout FrameSource
  ) throws -> Frame {
    let (plan, whole, context) = try completePlan(makePlan, for: "fold", &frames)
    if let other = partitions.first(where: { !(0..<plan.partitionCount).contains($0) }) {
      throw StepError(
        .misplaced,
        "the plan has \(plan.partitionCount) partitions, from 0, and no partition \(other)")
    }
    var pass = PartitionPass(pass, plan, whole, context)
    try pass.readResults(&frames)
    for partition in partitions { try pass.fold(partition, &frames) }
    try checkIsEnd(&frames, for: "fold")
    return pass.frame
  }

  // MARK: Merging

  /// Merges frames of one kind, which follow the complete plan.
  package static func mergedFrame(
    _ makePlan: ([UInt8]) throws -> RunPlan, _ frames: inout FrameSource
  ) throws -> Frame {
    let (plan, whole, context) = try completePlan(makePlan, for: "merge", &frames)
    if let first = try frames.next(if: .instalments) {
      return try merged(Instalments(), first, plan, context.registries, &frames)
    }
    if let first = try frames.next(if: .impact) {
      return try merged(Impact(whole), first, plan, context.registries, &frames)
    }
    let first = try frames.next(.tally, for: "merge after the plan")
    return try merged(Counts(whole, context), first, plan, context.registries, &frames)
  }

  /// Merges the first and all following frames of one kind, which are read into blank results.
  private static func merged<Result: PassResult>(
    _ blank: Result, _ first: Frame, _ plan: StepPlan, _ registries: Registries,
    _ frames: inout FrameSource
  ) throws -> Frame {
    var merged = try blank.reading(first, plan, registries)
    while let frame = try frames.next(if: Result.kind) {
      try merged.add(blank.reading(frame, plan, registries))
    }
    try checkIsEnd(&frames, for: "merge")
    return merged.frame(plan, registries)
  }

  // MARK: Plans

  /// Reads a complete plan, which comes first, and creates the context of a step.
  ///
  /// `makePlan` returns the run with the options of the plan; `step` is for messages. `readsFiles`: whether it needs
  /// the files of the survey.
  static func completePlan(
    _ makePlan: ([UInt8]) throws -> RunPlan, for step: String, readsFiles: Bool = false,
    _ frames: inout FrameSource
  ) throws -> (StepPlan, StepPlan.Whole, ReadContext) {
    let registries = Registries()
    let plan = try StepPlan(
      try frames.next(.plan, for: step), registries, path: readsFiles ? "" : nil)
    guard let whole = plan.whole else {
      throw StepError(
        .misplaced, "found the first plan; \(step) expects the one of plan --complete")
    }
    var options = try makePlan(plan.settings)
    if let ids = whole.ids { options.filterByIDs(products: ids.products, apps: ids.apps) }
    let context = ReadContext(ofStep: options, plan.survey, registries, nil)
    return (plan, whole, context)
  }

  static func checkIsEnd(
    _ frames: inout FrameSource, for step: String
  ) throws {
    guard let frame = try frames.next() else { return }
    throw StepError.misplaced(frame, " where \(step) expects no more")
  }
}
