import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// Makes the table that lists the differences of subscriptions.
struct DifferenceTable<Side: ComparedSide> {
  typealias Found = Side.Source.Customers.Found

  /// A side with the means to print its contributions.
  private struct Printed {
    let side: Side
    let table: ContributionTable<Side.Source>
    let lines: Side.Source.Lines
    var traces: [Side.Subscription: DifferenceTrace<Found>] = [:]

    init(
      _ side: Side, _ shown: [Found], _ naming: CustomerTable.Naming?, jobs: Int
    ) throws {
      self.side = side
      table = ContributionTable(side.names, side.source, naming, side.month, jobs: jobs)
      lines = try table.lines(of: shown)
    }

    /// The files with rows of a subscription.
    func paths(_ key: Side.Subscription) -> Set<ExactText> {
      let files = traces[key]?.files ?? []
      return Set<ExactText>(of: files.map { side.source.files[$0].file.relativePath })
    }
  }

  private typealias Listed = (
    column: AskedRow.Column, list: DifferencesOfCell<Found>, shown: [ContributionDifference<Found>]
  )

  private var after: Printed
  private var before: Printed
  private let isOfOtherRun: Bool
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
    _ lists: [(column: AskedRow.Column, list: DifferencesOfCell<Found>)], _ after: Side,
    _ before: Side, isOfOtherRun: Bool, _ naming: CustomerTable.Naming?, jobs: Int
  ) throws {
    self.isOfOtherRun = isOfOtherRun
    listed = lists.map { ($0.column, $0.list, $0.list.printed) }
    let shown = listed.flatMap(\.shown)
    self.after = try Printed(after, shown.compactMap(\.after), naming, jobs: jobs)
    self.before = try Printed(before, shown.compactMap(\.before), naming, jobs: jobs)
    let columns = listed.map(\.column.counted)
    let wanted = { (isWanted: (ContributionDifference<Found>) -> Bool) in
      Set(
        shown.filter { isOfOtherRun || isWanted($0) }.compactMap { one in
          one.after.map { after.subscription(of: $0) }
            ?? one.before.map { before.subscription(of: $0) }
        })
    }
    self.after.traces = after.traces(of: wanted { $0.after == nil }, columns, jobs: jobs)
    self.before.traces = before.traces(of: wanted { $0.before == nil }, columns, jobs: jobs)
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
    _ one: ContributionDifference<Found>, _ column: AskedRow.Column, _ place: Int
  ) -> [ReportTable.Cell] {
    let (side, main) = one.after.map { (after, $0) } ?? (before, one.before)
    guard let main else { return [] }
    var cells = side.table.cells(column.name, column.measure, main, side.lines)
    cells[1] = column.measure.cell(one.value)
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
  private func places(_ one: ContributionDifference<Found>) -> [String] {
    let own = one.after.map { after.table.places($0, after.lines) } ?? []
    let other = one.before.map { before.table.places($0, before.lines) } ?? []
    return own + other.filter { !own.contains($0) }
  }

  // MARK: The reason

  private func because(
    _ one: ContributionDifference<Found>, _ key: Side.Subscription, _ column: AskedRow.Column,
    _ place: Int
  ) -> String {
    let amount = { (contribution: Found?) in
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
    _ contribution: Found?, _ side: Printed, _ key: Side.Subscription, _ place: Int
  ) -> String {
    if let contribution { return side.table.because(contribution) }
    let trace = side.traces[key]
    if let leftOut = trace?.leftOut[place] { return side.table.because(leftOut) }
    return trace == nil ? Side.withoutRows : "adds nothing to this number"
  }

  /// The files that make the difference between two runs.
  private func cause(_ key: Side.Subscription) -> String {
    let causes = after.side.causes(after.paths(key), before.paths(key), before.side)
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
