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
  /// Where the cache keeps the charges of SUBSCRIBER reports, of those in the last tally too.
  var chargeExtracts: [ChargeExtract] = []
  /// The hashes that the next run need not make again.
  var knownFiles: [KnownFiles.File] = []
}
