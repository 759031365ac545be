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
    let other = ignored.flatMap { run in run.receipts.map { (run: run, source: $0) } }
    try self.init(
      question, month: month, result, of: receipts, naming, order, limit: limit, leavingOut,
      ignored: other)
  }
}
