import Counting
import Tables

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
