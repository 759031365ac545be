import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// The differences of cells of receipts, and the table that lists them.
struct ReceiptDifferences {
  /// How the differences are listed.
  struct Options {
    let isOfOtherRun: Bool
    let naming: CustomerTable.Naming?
    let order: ContributionOrder
    let limit: Int?
  }

  /// A side with the means to print its contributions.
  private struct Printed {
    let side: ReceiptSide
    let table: ReceiptExplanationTable
    let found: [ReceiptPlace: KeptReceipts.FoundPlace]
    let traces: [ReceiptSubscriptionKey: ReceiptTrace]

    /// The paths of the dumps with the rows that decide what happened to a subscription.
    func paths(_ key: ReceiptSubscriptionKey?) -> Set<ExactText> {
      let files = key.flatMap { traces[$0] }?.files ?? []
      return Set<ExactText>(of: files.map { side.receipts.files[$0].file.relativePath })
    }
  }

  private typealias Difference = ContributionDifference<ReceiptContribution>

  let lists: [ReceiptDifferenceList]
  private let columns: [AskedRow.Column]
  private let shown: [[Difference]]
  private let after: Printed
  private let before: Printed
  private let isOfOtherRun: Bool

  /// Compares two sides.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - after: The later side.
  ///   - before: The other side.
  ///   - options: How the differences are listed.
  ///   - jobs: The number of threads.
  /// - Throws: `KeptCharges.LineError` for a file that cannot be read again.
  init(
    _ columns: [AskedRow.Column], _ after: ReceiptSide, _ before: ReceiptSide, _ options: Options,
    jobs: Int
  ) throws {
    self.columns = columns
    isOfOtherRun = options.isOfOtherRun
    lists = ReceiptDifferenceFold.lists(
      after, before, columns.map(\.counted),
      columns.map { ReceiptDifferenceList($0.measure, limit: options.limit, options.order) },
      isOfOtherRun: options.isOfOtherRun, namesCustomers: options.naming != nil, jobs: jobs)
    shown = lists.map(\.printed)
    let all = shown.flatMap { $0 }
    self.after = try Self.printed(
      after, all.compactMap(\.after), Self.subscriptions(all, options) { $0.after == nil }, columns,
      options, jobs: jobs)
    self.before = try Self.printed(
      before, all.compactMap(\.before), Self.subscriptions(all, options) { $0.before == nil },
      columns, options, jobs: jobs)
  }

  /// Returns the subscriptions of which a side has to say more: those that it does not count, for two runs all.
  private static func subscriptions(
    _ all: [Difference], _ options: Options, _ isWithout: (Difference) -> Bool
  ) -> Set<ReceiptSubscriptionKey> {
    Set(
      all.filter { options.isOfOtherRun || isWithout($0) }.compactMap {
        ($0.after ?? $0.before)?.subscription
      })
  }

  private static func printed(
    _ side: ReceiptSide, _ contributions: [ReceiptContribution],
    _ subscriptions: Set<ReceiptSubscriptionKey>, _ columns: [AskedRow.Column],
    _ options: Options, jobs: Int
  ) throws -> Printed {
    let wanted = ReceiptExplanationTable.wantedPlaces(contributions)
    return Printed(
      side: side,
      table: ReceiptExplanationTable(
        side.names, side.receipts, options.naming, side.month, jobs: jobs),
      found: try side.receipts.places(of: wanted, jobs: jobs),
      traces: ReceiptTraces.traces(
        of: subscriptions, in: side, columns.map(\.counted), isOfOtherRun: options.isOfOtherRun,
        jobs: jobs))
  }

  // MARK: The table

  /// The table.
  var table: ReportTable {
    var rows: [[ReportTable.Cell]] = []
    for (place, column) in columns.enumerated() {
      rows += shown[place].compactMap { row($0, column, place) }
      let rest = lists[place].counts.differing - shown[place].count
      guard rest > 0 else { continue }
      let sum = lists[place].sum - shown[place].reduce(0) { $0 + $1.value }
      rows.append(ExplanationTable.restRow(column.name, column.measure.cell(sum), rest))
    }
    return ReportTable(
      name: "explain", dimensions: [],
      columns: ExplanationTable.columns(hasMoney: columns.contains(where: \.measure.isMoney)),
      rows: rows)
  }

  private func row(
    _ one: Difference, _ column: AskedRow.Column, _ place: Int
  ) -> [ReportTable.Cell]? {
    let side = one.after == nil ? before : after
    guard let main = one.after ?? one.before else { return nil }
    var cells = side.table.cells(column.name, column.measure, main, side.found)
    let texts = [
      "fact": "\(one.kind): \(side.table.reason(main).factName)",
      "because": because(one, main, column, place),
      "rows": places(one).joined(separator: "; "),
    ]
    for (index, name) in ExplanationTable.columns(hasMoney: false).map(\.name).enumerated() {
      if name == "value" { cells[index] = column.measure.cell(one.value) }
      if let text = texts[name] { cells[index] = .text(text) }
    }
    return cells
  }

  /// The rows of both sides, each once.
  private func places(_ one: Difference) -> [String] {
    let own = one.after.map { after.table.places($0, after.found) } ?? []
    let other = one.before.map { before.table.places($0, before.found) } ?? []
    return own + other.filter { !own.contains($0) }
  }

  // MARK: The reason

  private func because(
    _ one: Difference, _ main: ReceiptContribution, _ column: AskedRow.Column, _ place: Int
  ) -> String {
    let amount = { (contribution: ReceiptContribution?) in
      one.kind == .changed
        ? contribution.map { " (\(column.measure.text($0.value(column.measure))))" } ?? "" : ""
    }
    let key = main.subscription
    let parts = [
      "\(after.side.name): \(words(one.after, after, key, place))\(amount(one.after))",
      "\(before.side.name): \(words(one.before, before, key, place))\(amount(one.before))",
    ]
    return (parts + (isOfOtherRun ? [cause(key)] : [])).joined(separator: "; ")
  }

  /// Why a side counts the contribution, or why it does not.
  private func words(
    _ contribution: ReceiptContribution?, _ side: Printed, _ key: ReceiptSubscriptionKey?,
    _ place: Int
  ) -> String {
    if let contribution { return side.table.because(contribution) }
    let trace = key.flatMap { side.traces[$0] }
    if let leftOut = trace?.leftOut[place] { return side.table.because(leftOut) }
    return trace == nil ? "no purchase of the subscription" : "adds nothing to this number"
  }

  /// The dumps with the rows that decide what happened to the subscription, if the other run did not count them.
  private func cause(_ key: ReceiptSubscriptionKey?) -> String {
    let new = after.paths(key).subtracting(before.paths(key)).subtracting(before.side.paths)
    return new.isEmpty
      ? "no row of the subscription is new" : "brought by \(DifferenceTable.names(new))"
  }
}
