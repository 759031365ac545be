import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// How many contributions came, went, changed, and are the same in both sides.
package struct DifferenceCounts: Equatable, Sendable {
  package internal(set) var came = 0
  package internal(set) var went = 0
  package internal(set) var changed = 0
  package internal(set) var inBoth = 0

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
struct ContributionDifference<Element: ListedContribution>: ListedContribution {
  let after: Element?
  let before: Element?
  /// That of the later side that has one.
  let main: Element
  /// Its subscription or row.
  let key: ComparedKey
  /// The value on the later side, less the one on the earlier side.
  let value: Int128
  // Rows in the run of the later side.
  let firstRow: Element.Row
  let firstEvidence: Element.Row

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

  func value(_ measure: Measure) -> Int128 { value }
  var isLeftOut: Bool { false }
  var moment: Element.Moment { main.moment }
  var momentOfPair: Element.Moment { main.momentOfPair }
  var order: [Int] { main.order + [after == nil ? 0 : 1] }

  static func makeStore() -> ElementStore<Self>? { nil }

  static func precedes(_ left: Self, _ right: Self) -> Bool {
    if left.firstRow != right.firstRow { return left.firstRow < right.firstRow }
    if left.moment != right.moment { return left.moment < right.moment }
    if left.firstEvidence != right.firstEvidence { return left.firstEvidence < right.firstEvidence }
    return left.order.lexicographicallyPrecedes(right.order)
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
  private(set) var all: ContributionList<ContributionDifference<Element>>
  /// The sums of all contributions to the cell of each side.
  private(set) var (after, before): (Int128, Int128) = (0, 0)
  private let files: [UInt64]

  /// Creates an empty list; `files` are the places of the other side's files among those of the later one.
  init(_ measure: Measure, _ listing: Listing, files: [UInt64]) {
    self.files = files
    all = ContributionList(measure, limit: listing.limit, listing.order)
  }

  /// Adds what one subscription or row adds to the cell on both sides: `own` on the later one.
  mutating func add(_ own: [Element], _ other: [Element], of key: ComparedKey) {
    let measure = all.measure
    after += own.reduce(0) { $0 + $1.value(measure) }
    before += other.reduce(0) { $0 + $1.value(measure) }
    let pairs = ContributionPairs(own, other, measure)
    counts.inBoth += pairs.inBoth
    for pair in pairs.differences {
      guard
        let one = ContributionDifference(pair.after, pair.before, of: key, measure, files: files)
      else { continue }
      counts.add(one.kind)
      all.add(one)
    }
  }

  mutating func merge(_ other: Self) {
    counts.merge(other.counts)
    all.merge(other.all)
    after += other.after
    before += other.before
  }

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
      let column = columns[place]
      let part = ExplanationTable.Part(column.name, list.all)
      let rows = part.shown.map { one in
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

struct DifferenceTable<Source: ExplainedSource> {
  typealias Found = Contribution<Source>

  /// A side with the means to print its contributions.
  private struct Printed {
    let side: ComparedSide<Source>
    let table: ContributionTable<Source>
    let lines: Source.Lines
    let traces: [ComparedKey: ComparedSide<Source>.Trace]

    var name: String { side.side.name }

    func paths(_ key: ComparedKey) -> Set<ExactText> {
      let files = traces[key]?.files ?? []
      return Set<ExactText>(of: files.map { side.source.files[$0].file.relativePath })
    }

    func places(_ contribution: Found?) -> [String] {
      contribution.map { side.source.places($0.evidence, lines) } ?? []
    }

    /// Why the side counts a contribution, or why it does not.
    func words(_ contribution: Found?, _ key: ComparedKey, _ column: Int) -> String {
      if let contribution { return table.because(contribution) }
      let trace = traces[key]
      if let leftOut = trace?.leftOut[column] { return table.because(leftOut) }
      if trace != nil { return "adds nothing to this number" }
      return Source.isOfReceipts
        ? "no purchase of the subscription" : "no row of the subscription"
    }
  }

  private let after: Printed
  private let before: Printed
  private let columns: [AskedRow.Column]
  private let lists: [DifferenceList<Found>]

  /// Prepares the table of the differences of each column.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  init(
    _ lists: [DifferenceList<Found>], _ columns: [AskedRow.Column], _ after: ComparedSide<Source>,
    _ before: ComparedSide<Source>, jobs: Int
  ) throws {
    (self.columns, self.lists) = (columns, lists)
    let shown = lists.flatMap(\.all.printed)
    let printed = {
      (
        side: ComparedSide<Source>, own: (ContributionDifference<Found>) -> Found?
      ) throws -> Printed in
      // Two runs are compared file by file, whichever side has the contribution.
      let traced = shown.filter { after.runs.areTwo || own($0) == nil }
      return Printed(
        side: side, table: side.table, lines: try side.table.lines(of: shown.compactMap(own)),
        traces: side.traces(of: Set(traced.map(\.key)), columns.map(\.counted), jobs: jobs))
    }
    self.after = try printed(after, \.after)
    self.before = try printed(before, \.before)
  }

  var table: ReportTable {
    DifferenceList.table(lists, of: columns) { one, place in
      let (side, column) = (one.after == nil ? before : after, columns[place])
      let own = after.places(one.after)
      let rows = own + before.places(one.before).filter { !own.contains($0) }
      return (
        side.table.cells(column.name, column.measure, one.main, side.lines), because(one, place),
        rows.joined(separator: "; ")
      )
    }
  }

  private func because(_ one: ContributionDifference<Found>, _ place: Int) -> String {
    let measure = columns[place].measure
    var parts = [(after, one.after), (before, one.before)].map { side, contribution in
      let amount = contribution.map { " (\(measure.text($0.value(measure))))" } ?? ""
      let words = side.words(contribution, one.key, place)
      return "\(side.name): \(words)\(one.kind == .changed ? amount : "")"
    }
    if after.side.runs.areTwo { parts.append(cause(one.key)) }
    return parts.joined(separator: "; ")
  }

  /// The files that make the difference between two runs.
  private func cause(_ key: ComparedKey) -> String {
    let causes = after.side.source.causes(
      after.paths(key), before.paths(key), before.side.side.result)
    return causes.isEmpty
      ? "no row of the subscription is new" : causes.joined(separator: "; ")
  }
}

extension Set<ExactText> {
  /// How many files a reason names.
  private static var namedFiles: Int { 5 }

  /// Such as `one.txt, two.txt and 3 more files`.
  var namesOfFiles: String {
    let inOrder = inOrder
    let more = inOrder.count - Self.namedFiles
    let shown = inOrder.prefix(Self.namedFiles).joined(separator: ", ")
    return more > 0 ? "\(shown) and \(counted(more, "more file"))" : shown
  }
}
