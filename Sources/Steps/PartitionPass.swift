import AppStoreReports
import Counting
import Pipeline
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
  private var impact = Impact()

  init(
    _ pass: Folding.Pass, _ plan: StepPlan, _ whole: StepPlan.Whole, _ context: ReadContext
  ) {
    (self.pass, self.plan, self.whole, self.context) = (pass, plan, whole, context)
    counts = Folding.Counts(Folding.Cover(), whole, context)
  }

  /// Reads the results of earlier passes.
  mutating func readResults(_ frames: inout FrameSource) throws {
    guard pass != .instalments else { return }
    let frame = try frames.next(.instalments, for: "fold after the plan")
    let found = try Folding.Instalments(frame, plan, context.registries)
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

  /// The result.
  var frame: Frame {
    switch pass {
    case .instalments: instalments.frame(plan, context.registries)
    case .counts: counts.frame(plan, context.registries)
    case .prices: impact.frame(plan, whole, context.registries)
    }
  }

  private func instalments(in content: PartitionContent, _ cover: Folding.Cover)
    -> Folding.Instalments
  {
    guard let days = whole.days else { return Folding.Instalments(cover) }
    let evidence = InstalmentSearch.evidence(
      content.bins, isUsable: whole.isUsed, context, days)
    return Folding.Instalments(cover, evidence)
  }

  private func counts(of content: PartitionContent, _ cover: Folding.Cover) -> Folding.Counts {
    var counts = Folding.Counts(cover, whole, context)
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
    var impact = Impact(cover)
    impact.responses = content.responses
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
