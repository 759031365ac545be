import AppStoreReports
import Counting
package import Pipeline
import PriceImpact
import SubscriptionModel
import Tables

extension Explanation {
  /// Explains a row of a run's table of price increases: the renewals that its cells count.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - result: The result of a run that has looked for price changes and kept its charges, or its receipts.
  ///   - listing: How renewals are listed.
  /// - Throws: ``QuestionError`` when there is no such row, ``KeptCharges/LineError`` for a file that cannot be read
  ///   again.
  package init(_ question: Question, _ result: RunResult, _ listing: Listing = Listing()) throws {
    if question.source == .receipts {
      try self.init(question, result, of: result.keptReceipts, listing)
    } else {
      try self.init(question, result, of: result.keptCharges, listing)
    }
  }

  private init(
    _ question: Question, _ result: RunResult, of source: some ExplainedSource, _ listing: Listing
  ) throws {
    let asked = try AskedImpact(question, result)
    let changes = result.prices.first { $0.source == question.source }?.changes ?? []
    let found = source.renewals(
      asked.row, asked.empty(listing), changes, named: listing.naming != nil,
      leavingOut: listing.leavingOut, jobs: result.plan.jobs)
    let maker = RenewalTable(
      names: result.names, source: source, naming: listing.naming, oldPrice: asked.row.oldPrice,
      jobs: result.plan.jobs)
    let sums = found.lists.map { list in
      let measure: Measure = list.part.isMoney ? .proceeds : .count
      return Sum(
        column: list.column.name, count: list.count, sum: list.sum.rounded(asked.row.oldPrice),
        expected: measure.number(asked.cells.cell(list.column.name)), measure: measure)
    }
    let oldProceeds = sums.first { $0.column == ImpactColumn.oldProceeds.name }?.sum ?? 0
    let formulas = ImpactFormulas(
      asked, found.sums, oldProceeds: oldProceeds, result.priceTableMaker)
    self.init(
      ListedRows(try maker.table(found.shown)), sums, asked.formulas.compactMap(formulas.formula),
      leftOut: found.leftOut?.map(\.count), fileName: asked.fileName)
  }
}
