import AppStoreReports
import Counting
package import Pipeline
package import SubscriptionModel
import Tables

extension Explanation {
  /// Explains a row of a run's tables of events or sales: each row of a report adds to it by itself.
  ///
  /// - Parameters:
  ///   - question: The question; the run has the view of its dimensions.
  ///   - month: The month of the row.
  ///   - result: The result of a run that has kept its context.
  ///   - context: That context.
  ///   - order: The order of the contributions to each cell: by value, or by file and line.
  ///   - limit: How many contributions of each column are printed; `nil` for all.
  ///   - leavingOut: Whether to list what the columns leave out, rather than the contributions.
  /// - Throws: ``QuestionError`` when there is no such row, ``KeptCharges/LineError`` for a file that cannot be read
  ///   again.
  package init(
    _ question: Question, month: Month, _ result: RunResult, _ context: ReadContext,
    order: ContributionOrder = .evidence, limit: Int? = nil, leavingOut: Bool = false
  ) throws {
    let asked = try AskedRow(question, result, month: month)
    try asked.refuseEmptyNumber()
    let row = asked.countedRow(
      question, month: month, result.names, context.rowFilter, context.registries)
    let lists = try RowFold.lists(
      row, asked.columns, question.source, limit: limit, order: order, leavingOut: leavingOut,
      result, context)
    sums = zip(asked.columns, lists.counted).map { column, list in
      Sum(
        column: column.name, count: list.count, sum: list.sum, expected: column.expected,
        measure: column.measure)
    }
    fileName = asked.fileName
    computed = asked.computed
    leftOut = lists.leftOut?.map(\.count)
    formulas = asked.formulas
    rows = ListedRows(
      RowTable(result.names, result, RowFold.Terms(context.registries)).longTable(
        zip(asked.columns, lists.leftOut ?? lists.counted).map { ($0, $1) }))
  }
}
