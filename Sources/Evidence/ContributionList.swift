import Counting
import Tables

/// Something that adds a number to a cell, and has a place in the list that explains the cell.
protocol ListedContribution: Sendable, SendableMetatype {
  /// Returns the number that the contribution adds to a cell.
  func value(_ measure: Measure) -> Int128

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
  /// How often each value occurs; only for a rank.
  private var frequency: [Int: Int] = [:]
  let measure: Measure
  private var first: FirstElements<Element>

  init(_ measure: Measure, limit: Int?, _ order: ContributionOrder) {
    self.measure = measure
    first = FirstElements(limit: limit) { left, right in
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
  var printed: [Element] { first.inOrder }
}

/// The first elements of many, in an order: those that a list prints.
package struct FirstElements<Element: Sendable>: Sendable {
  private var kept: [Element] = []
  private let limit: Int?
  private let precedes: @Sendable (Element, Element) -> Bool

  /// How many elements beyond twice the limit are kept before the last ones are dropped.
  private static var spare: Int { 4_096 }

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - limit: How many elements are wanted; `nil` for all.
  ///   - precedes: Returns whether an element comes before another.
  package init(limit: Int?, by precedes: @escaping @Sendable (Element, Element) -> Bool) {
    (self.limit, self.precedes) = (limit, precedes)
  }

  /// Adds an element.
  package mutating func add(_ element: Element) {
    kept.append(element)
    dropLast()
  }

  /// Adds the elements of another list with the same limit and order.
  package mutating func merge(_ other: Self) {
    kept += other.kept
    dropLast()
  }

  private mutating func dropLast() {
    guard let limit, kept.count > 2 * limit + Self.spare else { return }
    kept = inOrder
  }

  /// The first elements, in order.
  package var inOrder: [Element] {
    let sorted = kept.sorted(by: precedes)
    return limit.map { Array(sorted.prefix($0)) } ?? sorted
  }
}
