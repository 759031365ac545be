import Rendering
import SubscriptionModel
import Tables

/// How many contributions came, went, changed, and are the same in both sides.
package struct DifferenceCounts: Equatable, Sendable {
  package internal(set) var came = 0
  package internal(set) var went = 0
  package internal(set) var changed = 0
  package internal(set) var inBoth = 0

  /// How many differ.
  package var differing: Int { came + went + changed }

  mutating func add(_ kind: DifferenceKind) {
    switch kind {
    case .came: came += 1
    case .went: went += 1
    case .changed: changed += 1
    }
  }

  mutating func merge(_ other: DifferenceCounts) {
    came += other.came
    went += other.went
    changed += other.changed
    inBoth += other.inBoth
  }

  /// Such as `12 came, 25 went and 1 changed`.
  var words: String {
    let parts = ["\(NumberStyle.grouped(came)) came", "\(NumberStyle.grouped(went)) went"]
    return changed == 0
      ? parts.joined(separator: " and ")
      : "\(parts.joined(separator: ", ")) and \(NumberStyle.grouped(changed)) changed"
  }
}

/// The differences of one cell: their numbers and sums, and those that are printed.
struct DifferencesOfCell<Element: ComparedContribution>: Sendable {
  private(set) var counts = DifferenceCounts()
  /// The sum of the differences.
  private(set) var sum: Int128 = 0
  /// The sums of all contributions to the cell of each side.
  private(set) var (after, before): (Int128, Int128) = (0, 0)
  let measure: Measure
  private var first: FirstElements<ContributionDifference<Element>>

  init(_ measure: Measure, limit: Int?, _ order: ContributionOrder) {
    self.measure = measure
    first = FirstElements(limit: limit) { left, right in
      let (own, other) = (left.value.magnitude, right.value.magnitude)
      if order == .value, own != other { return own > other }
      return order == .evidence
        ? ContributionDifference<Element>.precedesByEvidence(left, right)
        : ContributionDifference<Element>.precedes(left, right)
    }
  }

  /// Adds what one subscription adds to the cell on both sides.
  ///
  /// - Parameters:
  ///   - own: The contributions of the later side.
  ///   - other: Those of the other side.
  ///   - places: Returns the rows of a contribution of each side.
  mutating func add(
    _ own: [Element], _ other: [Element],
    _ places: (
      after: (Element) -> ComparedPlaces<Element.RowPlace>,
      before: (Element) -> ComparedPlaces<Element.RowPlace>
    )
  ) {
    after += own.reduce(0) { $0 + $1.value(measure) }
    before += other.reduce(0) { $0 + $1.value(measure) }
    let pairs = ContributionPairs(own, other, measure)
    counts.inBoth += pairs.inBoth
    for pair in pairs.differences {
      guard
        let one = ContributionDifference(pair.after, pair.before, measure, places)
      else { continue }
      counts.add(one.kind)
      sum += one.value
      first.add(one)
    }
  }

  mutating func merge(_ other: Self) {
    counts.merge(other.counts)
    sum += other.sum
    after += other.after
    before += other.before
    first.merge(other.first)
  }

  /// The differences to print, in order.
  var printed: [ContributionDifference<Element>] { first.inOrder }
}
