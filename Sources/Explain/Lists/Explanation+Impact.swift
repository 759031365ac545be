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
    let asked = try AskedImpact(question, result)
    let changes = result.prices.first { $0.source == question.source }?.changes ?? []
    let (jobs, oldPrice) = (result.plan.jobs, asked.row.oldPrice)
    if let receipts = result.receipts {
      let found = ReceiptImpactFold.found(
        asked.row, asked.empty(listing), changes, receipts, namesCustomers: listing.naming != nil,
        jobs: jobs, leavingOut: listing.leavingOut)
      let maker = ReceiptImpactTable(result.names, receipts, listing.naming, oldPrice, jobs: jobs)
      self.init(asked, found, try maker.table(found.shown), result)
      return
    }
    guard let charges = result.charges else {
      preconditionFailure("the run has kept charges or receipts")
    }
    let found = ImpactContributionFold.found(
      asked.row, asked.empty(listing), changes, charges, jobs: jobs,
      leavingOut: listing.leavingOut)
    let maker = ImpactExplanationTable(result.names, charges, listing.naming, oldPrice)
    self.init(asked, found, try maker.table(found.shown), result)
  }

  private init<Element>(
    _ asked: AskedImpact, _ found: FoundRenewals<Element>, _ table: ReportTable,
    _ result: RunResult
  ) {
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
      table, sums, asked.formulas.compactMap(formulas.formula),
      leftOut: found.leftOut?.map(\.count), fileName: asked.fileName)
  }
}
