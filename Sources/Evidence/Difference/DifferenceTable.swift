import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// Makes the table that lists the differences of subscriptions.
struct DifferenceTable {
  /// A side with the means to print its contributions.
  private struct Printed {
    let side: FoldedSide
    let table: ExplanationTable
    var lines: [UInt64: Int] = [:]
    var traces: [SubscriptionKey: DifferenceTrace] = [:]

    init(_ side: FoldedSide, _ naming: CustomerTable.Naming?) {
      self.side = side
      table = ExplanationTable(side.names, side.charges, naming, side.month)
    }
  }

  private typealias Listed = (
    column: AskedRow.Column, list: DifferenceList, shown: [ContributionDifference<Contribution>]
  )

  private var after: Printed
  private var before: Printed
  private let isOfOtherRun: Bool
  private let naming: CustomerTable.Naming?
  private let listed: [Listed]

  /// Prepares the table.
  ///
  /// - Parameters:
  ///   - lists: The differences of each column.
  ///   - after: The later side.
  ///   - before: The other side.
  ///   - isOfOtherRun: Whether the other side is of another run, so that the files differ.
  ///   - naming: How subscriptions are named; `nil` for the place of their first row.
  ///   - jobs: The number of threads.
  /// - Throws: `KeptCharges.LineError` for a file that cannot be read again.
  init(
    _ lists: [(column: AskedRow.Column, list: DifferenceList)], _ after: FoldedSide,
    _ before: FoldedSide, isOfOtherRun: Bool, _ naming: CustomerTable.Naming?, jobs: Int
  ) throws {
    self.isOfOtherRun = isOfOtherRun
    self.naming = naming
    listed = lists.map { ($0.column, $0.list, $0.list.printed) }
    self.after = Printed(after, naming)
    self.before = Printed(before, naming)
    let shown = listed.flatMap(\.shown)
    self.after.lines = try lines(of: shown.compactMap(\.after), after.charges)
    self.before.lines = try lines(of: shown.compactMap(\.before), before.charges)
    let columns = listed.map(\.column.counted)
    let wanted = { (isWanted: (ContributionDifference<Contribution>) -> Bool) in
      Set(
        shown.filter { isOfOtherRun || isWanted($0) }.compactMap { one in
          one.after.map { after.subscription(of: $0) }
            ?? one.before.map { before.subscription(of: $0) }
        })
    }
    self.after.traces = DifferenceTraces.traces(
      of: wanted { $0.after == nil }, in: after, columns, jobs: jobs)
    self.before.traces = DifferenceTraces.traces(
      of: wanted { $0.before == nil }, in: before, columns, jobs: jobs)
  }

  private func lines(
    of contributions: [Contribution], _ charges: KeptCharges
  ) throws -> [UInt64: Int] {
    var wanted: Set<UInt64> = []
    for contribution in contributions {
      wanted.formUnion(contribution.evidence)
      if naming == nil { wanted.insert(contribution.rows.first) }
    }
    return try charges.lines(of: wanted)
  }

  /// The table.
  var table: ReportTable {
    var rows: [[ReportTable.Cell]] = []
    for (place, part) in listed.enumerated() {
      rows += part.shown.map { row($0, part.column, place) }
      let rest = part.list.counts.differing - part.shown.count
      guard rest > 0 else { continue }
      let sum = part.list.sum - part.shown.reduce(0) { $0 + $1.value }
      rows.append(
        ExplanationTable.restRow(part.column.name, part.column.measure.cell(sum), rest))
    }
    return ReportTable(
      name: "explain", dimensions: [],
      columns: ExplanationTable.columns(hasMoney: listed.contains(where: \.column.measure.isMoney)),
      rows: rows)
  }

  private func row(
    _ one: ContributionDifference<Contribution>, _ column: AskedRow.Column, _ place: Int
  ) -> [ReportTable.Cell] {
    let (side, main) = one.after.map { (after, $0) } ?? (before, one.before)
    guard let main else { return [] }
    let value = column.measure.cell(one.value)
    var cells = side.table.cells(column.name, value, main, side.lines)
    let key = side.side.subscription(of: main)
    let texts = [
      "fact": "\(one.kind): \(side.table.reason(main).factName)",
      "because": because(one, key, column, place), "rows": places(one).joined(separator: "; "),
    ]
    let columns = ExplanationTable.columns(hasMoney: false)
    for (index, column) in columns.enumerated() {
      if let text = texts[column.name] { cells[index] = .text(text) }
    }
    return cells
  }

  /// The rows of both sides, each once.
  private func places(_ one: ContributionDifference<Contribution>) -> [String] {
    let own = one.after?.evidence.map { after.side.charges.place(of: $0, after.lines) } ?? []
    let other = one.before?.evidence.map { before.side.charges.place(of: $0, before.lines) } ?? []
    return own + other.filter { !own.contains($0) }
  }

  // MARK: The reason

  private func because(
    _ one: ContributionDifference<Contribution>, _ key: SubscriptionKey, _ column: AskedRow.Column,
    _ place: Int
  ) -> String {
    let amount = { (contribution: Contribution?) in
      one.kind == .changed
        ? contribution.map { " (\(column.measure.text($0.value(column.measure))))" } ?? "" : ""
    }
    let parts = [
      "\(after.side.name): \(words(one.after, after, key, place))\(amount(one.after))",
      "\(before.side.name): \(words(one.before, before, key, place))\(amount(one.before))",
    ]
    return (parts + (isOfOtherRun ? [cause(key)] : [])).joined(separator: "; ")
  }

  /// Why a side counts the contribution, or why it does not.
  private func words(
    _ contribution: Contribution?, _ side: Printed, _ key: SubscriptionKey, _ place: Int
  ) -> String {
    if let contribution { return side.table.because(contribution) }
    let trace = side.traces[key]
    if let leftOut = trace?.leftOut[place] { return side.table.because(leftOut) }
    return trace == nil ? "no row of the subscription" : "adds nothing to this number"
  }

  /// How many files a reason names.
  private static let namedFiles = 5

  /// The files of one run with rows of the subscription that the other run did not count.
  private func cause(_ key: SubscriptionKey) -> String {
    let own = paths(after, key)
    let other = paths(before, key)
    var parts: [String] = []
    if !own.subtracting(other).isEmpty {
      parts.append("brought by \(Self.names(own.subtracting(other)))")
    }
    if !other.subtracting(own).isEmpty {
      parts.append("no longer counted: \(Self.names(other.subtracting(own)))")
    }
    if parts.isEmpty { parts.append("no row of the subscription is new") }
    return parts.joined(separator: "; ")
  }

  private func paths(_ side: Printed, _ key: SubscriptionKey) -> Set<ExactText> {
    let files = side.traces[key]?.files ?? []
    return Set<ExactText>(of: files.map { side.side.charges.files[$0].file.relativePath })
  }

  static func names(_ paths: Set<ExactText>) -> String {
    let inOrder = paths.inOrder
    let more = inOrder.count - namedFiles
    let shown = inOrder.prefix(namedFiles).joined(separator: ", ")
    return more > 0 ? "\(shown) and \(counted(more, "more file"))" : shown
  }
}
