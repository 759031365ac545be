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
  ///   - limit: How many contributions of each column are printed; `nil` for all.
  /// - Throws: ``QuestionError`` when there is no such row, ``KeptCharges/LineError`` for a file that cannot be read
  ///   again.
  package init(
    _ question: Question, month: Month, _ result: RunResult, _ context: ReadContext,
    limit: Int? = nil
  ) throws {
    guard let view = result.plan.views.firstIndex(of: question.dimensions) else {
      preconditionFailure("the run has the view of the question")
    }
    let table = try result.tableMaker().table(question.table, view: view)
    let asked = try AskedRow(question, in: table, month: result.plan.monthSystem.name(month))
    let values = question.dimensions.map { dimension in
      question.conditions.first { $0.key == dimension.rawValue }?.value ?? ""
    }
    let names = result.names
    var row = CountedRow(
      month: month, dimensions: question.dimensions, filter: context.rowFilter
    ) { $0.map { $0.text(names) } == values }
    row.currency = asked.currency.map { context.registries.symbol(of: $0) }
    let lists = try RowFold.lists(
      row, asked.columns, question.source, limit: limit, result, context)
    sums = zip(asked.columns, lists).map { column, list in
      Sum(
        column: column.name, count: list.count, sum: list.sum, expected: column.expected,
        measure: column.measure)
    }
    fileName = asked.fileName
    (leftOut, formula) = (nil, nil)
    self.table = RowTable(names, result, RowFold.Terms(context.registries)).table(
      zip(asked.columns, lists).map { ($0, $1) })
  }
}
