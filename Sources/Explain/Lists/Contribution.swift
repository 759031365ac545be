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
  /// The end as a number.
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
