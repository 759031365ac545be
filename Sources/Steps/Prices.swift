import AppStoreReports
import Counting
import Pipeline
import PriceImpact
import ReportCache
import Storage
import SubscriptionModel

/// The price changes of chains, which all charges together show, and the planned prices.
struct Prices {
  /// The prices of one source.
  struct OfSource {
    var changes: [PriceChange] = []
    /// The rows of `--plan` that the source has; none if the plan is for another source.
    var planned: [PlannedPrice] = []

    /// Returns whether the prices are the same, changes in any order.
    func agrees(with other: OfSource) -> Bool {
      let ofKey = Dictionary(grouping: changes, by: \.key)
      return other.changes.count == changes.count && other.planned == planned
        && other.changes.allSatisfy { ofKey[$0.key]?.contains($0) == true }
    }
  }

  /// Those of SUBSCRIBER reports.
  var subscribers = OfSource()
  var receipts = OfSource()
  /// The day of the earliest charge of receipts.
  var firstReceiptDay: Day?

  init(subscribers: OfSource, receipts: OfSource, firstReceiptDay: Day?) {
    self.subscribers = subscribers
    self.receipts = receipts
    self.firstReceiptDay = firstReceiptDay
  }

  init(_ frame: Frame, _ plan: StepPlan, _ registries: Registries) throws(StepError) {
    try plan.check(frame)
    self.init(subscribers: OfSource(), receipts: OfSource(), firstReceiptDay: nil)
    try frame.read(registries) { code(with: &$0) }
  }

  /// Returns the pass over subscribers; `nil` without an increase and a planned price.
  func foldOfSubscribers(_ days: Completeness) -> PriceFold? {
    PriceFold(subscribers.changes, days, subscribers.planned, lastDay: nil)
  }

  /// Returns the pass over customers of receipts; `nil` without an increase and a planned price.
  func foldOfReceipts(_ whole: StepPlan.Whole, _ context: ReadContext) -> PriceFold? {
    guard let asOf = whole.receiptsAsOf else { return nil }
    let days = Completeness(
      receiptsFrom: firstReceiptDay, asOf: asOf, leftOut: nil,
      monthSystem: context.plan.monthSystem)
    return PriceFold(receipts.changes, days, receipts.planned, lastDay: nil)
  }

  func frame(_ plan: StepPlan, _ registries: Registries) -> Frame {
    var copy = self
    return Frame(Frame.Label(.prices, plan: plan.identity), registries) { copy.code(with: &$0) }
  }

  private mutating func code(with coder: inout some ExtractCoder) {
    subscribers.code(with: &coder)
    receipts.code(with: &coder)
    coder.optional(&firstReceiptDay, blank: .last) { $1.day(&$0) }
  }
}

extension Prices.OfSource {
  fileprivate mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    let blank = PriceChange(.increase, .blank, date: .last, oldPrice: nil, newPrice: nil)
    if !coder.isReading { changes = coder.inOrder(changes) { $0.code(with: &$1) } }
    coder.list(&changes, blank: blank) { $0.code(with: &$1) }
    let noPrice = PlannedPrice(key: PriceKey.blank.storefront, date: .last, newPrice: 0)
    coder.list(&planned, blank: noPrice) { price, coder in
      price.key.code(with: &coder)
      coder.optional(&price.plan, blank: .upfront) { $1.word(&$0) }
      coder.day(&price.date)
      coder.integer(&price.newPrice)
    }
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
    coder.count(&newCharges)
    coder.count(&continuingCharges)
    coder.text(&note)
    coder.optional(&effectiveExisting, blank: date) { $1.day(&$0) }
    coder.flag(&isAdmitted)
  }
}
