import Metrics
import SubscriptionModel

/// What one thread has read: it is merged with what the others have.
struct ReadResult: Sendable {
  var charges: ChargeStore
  var events: Tally
  var sales: Tally
  /// What daily SALES reports say of money, when there are finance files to reconcile it with.
  var finance = FinanceRecords()
  var financeFiles: [FinanceFile] = []
  var names = NameTrackers()
  var notifications: [NotificationPlace] = []
  /// What receipts were ignored because they were made after as-of.
  var laterReceipts = LaterReceipts()
  var linesOfDumpRows: [DumpRow: Int] = [:]
  var reports: [(index: Int, report: FileReport)] = []
  /// The terms of charges that earlier runs have read, by file; collected for filters, because ``names`` knows of them
  /// only what they call products and apps.
  var recalledTerms: [(index: Int, terms: [UInt32])] = []
}
