import Counting
import Tables

/// Something that adds a number to a cell, and has a place in the list that explains the cell.
protocol ListedContribution: Sendable, SendableMetatype {
  /// Returns the number that the contribution adds to a cell.
  func value(_ measure: Measure) -> Int128

  /// The sort key of the list: ``precedes(_:_:)`` compares only elements with equal keys.
  var listPlace: UInt64 { get }

  /// The sort key by evidence, for ``precedesByEvidence(_:_:)``.
  var evidencePlace: UInt64 { get }

  /// Returns a store for a long list; `nil` for contributions that stay in memory.
  static func makeStore() -> ElementStore<Self>?

  /// Returns whether a contribution is listed before another.
  static func precedes(_ left: Self, _ right: Self) -> Bool

  /// Returns whether a contribution is listed before another: by file and line of the first row it rests on.
  static func precedesByEvidence(_ left: Self, _ right: Self) -> Bool
}

/// The contributions of Subscriber reports to one cell.
typealias ContributionList = ContributionsOfCell<Contribution>

/// The contributions of receipts to one cell.
typealias ReceiptContributionList = ContributionsOfCell<ReceiptContribution>

/// The contributions to one cell: their number and sum, and those that are printed.
struct ContributionsOfCell<Element: ListedContribution>: Sendable {
  private(set) var count = 0
  private(set) var sum: Int128 = 0
  /// How often each value occurs; only for a median or another quantile.
  private var frequency: [Int: Int] = [:]
  let measure: Measure
  private var first: FirstElements<Element>

  init(_ measure: Measure, limit: Int?, _ order: ContributionOrder) {
    self.measure = measure
    let key = { @Sendable (one: Element) -> UInt64 in
      if measure.percent != nil { return UInt64(max(0, one.value(measure))) }
      return switch order {
      case .subscription: one.listPlace
      case .evidence: one.evidencePlace
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
