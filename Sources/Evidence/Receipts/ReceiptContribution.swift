import Counting
import SubscriptionModel
import Tables

/// A period of receipts, or the refund of its charge, that a cell counts, with the rows that it rests on.
struct ReceiptContribution: Sendable {
  let found: CountedReceipt
  let period: ToldPeriod
  /// The period that an arrival follows.
  var before: ToldPeriod?
  /// The period that followed, or that replaced this one.
  var next: ToldPeriod?
  /// The time up to which the data of the subscription are complete.
  var asOf: Instant
  /// The customer; `nil` where subscriptions are named by their first row.
  var customer: CustomerName?
  /// The row of the subscription's first purchase.
  var first: ReceiptPlace
  /// The rows of the charge.
  var own: [ReceiptPlace]
  /// All rows that the contribution rests on, in the order of time.
  var evidence: [ReceiptPlace] = []

  /// Returns the number that the contribution adds to a cell; for a rank its gap in hundredths of days.
  func value(_ measure: Measure) -> Int128 {
    switch measure {
    case .count: Int128(found.count)
    case .price: Int128(found.price)
    // Receipts have no proceeds.
    case .proceeds: 0
    case .rank: Int128(found.gap ?? 0)
    }
  }

  /// Returns whether a contribution is listed before another: by the first row of the chain, then by time.
  static func precedes(_ left: ReceiptContribution, _ right: ReceiptContribution) -> Bool {
    if left.first != right.first { return left.first < right.first }
    if left.period.start != right.period.start { return left.period.start < right.period.start }
    return left.own.lexicographicallyPrecedes(right.own)
  }

  /// Returns whether a contribution is listed before another: by file and row of the first row that it rests on.
  static func precedesByEvidence(
    _ left: ReceiptContribution, _ right: ReceiptContribution
  ) -> Bool {
    let (own, other) = (left.evidence.min() ?? left.first, right.evidence.min() ?? right.first)
    return own == other ? precedes(left, right) : own < other
  }
}

/// The contributions of receipts to one cell: their number and sum, and those that are printed.
struct ReceiptContributionList: Sendable {
  private(set) var count = 0
  private(set) var sum: Int128 = 0
  /// How often each value occurs; only for a rank.
  private var frequency: [Int: Int] = [:]
  let measure: Measure
  private var kept: [ReceiptContribution] = []
  /// The number to print; `nil` for all.
  private let limit: Int?
  private let order: ContributionOrder

  /// How many contributions beyond twice the limit are kept before the last ones are dropped.
  private static let spare = 4_096

  init(_ measure: Measure, limit: Int?, _ order: ContributionOrder) {
    self.measure = measure
    self.limit = limit
    self.order = order
  }

  mutating func add(_ contribution: ReceiptContribution) {
    count += 1
    let value = contribution.value(measure)
    sum += value
    if measure.percent != nil { frequency[Int(value), default: 0] += 1 }
    keep([contribution])
  }

  mutating func merge(_ other: ReceiptContributionList) {
    count += other.count
    sum += other.sum
    frequency.merge(other.frequency, uniquingKeysWith: +)
    keep(other.kept)
  }

  private mutating func keep(_ some: [ReceiptContribution]) {
    kept += some
    if let limit, kept.count > 2 * limit + Self.spare { kept = Array(inOrder.prefix(limit)) }
  }

  private var inOrder: [ReceiptContribution] {
    let precedes =
      order == .evidence ? ReceiptContribution.precedesByEvidence : ReceiptContribution.precedes
    guard measure.percent != nil else { return kept.sorted(by: precedes) }
    return kept.sorted { left, right in
      let (own, other) = (left.value(measure), right.value(measure))
      return own == other ? precedes(left, right) : own < other
    }
  }

  /// The number that the cell has: the sum, or the value at the rank.
  var result: Int128 {
    guard let percent = measure.percent else { return sum }
    return Statistics.nearestRank(percent: percent, of: frequency).map { Int128($0) } ?? 0
  }

  /// The place of the value that the cell has among all in order, from 1; `nil` for a sum.
  var chosen: Int? { measure.percent.map { Statistics.rank(percent: $0, of: count) } }

  /// The contributions to print, in order.
  var printed: [ReceiptContribution] { limit.map { Array(inOrder.prefix($0)) } ?? inOrder }
}
