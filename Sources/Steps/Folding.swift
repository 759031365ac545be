import AppStoreReports
import Counting
package import Pipeline
import ReportCache
import Storage
import SubscriptionModel
import Threads

/// `step fold` and `step merge`: the counts of partitions.
package enum Folding {
  /// The partitions that a frame covers.
  struct Cover {
    private(set) var partitions: [Int] = []

    init(_ partitions: [Int] = []) { self.partitions = partitions }

    /// Adds the partitions of another part.
    ///
    /// - Throws: ``StepError`` for a partition that is covered already.
    mutating func add(_ other: Cover) throws(StepError) {
      let own = Set(partitions)
      if let twice = other.partitions.first(where: own.contains) {
        throw StepError(.misplaced, "found partition \(twice) twice")
      }
      partitions = (partitions + other.partitions).sorted()
    }

    /// Checks that all partitions are covered.
    func checkIsWhole(_ plan: StepPlan, _ kind: Frame.Kind) throws(StepError) {
      let own = Set(partitions)
      if let missing = (0..<plan.partitionCount).first(where: { !own.contains($0) }) {
        throw StepError(
          .misplaced, "found no frame \"\(kind.rawValue)\" of partition \(missing)")
      }
    }

    mutating func code<Coder: ExtractCoder>(_ plan: StepPlan, with coder: inout Coder) {
      coder.list(&partitions, blank: 0) { $1.integer(&$0) }
      if partitions.contains(where: { !(0..<plan.partitionCount).contains($0) }) { coder.fail() }
    }
  }

  /// Evidence that products are sold in instalments.
  struct Instalments {
    var cover = Cover()
    var evidence = InstalmentEvidence()

    init(_ cover: Cover = Cover(), _ evidence: InstalmentEvidence = InstalmentEvidence()) {
      self.cover = cover
      self.evidence = evidence
    }

    init(_ frame: Frame, _ plan: StepPlan, _ registries: Registries) throws(StepError) {
      try plan.check(frame)
      self.init()
      var reader = ExtractReader(registries)
      reader.open(frame.bytes, frame.content)
      code(plan, with: &reader)
      guard reader.close() else { throw StepError.unreadable(frame) }
    }

    mutating func add(_ other: Instalments) throws(StepError) {
      try cover.add(other.cover)
      evidence.merge(other.evidence)
    }

    func frame(_ plan: StepPlan, _ registries: Registries) -> Frame {
      var (copy, writer) = (self, ExtractWriter(registries))
      writer.begin()
      copy.code(plan, with: &writer)
      return Frame(Frame.Label(.instalments, plan: plan.identity), writer.bytes)
    }

    private mutating func code(_ plan: StepPlan, with coder: inout some ExtractCoder) {
      cover.code(plan, with: &coder)
      evidence.code(with: &coder)
    }
  }

  /// The counts of some partitions.
  struct Counts {
    var cover: Cover
    var result: SubscriberFold.Result

    init(_ cover: Cover, _ result: SubscriberFold.Result) {
      self.cover = cover
      self.result = result
    }

    init(_ cover: Cover, _ context: ReadContext) {
      self.init(cover, SubscriberFold.Result(tally: context.emptyTally(.subscribers)))
    }

    init(_ frame: Frame, _ plan: StepPlan, _ context: ReadContext) throws(StepError) {
      try plan.check(frame)
      self.init(Cover(), context)
      var reader = ExtractReader(context.registries)
      reader.open(frame.bytes, frame.content)
      code(plan, with: &reader)
      guard reader.close() else { throw StepError.unreadable(frame) }
    }

    mutating func add(_ other: Counts) throws(StepError) {
      try cover.add(other.cover)
      result.tally.merge(other.result.tally)
      result.subscriberCount += other.result.subscriberCount
    }

    func frame(_ plan: StepPlan, _ registries: Registries) -> Frame {
      var (copy, writer) = (self, ExtractWriter(registries))
      writer.begin()
      copy.code(plan, with: &writer)
      return Frame(Frame.Label(.tally, plan: plan.identity), writer.bytes)
    }

    private mutating func code(_ plan: StepPlan, with coder: inout some ExtractCoder) {
      cover.code(plan, with: &coder)
      coder.integer(&result.subscriberCount)
      result.tally.code(with: &coder)
    }
  }

  // MARK: Folding

  /// A pass over the charges of a partition.
  package enum Pass {
    /// Looks for instalments; the evidence of all partitions is needed before charges are counted.
    case instalments
    /// Counts.
    case counts
    /// Counts what the subscribers did who met a price increase; the counts of all partitions are needed before.
    case prices
  }

  /// Folds the charges of one partition.
  ///
  /// - Parameters:
  ///   - makePlan: Returns the run with the options of the plan.
  ///   - pass: What to find.
  ///   - partition: The partition.
  ///   - frames: The complete plan; after the first pass the evidence of instalments in all partitions; for the last
  ///     pass the price changes; and the frames with charges of all tasks.
  /// - Returns: The frame with the result.
  /// - Throws: ``StepError``, and what `makePlan` throws.
  package static func frame(
    _ makePlan: ([UInt8]) throws -> RunPlan, _ pass: Pass, partition: Int,
    _ frames: inout FrameSource
  ) throws -> Frame {
    let (plan, whole, context) = try completePlan(makePlan, for: "fold", &frames)
    guard (0..<plan.partitionCount).contains(partition) else {
      throw StepError(
        .misplaced,
        "the plan has \(plan.partitionCount) partitions, from 0, and no partition \(partition)")
    }
    let registries = context.registries
    var instalments = Instalments()
    if pass != .instalments {
      instalments = try Instalments(
        try frames.next(.instalments, for: "fold after the plan"), plan, registries)
      try instalments.cover.checkIsWhole(plan, .instalments)
    }
    let changes =
      pass == .prices
      ? try Prices(try frames.next(.prices, for: "fold --prices"), plan, registries) : nil
    let bins = PartitionBins(
      [try charges(of: partition, plan, whole, context, &frames)], keeps: false)
    let cover = Cover([partition])
    guard let days = whole.days else {
      // No SUBSCRIBER report counts, so there is nothing to count.
      return switch pass {
      case .instalments: Instalments(cover).frame(plan, registries)
      case .counts: Counts(cover, context).frame(plan, registries)
      case .prices: Impact(cover).frame(plan, whole, registries)
      }
    }
    if pass == .instalments {
      let evidence = InstalmentSearch.evidence(bins, isUsable: whole.isUsed, context, days)
      return Instalments(cover, evidence).frame(plan, registries)
    }
    let terms = TermsWithPlans(instalments.evidence, asOf: days.asOf, context).terms
    if let changes {
      let fold = PriceFold(changes.changes, days, [], lastDay: nil)
      let part = fold?.part(bins, isUsable: whole.isUsed, terms, days, jobs: context.plan.jobs)
      return Impact(cover, part?.impact).frame(plan, whole, registries)
    }
    let result = PartitionFold.result(
      bins, isUsable: whole.isUsed, context, days, terms, keepsChains: false)
    return Counts(cover, result).frame(plan, registries)
  }

  /// Reads the charges of a partition, and checks that they are those that were read from the files.
  private static func charges(
    of partition: Int, _ plan: StepPlan, _ whole: StepPlan.Whole, _ context: ReadContext,
    _ frames: inout FrameSource
  ) throws -> ChargeStore {
    var store = context.emptyStore
    var sum = ChargeSum()
    var reader = ExtractReader(context.registries)
    while let frame = try frames.next() {
      guard frame.label.kind == .charges else {
        throw StepError(
          .misplaced, "found the frame \"\(frame.label.text)\"; fold expects frames \"charges\"")
      }
      try plan.check(frame, plan: whole.plan)
      guard frame.label.partition == partition,
        frame.label.partitionCount == plan.partitionCount
      else {
        throw StepError(
          .misplaced,
          "found the frame \"\(frame.label.text)\", expected charges of partition \(partition)")
      }
      reader.open(frame.bytes, frame.content)
      guard add(&reader, plan, to: &store, &sum) else { throw StepError.unreadable(frame) }
    }
    guard sum == whole.charges[partition] else {
      let expected = whole.charges[partition].count
      throw StepError(
        .misplaced,
        "found \(sum.count) charges of partition \(partition), expected the \(expected) that were read"
      )
    }
    return store
  }

  /// Adds the charges of one task.
  ///
  /// - Returns: Whether all could be read.
  private static func add(
    _ reader: inout ExtractReader, _ plan: StepPlan, to store: inout ChargeStore,
    _ sum: inout ChargeSum
  ) -> Bool {
    var columns = ChargeColumns()
    while true {
      var isThere = false
      reader.flag(&isThere)
      guard isThere else { return reader.close() }
      var file = 0
      reader.integer(&file)
      columns.removeAll()
      columns.read(with: &reader)
      guard reader.isValid, plan.survey.files.indices.contains(file) else { return false }
      columns.forEach(inFile: file, columns.terms) { charge in
        store.append(charge)
        sum.add(charge)
      }
    }
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
    var merged = try Counts(try frames.next(.tally, for: "merge after the plan"), plan, context)
    while let frame = try frames.next(if: .tally) {
      try merged.add(Counts(frame, plan, context))
    }
    try checkIsEnd(&frames, for: "merge")
    return merged.frame(plan, context.registries)
  }

  // MARK: Plans

  static func completePlan(
    _ makePlan: ([UInt8]) throws -> RunPlan, for step: String, _ frames: inout FrameSource
  ) throws -> (StepPlan, StepPlan.Whole, ReadContext) {
    let registries = Registries()
    let plan = try StepPlan(try frames.next(.plan, for: step), registries)
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
