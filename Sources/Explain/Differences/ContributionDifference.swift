import SubscriptionModel
import Tables

/// The kind of change of a contribution between the earlier side and the later one.
enum DifferenceKind: Sendable {
  case came, went, changed
}

/// A contribution that two sides may have.
protocol ComparedContribution: ListedContribution {
  /// The place of a row.
  associatedtype RowPlace: Comparable, Sendable
  /// A day or an instant.
  associatedtype Moment: Comparable
  /// The beginning of the period, for the order of a list.
  var moment: Moment { get }
  /// The refund, else the beginning of the period: those of one moment make a pair.
  var momentOfPair: Moment { get }
  /// Other numbers that decide the order of a list.
  var order: [Int] { get }
}

/// The first row of a subscription, and the first row that a contribution rests on, as the later side has them.
struct ComparedPlaces<Place: Sendable>: Sendable {
  let first: Place
  let evidence: Place
}

/// A contribution that only one side has, or two contributions of a subscription with other values.
struct ContributionDifference<Element: ComparedContribution>: Sendable {
  let after: Element?
  let before: Element?
  /// The value on the later side, less the one on the earlier side.
  let value: Int128
  private let places: ComparedPlaces<Element.RowPlace>

  /// Creates a difference; `nil` without a contribution.
  ///
  /// - Parameters:
  ///   - after: The contribution of the later side.
  ///   - before: The contribution of the other side.
  ///   - measure: The count or amount that they add to.
  ///   - places: Returns the rows of a contribution of each side.
  init?(
    _ after: Element?, _ before: Element?, _ measure: Measure,
    _ places: (
      after: (Element) -> ComparedPlaces<Element.RowPlace>,
      before: (Element) -> ComparedPlaces<Element.RowPlace>
    )
  ) {
    (self.after, self.before) = (after, before)
    value = (after?.value(measure) ?? 0) - (before?.value(measure) ?? 0)
    guard let own = after.map(places.after) ?? before.map(places.before) else { return nil }
    self.places = own
  }

  var kind: DifferenceKind { after == nil ? .went : before == nil ? .came : .changed }

  /// Returns whether a difference is listed before another: by the subscription's first row, then by time.
  static func precedes(_ left: Self, _ right: Self) -> Bool {
    if left.places.first != right.places.first { return left.places.first < right.places.first }
    guard let own = left.after ?? left.before, let other = right.after ?? right.before else {
      return false
    }
    if own.moment != other.moment { return own.moment < other.moment }
    let evidence = (left.places.evidence, right.places.evidence)
    if evidence.0 != evidence.1 { return evidence.0 < evidence.1 }
    let rank = { (one: Self, main: Element) in main.order + [one.after == nil ? 0 : 1] }
    return rank(left, own).lexicographicallyPrecedes(rank(right, other))
  }

  /// Returns whether a difference is listed before another: by file and line of the first row it rests on.
  static func precedesByEvidence(_ left: Self, _ right: Self) -> Bool {
    let (own, other) = (left.places.evidence, right.places.evidence)
    return own == other ? precedes(left, right) : own < other
  }
}

/// What one subscription adds to a cell on both sides, in pairs.
///
/// Contributions of the same value are in both sides, first those of the same day. Of the others two and two make a
/// change, in the order of time, and the rest came or went. Example: 4 charges of 2.99 in July, and 4 of 2.99 and one of
/// 3.99 in August: 4 are in both, and one came.
struct ContributionPairs<Element: ComparedContribution> {
  private(set) var inBoth = 0
  /// The pairs with other values, and what only one side has.
  private(set) var differences: [(after: Element?, before: Element?)] = []

  init(_ after: [Element], _ before: [Element], _ measure: Measure) {
    var after = after.sorted(by: Element.precedes)
    var before = before.sorted(by: Element.precedes)
    let haveSameDay = { (own: Element, other: Element) in own.momentOfPair == other.momentOfPair }
    let haveSameValue = { (own: Element, other: Element) in
      own.value(measure) == other.value(measure)
    }
    let same =
      Self.takePairs(&after, &before) { haveSameDay($0, $1) && haveSameValue($0, $1) }
      + Self.takePairs(&after, &before, haveSameValue)
    inBoth = same.count
    let changed =
      Self.takePairs(&after, &before, haveSameDay)
      + Self.takePairs(&after, &before) { _, _ in true }
    differences = changed.map { ($0, $1) } + after.map { ($0, nil) } + before.map { (nil, $0) }
  }

  /// Removes pairs that match from both lists; each contribution is in one pair at most.
  private static func takePairs(
    _ after: inout [Element], _ before: inout [Element],
    _ match: (Element, Element) -> Bool
  ) -> [(Element, Element)] {
    var pairs: [(Element, Element)] = []
    var rest: [Element] = []
    for own in after {
      if let place = before.firstIndex(where: { match(own, $0) }) {
        pairs.append((own, before.remove(at: place)))
      } else {
        rest.append(own)
      }
    }
    after = rest
    return pairs
  }
}

extension Contribution: ComparedContribution {
  typealias RowPlace = UInt64

  var moment: Day { period?.start ?? refundDay ?? .first }
  var momentOfPair: Day { refundDay ?? period?.start ?? .first }
  var order: [Int] { [Int(rows.refund), Int((period?.end ?? .first).number)] }
}
