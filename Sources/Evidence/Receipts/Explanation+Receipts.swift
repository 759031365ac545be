import AppStoreReports
import Counting
package import Pipeline
package import SubscriptionModel
import Tables

extension Explanation {
  /// Explains a row of a run's tables of receipts.
  ///
  /// - Parameters:
  ///   - question: The question; the run has the view of its dimensions.
  ///   - month: The month of the row.
  ///   - result: The result of a run that has kept its receipts.
  ///   - receipts: Those receipts.
  ///   - naming: How customers are named; `nil` to name each subscription by the row of its first purchase.
  ///   - order: The order of the contributions to each cell.
  ///   - limit: How many contributions of each column are printed; `nil` for all.
  ///   - leavingOut: Whether to list the periods and refunds of the row that do not count, in place of the
  ///     contributions.
  ///   - ignored: The result of a run of the receipts that this run ignores because of their environment; its
  ///     contributions to the row are left out of this one's. It has kept its receipts.
  /// - Throws: ``QuestionError`` when there is no such row, ``KeptCharges/LineError`` for a file that cannot be read
  ///   again.
  package init(
    _ question: Question, month: Month, _ result: RunResult, _ receipts: KeptReceipts,
    naming: CustomerTable.Naming? = nil, order: ContributionOrder = .subscription,
    limit: Int? = nil, leavingOut: Bool = false, ignored: RunResult? = nil
  ) throws {
    let asked = try AskedRow(question, result, month: month)
    try asked.refuseLargestOfRank(order)
    let row = asked.countedRow(
      question, month: month, result.names, receipts.filter, receipts.registries)
    formula = Self.isOfCurve(question) ? asked.survival : nil
    let lists = ReceiptContributionFold.lists(
      row, asked.columns.map(\.counted),
      asked.columns.map { ReceiptContributionList($0.measure, limit: limit, order) }, receipts,
      namesCustomers: naming != nil, jobs: result.plan.jobs)
    sums = zip(asked.columns, lists).map { column, list in
      Sum(
        column: column.name, count: list.count, sum: list.result, expected: column.expected,
        measure: column.measure, isInHundredths: column.measure.percent != nil)
    }
    fileName = asked.fileName
    computed = asked.computed
    let shown =
      leavingOut
      ? ReceiptLeftOutFold.lists(
        row, asked.columns.map(\.counted),
        asked.columns.map { _ in ReceiptContributionList(.count, limit: limit, order) }, receipts,
        namesCustomers: naming != nil, jobs: result.plan.jobs) : lists
    var table = try ReceiptExplanationTable(
      result.names, receipts, naming, month, jobs: result.plan.jobs
    ).table(zip(asked.columns.map(\.name), shown).map { ($0, $1) })
    var counts = shown.map(\.count)
    if let ignored, let others = ignored.receipts,
      let row = try? AskedRow(question, ignored, month: month)
    {
      let lists = Self.contributions(
        of: others, to: row, question, month, ignored, namesCustomers: naming != nil, order, limit)
      let named = asked.columns.enumerated().compactMap { place, column in
        lists[column.name].map { (place: place, name: column.name, list: $0) }
      }
      for column in named { counts[column.place] += column.list.count }
      table.rows += try ReceiptExplanationTable(
        ignored.names, others, naming, month, jobs: ignored.plan.jobs
      ).table(named.map { ($0.name, $0.list) }).rows
      // Column by column.
      table.rows = asked.columns.flatMap { column in
        table.rows.filter { $0[0] == .text(column.name) }
      }
    }
    leftOut = leavingOut ? counts : nil
    rows = ListedRows(table)
  }

  /// Returns what receipts of an environment that does not count would add to a row, by the names of its columns.
  private static func contributions(
    of receipts: KeptReceipts, to asked: AskedRow, _ question: Question, _ month: Month,
    _ result: RunResult, namesCustomers: Bool, _ order: ContributionOrder, _ limit: Int?
  ) -> [String: ReceiptContributionList] {
    let row = asked.countedRow(
      question, month: month, result.names, receipts.filter, receipts.registries)
    let lists = ReceiptContributionFold.lists(
      row, asked.columns.map(\.counted),
      asked.columns.map { _ in ReceiptContributionList(.count, limit: limit, order) }, receipts,
      namesCustomers: namesCustomers, leftOutBy: .otherEnvironment, jobs: result.plan.jobs)
    return Dictionary(uniqueKeysWithValues: zip(asked.columns.map(\.name), lists))
  }
}
