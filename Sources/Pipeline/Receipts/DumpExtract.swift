package import Receipts
package import Scanning
package import SubscriptionModel

/// The content of one dump of receipts, except its responses, which go to the run's store at once.
///
/// It is the same whether the dump was read or recalled from an earlier run.
package struct DumpExtract {
  /// The kind of its receipts; `nil` if the file turned out to be no dump.
  package var kind: ReceiptKind?
  /// The numbers of rows read, used, rejected and ignored.
  package var rows = RowCounts()
  package var rejects: [Reject] = []
  package var notifications: [NotificationPlace] = []
  /// The lines of rows that have a transaction without any id.
  package var lines: [(row: UInt32, line: Int)] = []
  /// The time of the newest response that counts.
  package var newest: Instant?
  /// The unusable transactions and renewal infos in used rows.
  package var unusable = CountedFault()
  /// The number of responses that do not state their environment.
  package var withoutEnvironment = 0
  /// The renewal infos that belong to no subscription of their response.
  package var withoutSubscription = CountedFault()
  /// The transactions in used rows with a price that cannot be read.
  package var unreadablePrices = CountedFault()
  /// The transactions in used rows whose expiry or cancellation has no zone, and so is missing.
  package var unplacedDates = CountedFault()
  /// The columns whose absence is to be noted.
  package var missingColumns: [String] = []
  /// When the file was made, if it is a snapshot that is used.
  package var snapshotDate: Instant?
  /// Whether any response is after as-of.
  package var hasLaterResponses = false
  /// Those that would count without as-of; none for a dump that is not to be used.
  package var later = LaterReceipts()

  package init() {}

  /// The remarks on values of rows that are in no number.
  var losses: [String] {
    [
      unusable.remark("unusable transactions"),
      unplacedDates.remark("dates left out: none, without a time zone or outside 2008 to 2099"),
      unreadablePrices.remark("price unreadable"),
      missingColumns.isEmpty ? nil : "columns missing: \(missingColumns.joined(separator: " "))",
    ].compactMap(\.self)
  }

  /// Remarks for health.csv.
  var remarks: [String] {
    var remarks = losses
    if withoutEnvironment > 0 { remarks.append("environment missing: \(withoutEnvironment)") }
    if let remark = withoutSubscription.remark("renewal info without subscription") {
      remarks.append(remark)
    }
    return remarks
  }
}

/// A fault in used rows of a dump, which is counted, with the place of the first: METRICS.md 3.15.
package struct CountedFault: Sendable {
  package var count = 0
  /// The number of the first row with it, from 1; 0 without one.
  package var row = 0
  /// The line on which that row begins.
  package var line = 0
  /// The code and the key of the first, without any value of the row; empty where the name of the fault is enough.
  package var detail = ""

  package init() {}

  mutating func add(_ count: Int, in row: borrowing ReceiptRow, _ detail: String = "") {
    guard count > 0 else { return }
    if self.count == 0 { (self.row, line, self.detail) = (row.number, row.line, detail) }
    self.count += count
  }

  /// Returns the remark for health.csv, such as `unusable transactions: 2 (first in line 3)`; `nil` without any.
  func remark(_ name: String) -> String? {
    guard count > 0 else { return nil }
    let place = row == line ? "line \(line)" : "record \(row), line \(line)"
    let detail = detail.isEmpty ? "" : ": \(detail)"
    return "\(name): \(count) (first in \(place)\(detail))"
  }
}
