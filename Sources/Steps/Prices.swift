import AppStoreReports
import Counting
import Pipeline
import PriceImpact
import ReportCache
import Storage
import SubscriptionModel

/// The price changes of chains, which all charges together show.
struct Prices {
  /// Those of SUBSCRIBER reports.
  var subscribers: [PriceChange] = []
  var receipts: [PriceChange] = []
  /// The day of the earliest charge of receipts.
  var firstReceiptDay: Day?

  init(
    subscribers: [PriceChange], receipts: [PriceChange], firstReceiptDay: Day?
  ) {
    self.subscribers = subscribers
    self.receipts = receipts
    self.firstReceiptDay = firstReceiptDay
  }

  init(_ frame: Frame, _ plan: StepPlan, _ registries: Registries) throws(StepError) {
    try plan.check(frame)
    self.init(subscribers: [], receipts: [], firstReceiptDay: nil)
    try frame.read(registries) { code(with: &$0) }
  }

  /// Returns whether both lists have the same changes, in any order.
  static func agree(_ changes: [PriceChange], with other: [PriceChange]) -> Bool {
    let ofKey = Dictionary(grouping: changes, by: \.key)
    return other.count == changes.count
      && other.allSatisfy { change in ofKey[change.key]?.contains(change) == true }
  }

  /// Returns the pass over customers of receipts; `nil` without an increase.
  func foldOfReceipts(_ whole: StepPlan.Whole, _ context: ReadContext) -> PriceFold? {
    guard let asOf = whole.statements.newest else { return nil }
    let days = Completeness(
      receiptsFrom: firstReceiptDay, asOf: asOf, leftOut: nil,
      monthSystem: context.plan.monthSystem)
    return PriceFold(receipts, days, [], lastDay: nil)
  }

  func frame(_ plan: StepPlan, _ registries: Registries) -> Frame {
    var copy = self
    return Frame(Frame.Label(.prices, plan: plan.identity), registries) { copy.code(with: &$0) }
  }

  private mutating func code(with coder: inout some ExtractCoder) {
    let blank = PriceChange(.increase, .blank, date: .last, oldPrice: nil, newPrice: nil)
    coder.list(&subscribers, blank: blank) { $0.code(with: &$1) }
    coder.list(&receipts, blank: blank) { $0.code(with: &$1) }
    coder.optional(&firstReceiptDay, blank: .last) { $1.day(&$0) }
  }
}

extension PriceChange {
  fileprivate mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    key.code(with: &coder)
    coder.day(&date)
    coder.optional(&oldPrice, blank: 0) { $1.integer(&$0) }
    coder.optional(&newPrice, blank: 0) { $1.integer(&$0) }
    coder.word(&kind, of: Kind.self)
    coder.word(&origin, of: Origin.self)
    coder.integer(&newCharges)
    coder.integer(&continuingCharges)
    coder.text(&note)
    coder.optional(&effectiveExisting, blank: date) { $1.day(&$0) }
    coder.flag(&isAdmitted)
  }
}

/// What the subscribers and customers of some partitions did who met a price increase.
struct Impact {
  var cover: Folding.Cover
  /// `nil` without an increase.
  var subscribers: ImpactTally?
  /// The same for customers of receipts.
  var receipts: ImpactTally?
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

  private static func add(_ more: ImpactTally?, to tally: inout ImpactTally?) throws(StepError) {
    guard let more else { return }
    if tally == nil {
      tally = more
    } else if tally?.merge(more, .plus) == false {
      throw otherIncreases
    }
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
    let (days, newest) = (whole.days?.asOf, whole.statements.newest?.day)
    coder.optional(&subscribers, blank: ImpactTally(readOn: days ?? .last)) { $0.code(with: &$1) }
    coder.optional(&receipts, blank: ImpactTally(readOn: newest ?? .last)) { $0.code(with: &$1) }
    responses.code(with: &coder)
  }

  static let otherIncreases = StepError(
    .misplaced, "found frames \"impact\" of different price increases")
}
