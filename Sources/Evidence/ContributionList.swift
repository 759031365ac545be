import Counting
import Tables

/// Something that adds a number to a cell, and has a place in the list that explains the cell.
protocol ListedContribution: Sendable, SendableMetatype {
  /// Returns the number that the contribution adds to a cell.
  func value(_ measure: Measure) -> Int128

  /// The sort key of the list: ``precedes(_:_:)`` compares only elements with equal keys.
  var listPlace: UInt64 { get }

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
    let isByPlace = measure.percent == nil && order == .subscription
    let key = isByPlace ? { @Sendable (one: Element) in one.listPlace } : nil
    first = FirstElements(limit: limit, key: key) { left, right in
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

/// The first elements of many, in an order: those that a list prints.
///
/// They are in chunks. Without a limit no element is copied when the list grows, is merged or is sorted.
package struct FirstElements<Element: Sendable>: Sendable {
  private var chunks: [[Element]] = []
  private var count = 0
  private let limit: Int?
  private let key: (@Sendable (Element) -> UInt64)?
  private let precedes: @Sendable (Element, Element) -> Bool

  /// How many elements beyond twice the limit are kept before the last ones are dropped.
  private static var spare: Int { 4_096 }
  /// The maximum number of elements in a chunk, a power of two.
  private static var chunkLength: Int { 256 }

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - limit: How many elements are wanted; `nil` for all.
  ///   - key: Returns a number that never falls in the order, so that few elements must be compared as a whole; `nil`
  ///     without one.
  ///   - precedes: Returns whether an element comes before another.
  package init(
    limit: Int?, key: (@Sendable (Element) -> UInt64)? = nil,
    by precedes: @escaping @Sendable (Element, Element) -> Bool
  ) {
    (self.limit, self.key, self.precedes) = (limit, key, precedes)
  }

  /// Adds an element.
  package mutating func add(_ element: Element) {
    append(element)
    dropLast()
  }

  /// Adds the elements of another list with the same limit and order.
  package mutating func merge(_ other: Self) {
    chunks += other.chunks
    count += other.count
    dropLast()
  }

  private mutating func append(_ element: Element) {
    if chunks.last.map({ $0.count == Self.chunkLength }) ?? true { chunks.append([]) }
    chunks[chunks.count - 1].append(element)
    count += 1
  }

  private mutating func dropLast() {
    guard let limit, count > 2 * limit + Self.spare else { return }
    let kept = inOrder
    (chunks, count) = ([], 0)
    for element in kept { append(element) }
  }

  /// The first elements, in order.
  package var inOrder: [Element] { Array(ordered) }

  /// The first elements, in order, without a copy of them.
  package var ordered: OrderedElements<Element> {
    var keys: [(key: UInt64, place: UInt32)] = []
    keys.reserveCapacity(count)
    for (number, chunk) in chunks.enumerated() {
      for index in chunk.indices {
        keys.append((key?(chunk[index]) ?? 0, UInt32(number * Self.chunkLength + index)))
      }
    }
    let element = { [chunks] (place: UInt32) in
      chunks[Int(place) / Self.chunkLength][Int(place) % Self.chunkLength]
    }
    keys.sort { left, right in
      left.key == right.key
        ? precedes(element(left.place), element(right.place)) : left.key < right.key
    }
    var places = keys.map(\.place)
    if let limit, limit < places.count { places = Array(places.prefix(limit)) }
    return OrderedElements(chunks: chunks, chunkLength: Self.chunkLength, places: places)
  }
}

/// The elements of a list in order: four bytes for each, besides the list.
package struct OrderedElements<Element: Sendable>: RandomAccessCollection, Sendable {
  fileprivate let chunks: [[Element]]
  fileprivate let chunkLength: Int
  fileprivate let places: [UInt32]

  package var startIndex: Int { 0 }
  package var endIndex: Int { places.count }

  package subscript(index: Int) -> Element {
    let place = Int(places[index])
    return chunks[place / chunkLength][place % chunkLength]
  }
}
