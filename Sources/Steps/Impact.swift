import AppStoreReports
import Counting
import Pipeline
import PriceImpact
import ReportCache
import Storage
import SubscriptionModel

/// What the subscribers and customers of some partitions did who met a price increase.
struct Impact {
  var cover: Folding.Cover
  /// The effect of increases and planned prices on subscribers, `nil` without any.
  var subscribers = PriceFold.Part(impact: nil, plan: nil)
  /// The same for customers of receipts.
  var receipts = PriceFold.Part(impact: nil, plan: nil)
  /// The responses of these customers.
  var responses = PlaceSum()

  init(_ cover: Folding.Cover = Folding.Cover()) { self.cover = cover }

  init(
    _ frame: Frame, _ plan: StepPlan, _ whole: StepPlan.Whole, _ registries: Registries
  ) throws(StepError) {
    try plan.check(frame)
    self.init()
    try frame.read(registries) { code(plan, whole, with: &$0) }
  }

  mutating func add(_ other: Impact) throws(StepError) {
    try cover.add(other.cover)
    responses.add(other.responses)
    try Self.add(other.subscribers, to: &subscribers)
    try Self.add(other.receipts, to: &receipts)
  }

  private static func add(
    _ more: PriceFold.Part, to part: inout PriceFold.Part
  ) throws(StepError) {
    if let impact = more.impact, part.impact?.merge(impact, .plus) == false { throw otherPrices }
    if let plan = more.plan, part.plan?.merge(plan) == false { throw otherPrices }
    part.impact = part.impact ?? more.impact
    part.plan = part.plan ?? more.plan
  }

  func frame(_ plan: StepPlan, _ whole: StepPlan.Whole, _ registries: Registries) -> Frame {
    var copy = self
    return Frame(Frame.Label(.impact, plan: plan.identity), registries) {
      copy.code(plan, whole, with: &$0)
    }
  }

  private mutating func code(
    _ plan: StepPlan, _ whole: StepPlan.Whole, with coder: inout some ExtractCoder
  ) {
    cover.code(plan, with: &coder)
    let (days, newest) = (whole.days?.asOf, whole.receiptsAsOf?.day)
    subscribers.code(readOn: days ?? .last, with: &coder)
    receipts.code(readOn: newest ?? .last, with: &coder)
    responses.code(with: &coder)
  }

  private static let otherPrices = StepError(
    .misplaced, "found frames \"impact\" of different price increases or plans")
}

extension PriceFold.Part {
  /// Encodes or decodes both parts.
  fileprivate mutating func code<Coder: ExtractCoder>(readOn asOf: Day, with coder: inout Coder) {
    coder.optional(&impact, blank: ImpactTally(readOn: asOf)) { $0.code(with: &$1) }
    coder.optional(&plan, blank: PlanTally(count: 0)) { $0.code(with: &$1) }
  }
}
