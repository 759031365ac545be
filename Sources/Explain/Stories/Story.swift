import AppStoreReports
import Counting
import Files
package import Pipeline
import Rendering
import Storage
import SubscriptionModel
package import Tables

/// The story of one subscription: its rows, its periods, and the cells in which each counts.
package struct Story: Sendable {
  /// One row for each event, each subscription in the order of time.
  package let table: ReportTable
  /// The same as lines to read out.
  package let lines: [String]

  /// Lists the events of a subscription.
  ///
  /// - Parameters:
  ///   - asked: The subscription.
  ///   - result: The result of a run with the view of the whole population that has kept its charges.
  ///   - charges: Those charges.
  ///   - naming: How the subscription is named; `nil` for the place of its first row.
  /// - Throws: ``QuestionError`` when no row counts, `KeptCharges.LineError` for a file that cannot be read again.
  package init(
    of asked: AskedSubscription, _ result: RunResult, _ charges: KeptCharges,
    naming: CustomerTable.Naming? = nil
  ) throws {
    guard let view = result.plan.views.firstIndex(of: []) else {
      preconditionFailure("the run has the view of the whole population")
    }
    let own = SubscriberCharges(of: asked.subscriber, in: charges)
    let leftOut = try RowsLeftOut(files: result.files, charges: charges).rows(
      of: asked.subscriber, except: Set(own.records.map(\.order)))
    guard !own.records.isEmpty || !leftOut.isEmpty else {
      throw QuestionError(
        "--subscription: no Subscriber row of the input has this subscriber id; receipts have other ids, and chains and timeline list their subscriptions"
      )
    }
    let fold = StoryFold(
      own, try TableCells(result, view: view),
      ImpactCells(result, .subscribers, charges.completeness), charges, result.names)
    var lines = try charges.lines(of: Set(own.records.map(\.order)))
    for row in leftOut { lines[row.order] = row.line }
    let writer = StoryWriter(
      fold: fold, asked: asked, leftOut: leftOut, names: result.names, charges: charges,
      naming: naming, lines: lines)
    (table, self.lines) = (writer.table, writer.text)
  }
}
