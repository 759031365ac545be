import Counting
import SubscriptionModel
import Tables

/// A period or a refund that a cell counts, with the rows that it rests on.
///
/// Those of charges can be copied byte by byte, so a long list of them can go to a temporary file.
struct Contribution<Source: ExplainedSource>: ListedContribution {
  var counted: Counted
  /// The number that it adds to a count; the amounts that it adds to money, in milliunits; receipts have no proceeds.
  let count: Int
  let price: Int64
  let proceeds: Int64
  /// The gap of a lapse in days; for receipts in hundredths of days.
  var gap: Int
  let key: ChainKey
  /// The index of the chain in the history of the customer; `nil` for a refund whose charge is not in the input.
  let chain: Int32?
  let customer: Source.Customer
  let terms: Source.Terms
  /// The period; `nil` for a refund whose charge is not in the input.
  var period: Source.Period?
  /// The period that it follows.
  var before: Source.Period?
  /// The next charge, or what replaced the period.
  var next: Source.Period?
  /// The moment of the refund that is counted.
  var refund: Moment?
  /// The day on which the data of the subscription end.
  let asOf: Day
  var rows: EvidenceRows<Source.List>
  /// What followed an instalment, in commitments.
  let outcome: InstalmentOutcome?
  /// The day on which the table knew something else than today.
  let knownOn: Day?
  /// Why the cell does not count the contribution; `nil` if it counts.
  let leftOut: LeftOutRule?

  /// Creates the contribution of a period or a refund that the fold has found, without its periods.
  init(
    _ found: CountedPeriod, of customer: Source.Customer, _ terms: Source.Terms, asOf: Day,
    _ rows: EvidenceRows<Source.List>, leftOutBy rule: LeftOutRule?
  ) {
    (counted, count, gap) = (found.counted, found.count, found.gap ?? 0)
    (price, proceeds) = (found.price, found.proceeds)
    (key, chain) = (found.key, found.chain.map(Int32.init))
    (self.customer, self.terms, self.asOf, self.rows) = (customer, terms, asOf, rows)
    (outcome, knownOn, leftOut) = (found.outcome, found.knownOn, rule)
  }

  /// The rows that the contribution rests on, in the order of time: the charge, and those that decide its fact.
  var evidence: [Source.Row] { rows.evidence(of: counted, outcome) }

  /// Whether it is of a run of the environment that the cell does not count.
  var isOfOtherEnvironment: Bool { leftOut == .otherEnvironment }
}

extension Contribution: BitwiseCopyable
where
  Source.Customer: BitwiseCopyable, Source.Terms: BitwiseCopyable, Source.Period: BitwiseCopyable,
  Source.Period.Moment: BitwiseCopyable, Source.List: BitwiseCopyable, Source.Row: BitwiseCopyable
{}

/// A period of a source.
protocol ContributionPeriod: Sendable {
  /// A day or an instant.
  associatedtype Moment: Comparable, Sendable
  var start: Moment { get }
  var end: Moment { get }
  var endNumber: Int { get }
}

extension Period: ContributionPeriod {
  var endNumber: Int { Int(end.number) }
}

extension ExplainedPeriod: ContributionPeriod {
  var endNumber: Int { Int(end.seconds) }
}

// MARK: - Its place in a list

extension Contribution {
  typealias Moment = Source.Period.Moment

  func value(_ measure: Measure) -> Int128 {
    switch measure {
    case .count: Int128(count)
    // A monthly value stands in place of the price.
    case .price, .value: Int128(price)
    case .proceeds: Int128(proceeds)
    case .rank: Int128(gap)
    }
  }

  var isLeftOut: Bool { leftOut != nil }
  var firstRow: Source.Row { rows.first }
  var firstEvidence: Source.Row { evidence.min() ?? rows.first }

  var moment: Moment {
    guard let moment = period?.start ?? refund else {
      preconditionFailure("a contribution has a period or a refund")
    }
    return moment
  }

  var momentOfPair: Moment { refund ?? moment }

  var order: [Int] { [rows.refundNumber, period?.endNumber ?? .min] }

  static func makeStore() -> ElementStore<Contribution>? { Source.makeStore() }

  /// Returns whether a contribution is listed before another: by the first row of the chain, then by time.
  ///
  /// The fold's own order depends on a hash and, for ids that are no numbers, on threads.
  static func precedes(_ left: Contribution, _ right: Contribution) -> Bool {
    if left.rows.first != right.rows.first { return left.rows.first < right.rows.first }
    let (own, other) = (left.moment, right.moment)
    if own != other { return own < other }
    let rows = (left.rows.own.all, right.rows.own.all)
    if rows.0 != rows.1 { return rows.0.lexicographicallyPrecedes(rows.1) }
    // Of two units of one row, the charge without a length comes first.
    return left.order.lexicographicallyPrecedes(right.order)
  }
}

/// A row of a file, or none; or the rows of a transaction in receipts.
protocol RowList: Sendable {
  associatedtype Row: RowPlace
  /// No row.
  init()
  var all: [Row] { get }
}

/// The row of a charge, as ``ChargeRecord/order`` has it; 0 for none.
struct ChargeRow: RowList, BitwiseCopyable {
  var row: UInt64 = 0
  var all: [UInt64] { row == 0 ? [] : [row] }
}

extension [ReceiptPlace]: RowList {
  var all: [ReceiptPlace] { self }
}

extension ReceiptPlace: RowPlace {
  var listNumber: UInt64 { UInt64(file) << 32 | UInt64(row) }

  func inFiles(_ places: [UInt64]) -> ReceiptPlace {
    var place = self
    place.file = UInt32(places[Int(file)])
    return place
  }
}

/// The rows that may decide a fact: of a file, or of a receipt.
///
/// That nothing followed a period has no row: the reason says on which day the data end.
struct EvidenceRows<List: RowList>: Sendable {
  /// The first row of the chain.
  var first: List.Row
  /// Those of the charge.
  var own = List()
  /// Those of the charge before it.
  var before = List()
  /// The row with its refund, revocation or upgrade.
  var refund = List()
  /// Those of the charge after it.
  var next = List()
  /// The renewal info with the reason of the lapse.
  var reason = List()
  /// Those of the charge whose price the instalments to come have.
  var priced = List()
  /// Whether the charge after it came after the period's end, and whether it continued the period.
  var isNextLate = false
  var isContinued = false
  /// Whether what followed decides that retention does not count the chain.
  var decidesNotAtRisk = true

  /// The row of the refund as a number; 0 for none.
  var refundNumber: Int { refund.all.first.map { Int($0.listNumber) } ?? 0 }

  /// Returns the rows that a fact of the period rests on, in the order of time.
  func evidence(of counted: Counted, _ outcome: InstalmentOutcome?) -> [List.Row] {
    let all: [List] =
      switch counted {
      case .charge, .instalment: [own]
      case .refund: [own, refund]
      case .fact(let fact): evidence(of: fact)
      case .activeBefore, .activeAtEnd: isNextLate && isContinued ? [own, next] : [own]
      case .atRisk, .kept, .lost: [own, refund, next]
      case .notAtRisk: decidesNotAtRisk ? [own, refund, next] : [own]
      case .commitment(let column): evidence(of: column, outcome)
      case .recurring, .lifetime, .notInLifetime, .status, .other, .changedProduct:
        [before, own, refund, next]
      }
    return all.flatMap(\.all).unique
  }

  private func evidence(of fact: Fact) -> [List] {
    switch fact {
    case .started, .firstSeen: [own]
    case .converted, .reactivated, .recovered, .switchedIn: [before, own]
    case .dueRenewed, .dueRecovered, .dueLapsed, .duePending, .switchedOut, .trialConverted,
      .trialNotConverted, .trialPending:
      [own, refund, next]
    // What followed the period, or that nothing did; a lapse also has a reason.
    default: [own, refund, reason, next]
    }
  }

  private func evidence(of column: CommitmentColumn, _ outcome: InstalmentOutcome?) -> [List] {
    switch column {
    case .running:
      isNextLate && (outcome == .paid || outcome == .recovered) ? [own, next] : [own]
    case .positionUnknown, .termsStarted: [own]
    case .remaining: [own, priced]
    // What followed the instalment, or that nothing did.
    case .suspended, .due, .paid, .recovered, .defaulted, .pending, .termsRenewed: [own, next]
    case .termsEnded: outcome == .complete ? [own] : [own, refund, next]
    }
  }
}

extension EvidenceRows: BitwiseCopyable where List: BitwiseCopyable, List.Row: BitwiseCopyable {}

/// Something that adds a number to a cell, and has a place in the list that explains the cell.
protocol ListedContribution: Sendable, SendableMetatype {
  associatedtype Row: RowPlace
  /// A day or an instant.
  associatedtype Moment: Comparable

  /// Returns the number that the contribution adds to a cell.
  func value(_ measure: Measure) -> Int128

  /// Whether the cell does not count it.
  var isLeftOut: Bool { get }
  /// The first row of the subscription.
  var firstRow: Row { get }
  /// The first of the rows that it rests on.
  var firstEvidence: Row { get }
  /// The beginning of the period, for the order of a list.
  var moment: Moment { get }
  /// The refund, else the beginning of the period: those of one moment make a pair in a difference.
  var momentOfPair: Moment { get }
  /// Other numbers that decide the order of differences.
  var order: [Int] { get }

  /// Returns a store for a long list; `nil` for contributions that stay in memory.
  static func makeStore() -> ElementStore<Self>?

  /// Returns whether a contribution is listed before another: by ``firstRow``, then by time.
  static func precedes(_ left: Self, _ right: Self) -> Bool
}

extension ListedContribution {
  /// Returns whether a contribution is listed before another: by file and line of the first row it rests on.
  static func precedesByEvidence(_ left: Self, _ right: Self) -> Bool {
    let (own, other) = (left.firstEvidence, right.firstEvidence)
    return own == other ? precedes(left, right) : own < other
  }
}

/// The place of a row in the files of a run.
protocol RowPlace: Hashable, Comparable, Sendable {
  /// A number that never falls in the order of places: the file, and the row in it.
  var listNumber: UInt64 { get }

  /// Returns the place in another run, given the places of this run's files there.
  func inFiles(_ places: [UInt64]) -> Self
}

/// A row as ``ChargeRecord/order`` has it: the file in the upper half, and the row or the line in the lower one.
extension UInt64: RowPlace {
  var listNumber: UInt64 { self }

  func inFiles(_ places: [UInt64]) -> UInt64 {
    places[Int(self >> 32)] << 32 | self & UInt64(UInt32.max)
  }
}

/// The order of contributions to a cell.
package enum ContributionOrder: Sendable {
  /// By the first row of the subscription, then by time.
  case subscription
  /// By file and line of the first row that a contribution rests on.
  case evidence
  /// By the size of what a contribution adds, whatever its sign: the largest first. Values of a rank keep their order.
  case value
}

/// The contributions to one cell: their number and sum, and those that are printed.
struct ContributionList<Element: ListedContribution>: Sendable {
  private(set) var count = 0
  private(set) var sum: Int128 = 0
  /// How often each value occurs; only for a median or another quantile.
  private var frequency: [Int: Int] = [:]
  let measure: Measure
  private var first: FirstElements<Element>

  init(_ measure: Measure, limit: Int? = nil, _ order: ContributionOrder = .subscription) {
    self.measure = measure
    let key = { @Sendable (one: Element) -> UInt64 in
      if measure.percent != nil { return UInt64(max(0, one.value(measure))) }
      return switch order {
      case .subscription: one.firstRow.listNumber
      case .evidence: one.firstEvidence.listNumber
      // The largest first; none is above 2^63.
      case .value: .max - UInt64(clamping: one.value(measure).magnitude)
      }
    }
    first = FirstElements(limit: limit, key: key, store: Element.makeStore) { left, right in
      if measure.percent != nil {
        let (own, other) = (left.value(measure), right.value(measure))
        if own != other { return own < other }
      }
      if order == .value, measure.percent == nil {
        let (own, other) = (left.value(measure).magnitude, right.value(measure).magnitude)
        if own != other { return own > other }
      }
      return order == .evidence
        ? Element.precedesByEvidence(left, right) : Element.precedes(left, right)
    }
  }

  mutating func add(_ contribution: Element) {
    count += 1
    let value = contribution.value(measure)
    sum += value
    if measure.percent != nil { frequency[Int(value), default: 0] += 1 }
    first.add(contribution)
  }

  mutating func merge(_ other: Self) {
    count += other.count
    sum += other.sum
    frequency.merge(other.frequency, uniquingKeysWith: +)
    first.merge(other.first)
  }

  /// The number that the cell has: the sum, or the value at the rank.
  var result: Int128 {
    guard let percent = measure.percent else { return sum }
    return Statistics.nearestRank(percent: percent, of: frequency).map { Int128($0) } ?? 0
  }

  /// The place of the value that the cell has among all in order, from 1; `nil` for a sum.
  var chosen: Int? { measure.percent.map { Statistics.rank(percent: $0, of: count) } }

  /// The contributions to print, in order.
  var printed: OrderedElements<Element> { first.ordered }
}

extension Array {
  /// Adds the lists of another thread or file, each to the one in its place.
  mutating func merge<Listed>(_ lists: Self) where Element == ContributionList<Listed> {
    for (place, list) in lists.enumerated() { self[place].merge(list) }
  }
}
