import AppStoreReports
import Counting
import Pipeline
import PriceImpact
import ReportCache
import Storage
import SubscriptionModel

/// The result of a pass over some partitions, as a frame carries it.
protocol PassResult {
  static var kind: Frame.Kind { get }
  var cover: Folding.Cover { get }

  mutating func add(_ other: Self) throws(StepError)

  /// Encodes the result, or decodes it into a blank one.
  mutating func code<Coder: ExtractCoder>(_ plan: StepPlan, with coder: inout Coder)
}

extension PassResult {
  /// Returns this blank result with the content of a frame.
  func reading(
    _ frame: Frame, _ plan: StepPlan, _ registries: Registries
  ) throws(StepError) -> Self {
    try plan.check(frame)
    var result = self
    try frame.read(registries) { result.code(plan, with: &$0) }
    return result
  }

  func frame(_ plan: StepPlan, _ registries: Registries) -> Frame {
    var copy = self
    return Frame(Frame.Label(Self.kind, plan: plan.identity), registries) {
      copy.code(plan, with: &$0)
    }
  }

  /// Checks that all partitions are covered.
  func checkIsWhole(_ plan: StepPlan) throws(StepError) {
    let own = Set(cover.partitions)
    if let missing = (0..<plan.partitionCount).first(where: { !own.contains($0) }) {
      throw StepError(
        .misplaced, "found no frame \"\(Self.kind.rawValue)\" of partition \(missing)")
    }
  }
}

extension Folding {
  /// The partitions that a frame covers.
  struct Cover {
    private(set) var partitions: [Int] = []

    init(_ partitions: [Int] = []) { self.partitions = partitions }

    /// Adds the partitions of another part; none may be covered already.
    mutating func add(_ other: Cover) throws(StepError) {
      let own = Set(partitions)
      if let twice = other.partitions.first(where: own.contains) {
        throw StepError(.misplaced, "found partition \(twice) twice")
      }
      partitions = (partitions + other.partitions).sorted()
    }

    mutating func code<Coder: ExtractCoder>(_ plan: StepPlan, with coder: inout Coder) {
      coder.list(&partitions, blank: 0) { $1.integer(&$0) }
      if partitions.contains(where: { !(0..<plan.partitionCount).contains($0) }) { coder.fail() }
    }
  }

  /// Evidence that products are sold in instalments.
  struct Instalments: PassResult {
    static let kind = Frame.Kind.instalments
    var cover = Cover()
    var evidence = InstalmentEvidence()

    mutating func add(_ other: Instalments) throws(StepError) {
      try cover.add(other.cover)
      evidence.merge(other.evidence)
    }

    mutating func code<Coder: ExtractCoder>(_ plan: StepPlan, with coder: inout Coder) {
      cover.code(plan, with: &coder)
      evidence.code(with: &coder)
    }
  }

  /// The counts of some partitions.
  struct Counts: PassResult {
    static let kind = Frame.Kind.tally
    var cover = Cover()
    var subscribers: SubscriberFold.Result
    /// The counts of customers of receipts; `nil` in a run without receipts.
    var receipts: ReceiptCounts?
    /// The responses of these customers.
    var responses = PlaceSum()
    /// The original ids of responses after as-of that these responses have too.
    var laterIDsFound: Set<ReceiptID> = []

    init(_ whole: StepPlan.Whole, _ context: ReadContext) {
      subscribers = SubscriberFold.Result(tally: context.emptyTally(.subscribers))
      receipts = whole.receiptsAsOf.map {
        ReceiptAssembly(ofStep: context, later: whole.later).emptyCounts(asOf: $0)
      }
    }

    mutating func add(_ other: Counts) throws(StepError) {
      try cover.add(other.cover)
      subscribers.tally.merge(other.subscribers.tally)
      subscribers.subscriberCount += other.subscribers.subscriberCount
      if let more = other.receipts { receipts?.merge(more) }
      responses.add(other.responses)
      laterIDsFound.formUnion(other.laterIDsFound)
    }

    mutating func code<Coder: ExtractCoder>(_ plan: StepPlan, with coder: inout Coder) {
      cover.code(plan, with: &coder)
      coder.count(&subscribers.subscriberCount)
      subscribers.tally.code(with: &coder)
      receipts?.code(with: &coder)
      responses.code(with: &coder)
      coder.ids(&laterIDsFound)
    }
  }
}

/// What the subscribers and customers of some partitions did who met a price increase.
struct Impact: PassResult {
  static let kind = Frame.Kind.impact
  var cover = Folding.Cover()
  /// The effect of increases and planned prices on subscribers, `nil` without any.
  var subscribers = PriceFold.Part(impact: nil, plan: nil)
  /// The same for customers of receipts.
  var receipts = PriceFold.Part(impact: nil, plan: nil)
  /// The responses of these customers.
  var responses = PlaceSum()
  private let asOf: (subscribers: Day?, receipts: Day?)

  init(_ whole: StepPlan.Whole) {
    asOf = (whole.days?.asOf, whole.receiptsAsOf?.day)
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

  mutating func code<Coder: ExtractCoder>(_ plan: StepPlan, with coder: inout Coder) {
    cover.code(plan, with: &coder)
    subscribers.code(readOn: asOf.subscribers ?? .last, with: &coder)
    receipts.code(readOn: asOf.receipts ?? .last, with: &coder)
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
