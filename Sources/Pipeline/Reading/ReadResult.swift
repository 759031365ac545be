import Counting
import SubscriptionModel

/// The results of one thread, to be merged with those of the others.
struct ReadResult: Sendable {
  var charges: ChargeStore
  var events: Tally
  var sales: Tally
  /// The money in daily SALES reports, read when there are finance files to reconcile.
  var finance = FinanceData()
  var financeFiles: [FinanceFile] = []
  var names = NameTrackers()
  var notifications: [NotificationPlace] = []
  /// The responses ignored because they are after as-of.
  var laterReceipts = LaterReceipts()
  /// The snapshots of receipts that are used.
  var snapshots = Snapshots()
  var linesOfDumpRows: [DumpRow: Int] = [:]
  var reports: [(index: Int, report: FileReport)] = []
  /// The terms of recalled charges, by file; collected for filters.
  ///
  /// For recalled charges, ``names`` has only the names of products and apps.
  var recalledTerms: [(index: Int, terms: [UInt32])] = []
}
