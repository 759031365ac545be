import AppStoreReports
import Counting
import Pipeline
import PriceImpact
import ReportCache
import Storage
import SubscriptionModel

/// The price changes of SUBSCRIBER reports, which all charges together show.
struct Prices {
  var changes: [PriceChange]

  init(_ changes: [PriceChange]) { self.changes = changes }

  init(_ frame: Frame, _ plan: StepPlan, _ registries: Registries) throws(StepError) {
    try plan.check(frame)
    self.init([])
    var reader = ExtractReader(registries)
    reader.open(frame.bytes, frame.content)
    code(with: &reader)
    guard reader.close() else { throw StepError.unreadable(frame) }
  }

  /// Returns whether other changes are the same, in any order.
  func agree(with other: [PriceChange]) -> Bool {
    let ofKey = Dictionary(grouping: changes, by: \.key)
    return other.count == changes.count
      && other.allSatisfy { change in ofKey[change.key]?.contains(change) == true }
  }

  func frame(_ plan: StepPlan, _ registries: Registries) -> Frame {
    var (copy, writer) = (self, ExtractWriter(registries))
    writer.begin()
    copy.code(with: &writer)
    return Frame(Frame.Label(.prices, plan: plan.identity), writer.bytes)
  }

  private mutating func code(with coder: inout some ExtractCoder) {
    let blank = PriceChange(.increase, .blank, date: .last, oldPrice: nil, newPrice: nil)
    coder.list(&changes, blank: blank) { $0.code(with: &$1) }
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

/// What the subscribers of some partitions did who met a price increase.
struct Impact {
  var cover: Folding.Cover
  /// `nil` without an increase.
  var tally: ImpactTally?

  init(_ cover: Folding.Cover = Folding.Cover(), _ tally: ImpactTally? = nil) {
    self.cover = cover
    self.tally = tally
  }

  init(
    _ frame: Frame, _ plan: StepPlan, _ whole: StepPlan.Whole, _ registries: Registries
  ) throws(StepError) {
    try plan.check(frame)
    self.init()
    var reader = ExtractReader(registries)
    reader.open(frame.bytes, frame.content)
    code(plan, whole, with: &reader)
    guard reader.close() else { throw StepError.unreadable(frame) }
  }

  mutating func add(_ other: Impact) throws(StepError) {
    try cover.add(other.cover)
    guard let more = other.tally else { return }
    if tally == nil {
      tally = more
    } else if tally?.merge(more, .plus) == false {
      throw Self.otherIncreases
    }
  }

  func frame(_ plan: StepPlan, _ whole: StepPlan.Whole, _ registries: Registries) -> Frame {
    var (copy, writer) = (self, ExtractWriter(registries))
    writer.begin()
    copy.code(plan, whole, with: &writer)
    return Frame(Frame.Label(.impact, plan: plan.identity), writer.bytes)
  }

  private mutating func code(
    _ plan: StepPlan, _ whole: StepPlan.Whole, with coder: inout some ExtractCoder
  ) {
    cover.code(plan, with: &coder)
    let asOf = whole.days?.asOf ?? .last
    coder.optional(&tally, blank: ImpactTally(readOn: asOf)) { $0.code(with: &$1) }
  }

  static let otherIncreases = StepError(
    .misplaced, "found frames \"impact\" of different price increases")
}
