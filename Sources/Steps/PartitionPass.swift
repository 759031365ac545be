import AppStoreReports
import Counting
import Pipeline
import ReportCache
import Storage
import SubscriptionModel

/// A pass over some partitions.
struct PartitionPass {
  private let pass: Folding.Pass
  private let plan: StepPlan
  private let whole: StepPlan.Whole
  private let context: ReadContext
  /// The price changes, for the last pass.
  private var changes: Prices?
  /// The terms of charges with their billing plans; empty in the first pass.
  private var terms: [ChargeTerms] = []
  private var instalments = Folding.Instalments()
  private var counts: Folding.Counts
  private var impact: Impact

  init(
    _ pass: Folding.Pass, _ plan: StepPlan, _ whole: StepPlan.Whole, _ context: ReadContext
  ) {
    (self.pass, self.plan, self.whole, self.context) = (pass, plan, whole, context)
    counts = Folding.Counts(whole, context)
    impact = Impact(whole)
  }

  /// Reads the results of earlier passes.
  mutating func readResults(_ frames: inout FrameSource) throws {
    guard pass != .instalments else { return }
    let frame = try frames.next(.instalments, for: "fold after the plan")
    let found = try Folding.Instalments().reading(frame, plan, context.registries)
    try found.checkIsWhole(plan)
    if let days = whole.days {
      terms = TermsWithPlans(found.evidence, asOf: days.asOf, context).terms
    }
    guard pass == .prices else { return }
    changes = try Prices(try frames.next(.prices, for: "fold --prices"), plan, context.registries)
  }

  /// Folds the next partition.
  mutating func fold(_ partition: Int, _ frames: inout FrameSource) throws {
    var content = PartitionContent(charges: context.emptyStore)
    // Without days no charge is folded.
    let termCount = pass == .instalments || whole.days == nil ? Int.max : terms.count
    try content.read(&frames, of: partition, pass, plan, whole, context, termCount: termCount)
    let cover = Folding.Cover([partition])
    switch pass {
    case .instalments: try instalments.add(instalments(in: content, cover))
    case .counts: try counts.add(counts(of: content, cover))
    case .prices: try impact.add(impact(in: content, cover))
    }
  }

  var frame: Frame {
    switch pass {
    case .instalments: instalments.frame(plan, context.registries)
    case .counts: counts.frame(plan, context.registries)
    case .prices: impact.frame(plan, context.registries)
    }
  }

  private func instalments(
    in content: PartitionContent, _ cover: Folding.Cover
  ) -> Folding.Instalments {
    guard let days = whole.days else { return Folding.Instalments(cover: cover) }
    let evidence = InstalmentSearch.evidence(content.bins, isUsable: whole.isUsed, context, days)
    return Folding.Instalments(cover: cover, evidence: evidence)
  }

  private func counts(of content: PartitionContent, _ cover: Folding.Cover) -> Folding.Counts {
    var counts = Folding.Counts(whole, context)
    counts.cover = cover
    if let days = whole.days {
      counts.subscribers = PartitionFold.result(
        content.bins, isUsable: whole.isUsed, context, days, terms, keepsChains: false)
    }
    guard !content.isWithoutReceipts else { return counts }
    let receipts = ReceiptAssembly(ofStep: context, later: whole.later)
    counts.receipts = receipts.counts(of: receipts.customers(whole.statements))
    counts.responses = content.responses
    counts.laterIDsFound = content.laterIDsFound
    return counts
  }

  private func impact(in content: PartitionContent, _ cover: Folding.Cover) -> Impact {
    var impact = Impact(whole)
    (impact.cover, impact.responses) = (cover, content.responses)
    guard let changes else { return impact }
    if let days = whole.days, let fold = changes.foldOfSubscribers(days),
      let part = fold.part(
        content.bins, isUsable: whole.isUsed, terms, days, jobs: context.plan.jobs)
    {
      impact.subscribers = part
    }
    if !content.isWithoutReceipts, let fold = changes.foldOfReceipts(whole, context) {
      let receipts = ReceiptAssembly(ofStep: context, later: whole.later)
      if let part = receipts.foldPrices(fold, receipts.customers(whole.statements)) {
        impact.receipts = part
      }
    }
    return impact
  }
}

/// The charges and responses of a partition.
struct PartitionContent {
  var charges: ChargeStore
  /// The responses that were added to the step's store.
  var responses = PlaceSum()
  /// Their original ids that responses after as-of have too.
  var laterIDsFound: Set<ReceiptID> = []
  private var sum = PlaceSum()

  init(charges: ChargeStore) { self.charges = charges }

  var isWithoutReceipts: Bool { responses.count == 0 }

  var bins: PartitionBins { PartitionBins([charges], keeps: false) }

  /// Reads the frames of a partition, and checks that the charges are those that were read from the files.
  mutating func read(
    _ frames: inout FrameSource, of partition: Int, _ pass: Folding.Pass, _ plan: StepPlan,
    _ whole: StepPlan.Whole, _ context: ReadContext, termCount: Int
  ) throws {
    var reader = ExtractReader(context.registries)
    let isOwn = { (frame: Frame) in frame.label.partition == partition }
    while let frame = try frames.next(where: isOwn) {
      let isRead: Bool
      switch frame.label.kind {
      case .charges:
        try check(frame, of: partition, plan, made: whole.plan)
        reader.open(frame.bytes, frame.content)
        isRead = add(&reader, plan, termCount: termCount)
      case .receipts where pass != .instalments:
        try check(frame, of: partition, plan, made: plan.identity)
        isRead = try Responses(frame, plan).forEach(context.registries) { response in
          responses.add(file: response.file, number: response.number)
          context.receipts.add(response.transactions, response.renewals)
          for copy in response.transactions where whole.later.originalIDs.contains(copy.originalID)
          {
            laterIDsFound.insert(copy.originalID)
          }
        }
      default:
        let expected =
          pass == .instalments ? "frames \"charges\"" : "frames \"charges\" and \"receipts\""
        throw StepError.misplaced(frame, "; fold expects \(expected)")
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
      throw StepError.misplaced(frame, ", expected those of partition \(partition)")
    }
  }

  /// Adds the charges of one task; returns whether all could be read, and have only the first `termCount` terms of
  /// the plan.
  private mutating func add(
    _ reader: inout ExtractReader, _ plan: StepPlan, termCount: Int
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
      guard reader.isValid, (0..<plan.fileCount).contains(file),
        columns.terms.allSatisfy({ $0 < termCount })
      else { return false }
      columns.forEach(inFile: file, columns.terms) { charge in
        charges.append(charge)
        sum.add(charge.order)
      }
    }
  }
}
