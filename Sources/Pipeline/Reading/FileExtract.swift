package import AppStoreReports
package import Metrics
package import Scanning
package import SubscriptionModel

/// What one report says, without what the run makes of it.
///
/// It is the same whether the report was read or an earlier run has left it, and is added to the run in the same way.
package struct FileExtract {
  /// What became of the rows.
  package var rows = RowCounts()
  package var rejects: [Reject] = []
  /// The first and the last day of any row, also of one that as-of cuts off; without rows that say a day, the first is
  /// after the last.
  package var firstDay = Day.last
  package var lastDay = Day(number: 0)
  /// The terms of charges that an earlier run has left, also where the charges themselves are left out.
  package var chargeTerms: [UInt32] = []
  package var events = KeyCounts<EventCount>()
  package var snapshot = KeyCounts<SnapshotCount>()
  /// Columns of a snapshot that are not known and seem to be counts.
  package var unknownCounts: [UnknownCount] = []
  package var sales = KeyCounts<SalesCount>()
  package var dailySales = KeyCounts<DailySales>()
  /// Rows of a daily SALES report whose money is missing in the bridges.
  package var rejectedSales: [RejectedRow] = []
  /// What a finance file says, or why nobody can tell.
  package var finance: Result<FinanceFile, FinanceError>?
  /// The last row of each of the terms; of charges, that of each of the names.
  package var lastRows: [NameTracker.LastRow] = []

  /// What a finance file says whose sums are right.
  package var trustedFinance: FinanceFile? {
    guard case .success(let file) = finance, file.problem == nil else { return nil }
    return file
  }

  /// Notes the day of a row.
  mutating func note(_ day: Day) {
    firstDay = min(firstDay, day)
    lastDay = max(lastDay, day)
  }

  /// Forgets what the file said and keeps the room.
  package mutating func removeAll() {
    rows = RowCounts()
    rejects.removeAll()
    firstDay = .last
    lastDay = Day(number: 0)
    chargeTerms.removeAll(keepingCapacity: true)
    events.removeAll()
    snapshot.removeAll()
    unknownCounts.removeAll()
    sales.removeAll()
    dailySales.removeAll()
    rejectedSales.removeAll()
    finance = nil
    lastRows.removeAll(keepingCapacity: true)
  }
}

/// Active subscriptions of one description in one snapshot.
package struct SnapshotCount: QuickHashable {
  /// The index of the rows' attributes.
  package var terms: UInt32

  package init(terms: UInt32) { self.terms = terms }

  package var quickHash: UInt32 { UInt64(terms).quickHash }
}
