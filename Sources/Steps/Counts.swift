import AppStoreReports
import Counting
import Pipeline
import ReportCache
import Storage
import SubscriptionModel

extension Folding {
  /// The counts of some partitions.
  struct Counts {
    var cover: Cover
    var subscribers: SubscriberFold.Result
    /// The counts of customers of receipts; `nil` in a run without receipts.
    var receipts: ReceiptCounts?
    /// The responses of these customers.
    var responses = PlaceSum()
    /// The original ids of responses after as-of that these responses have too.
    var laterIDsFound: Set<ReceiptID> = []

    init(_ cover: Cover, _ whole: StepPlan.Whole, _ context: ReadContext) {
      self.cover = cover
      subscribers = SubscriberFold.Result(tally: context.emptyTally(.subscribers))
      receipts = whole.receiptsAsOf.map {
        ReceiptAssembly(ofStep: context, later: whole.later).emptyCounts(asOf: $0)
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
      laterIDsFound.formUnion(other.laterIDsFound)
    }

    func frame(_ plan: StepPlan, _ registries: Registries) -> Frame {
      var copy = self
      return Frame(Frame.Label(.tally, plan: plan.identity), registries) {
        copy.code(plan, with: &$0)
      }
    }

    private mutating func code(_ plan: StepPlan, with coder: inout some ExtractCoder) {
      cover.code(plan, with: &coder)
      coder.count(&subscribers.subscriberCount)
      subscribers.tally.code(with: &coder)
      receipts?.code(with: &coder)
      responses.code(with: &coder)
      coder.ids(&laterIDsFound)
    }
  }
}
