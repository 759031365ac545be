import Counting
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

/// The kind of change of a contribution between the earlier side and the later one.
enum DifferenceKind: Sendable {
  case came, went, changed
}

/// A contribution that only one side has, or two contributions of a subscription with other values.
struct ContributionDifference<Element: ListedContribution>: Sendable {
  let after: Element?
  let before: Element?
  /// That of the later side that has one.
  let main: Element
  /// Its subscription or row.
  let key: ComparedKey
  /// The value on the later side, less the one on the earlier side.
  let value: Int128
  // The first row of the subscription, and the first row that the contribution rests on, in the run of the later side.
  private let firstRow: Element.Row
  private let firstEvidence: Element.Row

  /// Creates a difference; `nil` without a contribution.
  ///
  /// `files` are the places of the other side's files among those of the later one.
  fileprivate init?(
    _ after: Element?, _ before: Element?, of key: ComparedKey, _ measure: Measure,
    files: [UInt64]
  ) {
    guard let main = after ?? before else { return nil }
    (self.after, self.before, self.main, self.key) = (after, before, main, key)
    value = (after?.value(measure) ?? 0) - (before?.value(measure) ?? 0)
    let place = { (row: Element.Row) in after == nil ? row.inFiles(files) : row }
    (firstRow, firstEvidence) = (place(main.firstRow), place(main.firstEvidence))
  }

  var kind: DifferenceKind { after == nil ? .went : before == nil ? .came : .changed }

  /// Returns whether a difference is listed before another: by the subscription's first row, then by time.
  fileprivate static func precedes(_ left: Self, _ right: Self) -> Bool {
    if left.firstRow != right.firstRow { return left.firstRow < right.firstRow }
    let (own, other) = (left.main, right.main)
    if own.moment != other.moment { return own.moment < other.moment }
    if left.firstEvidence != right.firstEvidence { return left.firstEvidence < right.firstEvidence }
    let order = { (one: Self) in one.main.order + [one.after == nil ? 0 : 1] }
    return order(left).lexicographicallyPrecedes(order(right))
  }

  /// Returns whether a difference is listed before another: by file and line of the first row it rests on.
  fileprivate static func precedesByEvidence(_ left: Self, _ right: Self) -> Bool {
    let (own, other) = (left.firstEvidence, right.firstEvidence)
    return own == other ? precedes(left, right) : own < other
  }
}

/// What one subscription adds to a cell on both sides, in pairs.
///
/// Contributions of the same value are in both sides, first those of the same day. Of the others two and two make a
/// change, in the order of time, and the rest came or went. Example: 4 charges of 2.99 in July, and 4 of 2.99 and one of
/// 3.99 in August: 4 are in both, and one came.
private struct ContributionPairs<Element: ListedContribution> {
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

/// The differences of one cell: their numbers and sums, and those that are printed.
struct DifferenceList<Element: ListedContribution>: Sendable {
  private(set) var counts = DifferenceCounts()
  /// The sum of the differences.
  private(set) var sum: Int128 = 0
  /// The sums of all contributions to the cell of each side.
  private(set) var (after, before): (Int128, Int128) = (0, 0)
  private let measure: Measure
  private let files: [UInt64]
  private var first: FirstElements<ContributionDifference<Element>>

  /// Creates an empty list; `files` are the places of the other side's files among those of the later one.
  init(_ measure: Measure, _ listing: Listing, files: [UInt64]) {
    (self.measure, self.files) = (measure, files)
    first = FirstElements(limit: listing.limit) { left, right in
      let (own, other) = (left.value.magnitude, right.value.magnitude)
      if listing.order == .value, own != other { return own > other }
      return listing.order == .evidence
        ? ContributionDifference<Element>.precedesByEvidence(left, right)
        : ContributionDifference<Element>.precedes(left, right)
    }
  }

  /// Adds what one subscription or row adds to the cell on both sides: `own` on the later one.
  mutating func add(_ own: [Element], _ other: [Element], of key: ComparedKey) {
    after += own.reduce(0) { $0 + $1.value(measure) }
    before += other.reduce(0) { $0 + $1.value(measure) }
    let pairs = ContributionPairs(own, other, measure)
    counts.inBoth += pairs.inBoth
    for pair in pairs.differences {
      guard
        let one = ContributionDifference(pair.after, pair.before, of: key, measure, files: files)
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

  /// Returns the table of some columns' differences.
  ///
  /// `row` returns the row of a difference's main contribution, given the index of the column; the reason of the
  /// difference; and the rows of both sides, unless only one has some.
  static func table(
    _ lists: [Self], of columns: [AskedRow.Column],
    _ row: (
      ContributionDifference<Element>, _ column: Int
    ) -> (cells: [ReportTable.Cell], because: String, rows: String?)
  ) -> ReportTable {
    let rows = lists.enumerated().flatMap { place, list in
      let (shown, column) = (list.printed, columns[place])
      let part = ExplanationTable.Part(column.name, shown, of: list.counts.differing) {
        column.measure.cell(list.sum - shown.reduce(0) { $0 + $1.value })
      }
      let rows = shown.map { one in
        let (cells, because, rows) = row(one, place)
        return ExplanationTable.setting(
          cells, value: column.measure.cell(one.value),
          fact: "\(one.kind): \(ExplanationTable.fact(of: cells))", because: because, rows: rows)
      }
      return rows + (part.rest.map { [$0] } ?? [])
    }
    return ReportTable(
      name: "explain", dimensions: [],
      columns: ExplanationTable.columns(hasMoney: columns.contains(where: \.measure.isMoney)),
      rows: rows)
  }
}
