package import Receipts
package import Scanning
package import SubscriptionModel

/// What one dump of receipts says, but for what its responses hold, which goes to the run's store at once.
///
/// It is the same whether the dump was read or an earlier run has left it.
package struct DumpExtract {
  /// What its records are; `nil` when nobody can tell, and it is no dump.
  package var kind: ReceiptKind?
  /// What became of the rows.
  package var rows = RowCounts()
  package var rejects: [Reject] = []
  package var notifications: [NotificationPlace] = []
  /// The lines of rows with a transaction without any id.
  package var lines: [(row: UInt32, line: Int)] = []
  /// When the newest response that counts was made.
  package var newest: Instant?
  /// Transactions and renewal infos of used rows that could not be used.
  package var unusable = 0
  /// Responses that do not say their environment.
  package var withoutEnvironment = 0

  package init() {}

  /// What else health should say.
  var remarks: [String] {
    var remarks: [String] = []
    if unusable > 0 { remarks.append("unusable transactions: \(unusable)") }
    if withoutEnvironment > 0 { remarks.append("environment missing: \(withoutEnvironment)") }
    return remarks
  }
}
