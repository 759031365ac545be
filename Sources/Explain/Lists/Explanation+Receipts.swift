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
    try asked.refuseEmptyNumber()
    try asked.refuseLargestOfRank(order)
    let row = asked.countedRow(
      question, month: month, result.names, receipts.filter, receipts.registries)
    formulas = asked.formulas
    let lists = receipts.contributions(
      to: row, asked.columns.map(\.counted),
      asked.columns.map { ReceiptContributionList($0.measure, limit: limit, order) },
      named: naming != nil, jobs: result.plan.jobs)
    sums = zip(asked.columns, lists).map { column, list in
      Sum(
        column: column.name, count: list.count, sum: list.result, expected: column.expected,
        measure: column.measure, isInHundredths: column.measure.percent != nil)
    }
    fileName = asked.fileName
    computed = asked.computed
    let empty = asked.columns.map { _ in ReceiptContributionList(.count, limit: limit, order) }
    var shown =
      leavingOut
      ? receipts.leftOut(
        of: row, asked.columns.map(\.counted), empty, named: naming != nil,
        jobs: result.plan.jobs) : lists
    var others: ContributionTable<KeptReceipts>?
    if let ignored, let ignoredReceipts = ignored.receipts {
      let row = asked.countedRow(
        question, month: month, ignored.names, ignoredReceipts.filter, ignoredReceipts.registries)
      let lists = ignoredReceipts.contributions(
        to: row, asked.columns.map(\.counted), empty, named: naming != nil,
        leftOutBy: .otherEnvironment, jobs: ignored.plan.jobs)
      for (place, list) in lists.enumerated() { shown[place].merge(list) }
      others = ContributionTable(
        ignored.names, ignoredReceipts, naming, month, jobs: ignored.plan.jobs)
    }
    let table = try ContributionTable(
      result.names, receipts, naming, month, jobs: result.plan.jobs
    ).longTable(zip(asked.columns.map(\.name), shown).map { ($0, $1) }, others: others).table
    leftOut = leavingOut ? shown.map(\.count) : nil
    rows = ListedRows(table)
  }
}
