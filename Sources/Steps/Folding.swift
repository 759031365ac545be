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
      try frame.read(registries) { code(plan, with: &$0) }
    }

    mutating func add(_ other: Instalments) throws(StepError) {
      try cover.add(other.cover)
      evidence.merge(other.evidence)
    }

    func frame(_ plan: StepPlan, _ registries: Registries) -> Frame {
      var copy = self
      return Frame(Frame.Label(.instalments, plan: plan.identity), registries) {
        copy.code(plan, with: &$0)
      }
    }

    private mutating func code(_ plan: StepPlan, with coder: inout some ExtractCoder) {
      cover.code(plan, with: &coder)
      evidence.code(with: &coder)
    }
  }

  /// The counts of some partitions.
  struct Counts {
    var cover: Cover
    var subscribers: SubscriberFold.Result
    /// The counts of customers of receipts; `nil` in a run without receipts.
    var receipts: ReceiptCounts?
    /// The responses of these customers.
    var responses = PlaceSum()

    init(_ cover: Cover, _ whole: StepPlan.Whole, _ context: ReadContext) {
      self.cover = cover
      subscribers = SubscriberFold.Result(tally: context.emptyTally(.subscribers))
      receipts = whole.statements.newest.map {
        ReceiptAssembly(ofStep: context).emptyCounts(asOf: $0)
      }
    }

    init(
      _ frame: Frame, _ plan: StepPlan, _ whole: StepPlan.Whole, _ context: ReadContext
    ) throws(StepError) {
      try plan.check(frame)
      self.init(Cover(), whole, context)
      try frame.read(context.registries) { code(plan, with: &$0) }
    }

    mutating func add(_ other: Counts) throws(StepError) {
      try cover.add(other.cover)
      subscribers.tally.merge(other.subscribers.tally)
      subscribers.subscriberCount += other.subscribers.subscriberCount
      if let more = other.receipts { receipts?.merge(more) }
      responses.add(other.responses)
    }

    func frame(_ plan: StepPlan, _ registries: Registries) -> Frame {
      var copy = self
      return Frame(Frame.Label(.tally, plan: plan.identity), registries) {
        copy.code(plan, with: &$0)
      }
    }

    private mutating func code(_ plan: StepPlan, with coder: inout some ExtractCoder) {
      cover.code(plan, with: &coder)
      coder.integer(&subscribers.subscriberCount)
      subscribers.tally.code(with: &coder)
      receipts?.code(with: &coder)
      responses.code(with: &coder)
    }
  }

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

  /// A pass over some partitions.
  private struct PartitionPass {
    private let pass: Pass
    private let plan: StepPlan
    private let whole: StepPlan.Whole
    private let context: ReadContext
    /// The price changes, for the last pass.
    private var changes: Prices?
    /// The terms of charges with their billing plans; empty in the first pass.
    private var terms: [ChargeTerms] = []
    private var instalments = Instalments()
    private var counts: Counts
    private var impact = Impact()

    init(
      _ pass: Pass, _ plan: StepPlan, _ whole: StepPlan.Whole, _ context: ReadContext
    ) {
      (self.pass, self.plan, self.whole, self.context) = (pass, plan, whole, context)
      counts = Counts(Cover(), whole, context)
    }

    /// Reads the results of earlier passes.
    mutating func readResults(_ frames: inout FrameSource) throws {
      guard pass != .instalments else { return }
      let frame = try frames.next(.instalments, for: "fold after the plan")
      let found = try Instalments(frame, plan, context.registries)
      try found.cover.checkIsWhole(plan, .instalments)
      if let days = whole.days {
        terms = TermsWithPlans(found.evidence, asOf: days.asOf, context).terms
      }
      guard pass == .prices else { return }
      changes = try Prices(
        try frames.next(.prices, for: "fold --prices"), plan, context.registries)
    }

    /// Folds the next partition.
    mutating func fold(_ partition: Int, _ frames: inout FrameSource) throws {
      var content = PartitionContent(charges: context.emptyStore)
      try content.read(&frames, of: partition, pass, plan, whole, context)
      let cover = Cover([partition])
      switch pass {
      case .instalments: try instalments.add(instalments(in: content, cover))
      case .counts: try counts.add(counts(of: content, cover))
      case .prices: try impact.add(impact(in: content, cover))
      }
    }

    /// The result.
    var frame: Frame {
      switch pass {
      case .instalments: instalments.frame(plan, context.registries)
      case .counts: counts.frame(plan, context.registries)
      case .prices: impact.frame(plan, whole, context.registries)
      }
    }

    private func instalments(in content: PartitionContent, _ cover: Cover) -> Instalments {
      guard let days = whole.days else { return Instalments(cover) }
      let evidence = InstalmentSearch.evidence(
        content.bins, isUsable: whole.isUsed, context, days)
      return Instalments(cover, evidence)
    }

    private func counts(of content: PartitionContent, _ cover: Cover) -> Counts {
      var counts = Counts(cover, whole, context)
      if let days = whole.days {
        counts.subscribers = PartitionFold.result(
          content.bins, isUsable: whole.isUsed, context, days, terms, keepsChains: false)
      }
      guard !content.isWithoutReceipts else { return counts }
      let receipts = ReceiptAssembly(ofStep: context)
      counts.receipts = receipts.counts(of: receipts.customers(whole.statements))
      counts.responses = content.responses
      return counts
    }

    private func impact(in content: PartitionContent, _ cover: Cover) -> Impact {
      var impact = Impact(cover)
      impact.responses = content.responses
      guard let changes else { return impact }
      if let days = whole.days {
        let fold = PriceFold(changes.subscribers, days, [], lastDay: nil)
        impact.subscribers =
          fold?.part(
            content.bins, isUsable: whole.isUsed, terms, days, jobs: context.plan.jobs)?.impact
      }
      if !content.isWithoutReceipts, let fold = changes.foldOfReceipts(whole, context) {
        let receipts = ReceiptAssembly(ofStep: context)
        impact.receipts =
          receipts.foldPrices(fold, receipts.customers(whole.statements))?.impact
      }
      return impact
    }
  }

  /// The charges and responses of a partition.
  private struct PartitionContent {
    var charges: ChargeStore
    /// The responses that were added to the step's store.
    var responses = PlaceSum()
    private var sum = PlaceSum()

    init(charges: ChargeStore) { self.charges = charges }

    var isWithoutReceipts: Bool { responses.count == 0 }

    var bins: PartitionBins { PartitionBins([charges], keeps: false) }

    /// Reads the frames of a partition, and checks that the charges are those that were read from the files.
    mutating func read(
      _ frames: inout FrameSource, of partition: Int, _ pass: Pass, _ plan: StepPlan,
      _ whole: StepPlan.Whole, _ context: ReadContext
    ) throws {
      var reader = ExtractReader(context.registries)
      let isOwn = { (frame: Frame) in frame.label.partition == partition }
      while let frame = try frames.next(where: isOwn) {
        let isRead: Bool
        switch frame.label.kind {
        case .charges:
          try check(frame, of: partition, plan, made: whole.plan)
          reader.open(frame.bytes, frame.content)
          isRead = add(&reader, plan)
        case .receipts where pass != .instalments:
          try check(frame, of: partition, plan, made: plan.identity)
          isRead = try Responses(frame, plan).forEach(context.registries) { response in
            responses.add(file: response.file, number: response.number)
            context.receipts.add(response.transactions, response.renewals)
          }
        default:
          let expected =
            pass == .instalments ? "frames \"charges\"" : "frames \"charges\" and \"receipts\""
          throw StepError(
            .misplaced, "found the frame \"\(frame.label.text)\"; fold expects \(expected)")
        }
        guard isRead else { throw StepError.unreadable(frame) }
      }
      guard sum == whole.charges[partition] else {
        let expected = whole.charges[partition].count
        throw StepError(
          .misplaced,
          "found \(sum.count) charges of partition \(partition), expected the \(expected) that were read"
        )
      }
    }

    private func check(
      _ frame: Frame, of partition: Int, _ plan: StepPlan, made identity: String
    ) throws(StepError) {
      try plan.check(frame, plan: identity)
      guard frame.label.partition == partition,
        frame.label.partitionCount == plan.partitionCount
      else {
        throw StepError(
          .misplaced,
          "found the frame \"\(frame.label.text)\", expected those of partition \(partition)")
      }
    }

    /// Adds the charges of one task.
    ///
    /// - Returns: Whether all could be read.
    private mutating func add(_ reader: inout ExtractReader, _ plan: StepPlan) -> Bool {
      var columns = ChargeColumns()
      while true {
        var isThere = false
        reader.flag(&isThere)
        guard isThere else { return reader.close() }
        var file = 0
        reader.integer(&file)
        columns.removeAll()
        columns.read(with: &reader)
        guard reader.isValid, (0..<plan.fileCount).contains(file) else { return false }
        columns.forEach(inFile: file, columns.terms) { charge in
          charges.append(charge)
          sum.add(charge.order)
        }
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
