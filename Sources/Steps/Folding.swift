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
    /// Counts.
    case counts
    /// Counts what those did who met a price increase; the counts of all partitions are needed before.
    case prices
  }

  /// Folds partitions, one after another.
  ///
  /// - Parameters:
  ///   - makePlan: Returns the run with the options of the plan.
  ///   - pass: What to find.
  ///   - partitions: The partitions.
  ///   - frames: The complete plan; after the first pass the evidence of instalments in all partitions; for the last
  ///     pass the price changes; then, in the order of `partitions`, the frames with charges of all tasks, and after
  ///     the first pass those with the responses of receipts.
  /// - Returns: The frame with the result of all these partitions.
  /// - Throws: ``StepError``, and what `makePlan` throws.
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

  /// Merges frames of one kind.
  ///
  /// - Parameters:
  ///   - makePlan: Returns the run with the options of the plan.
  ///   - frames: The complete plan; frames with evidence of instalments, with counts, or with the effect of price
  ///     increases.
  /// - Returns: One frame.
  /// - Throws: ``StepError``, and what `makePlan` throws.
  package static func mergedFrame(
    _ makePlan: ([UInt8]) throws -> RunPlan, _ frames: inout FrameSource
  ) throws -> Frame {
    let (plan, whole, context) = try completePlan(makePlan, for: "merge", &frames)
    if let first = try frames.next(if: .instalments) {
      var merged = try Instalments(first, plan, context.registries)
      while let frame = try frames.next(if: .instalments) {
        try merged.add(Instalments(frame, plan, context.registries))
      }
      try checkIsEnd(&frames, for: "merge")
      return merged.frame(plan, context.registries)
    }
    if let first = try frames.next(if: .impact) {
      var merged = try Impact(first, plan, whole, context.registries)
      while let frame = try frames.next(if: .impact) {
        try merged.add(Impact(frame, plan, whole, context.registries))
      }
      try checkIsEnd(&frames, for: "merge")
      return merged.frame(plan, whole, context.registries)
    }
    var merged = try Counts(
      try frames.next(.tally, for: "merge after the plan"), plan, whole, context)
    while let frame = try frames.next(if: .tally) {
      try merged.add(Counts(frame, plan, whole, context))
    }
    try checkIsEnd(&frames, for: "merge")
    return merged.frame(plan, context.registries)
  }

  // MARK: Plans

  /// Reads a complete plan, and creates the context of a step.
  ///
  /// - Parameters:
  ///   - makePlan: Returns the run with the options of the plan.
  ///   - step: The step, for messages.
  ///   - readsFiles: Whether it needs the files of the survey.
  ///   - frames: The plan comes first.
  /// - Returns: The plan, its part about the whole run, and the context.
  /// - Throws: ``StepError``, and what `makePlan` throws.
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
    throw StepError(
      .misplaced, "found the frame \"\(frame.label.text)\" where \(step) expects no more")
  }
}
