package import AppStoreReports
package import Counting
package import Scanning
package import Storage
package import SubscriptionModel

/// The content of one report, independent of the rest of the run.
///
/// It is the same whether the report was read or recalled from an earlier run.
package struct FileExtract {
  /// The numbers of rows read, used, rejected and ignored.
  package var rows = RowCounts()
  package var rejects: [Reject] = []
  /// The rows of a SUBSCRIBER or SUBSCRIPTION_EVENT report by day; `nil` without any, and for other kinds.
  package var eventDays: EventDays?
  /// Two periods of the rows of a SALES report, if it has several.
  package var severalPeriods: [ReportPeriod] = []
  /// Whether a SUBSCRIBER report has lines below its header that are blank and so are no rows.
  package var hasBlankLines = false
  /// The first and the last day of any row, including rows after as-of.
  ///
  /// Without any row with a day, the first is after the last.
  package var firstDay = Day.last
  package var lastDay = Day(number: 0)
  /// The terms of recalled charges, filled even when the charges themselves are skipped.
  package var chargeTerms: [UInt32] = []
  package var events = KeyCounts<EventRowKey>()
  package var snapshot = KeyCounts<SnapshotRowKey>()
  /// Unknown columns of a snapshot that look like counts.
  package var unknownCounts: [UnknownCount] = []
  package var sales = KeyCounts<SalesRowKey>()
  package var dailySales = KeyCounts<DailySalesKey>()
  /// Rejected rows of a daily SALES report, whose money is missing in the bridges.
  package var rejectedSales: [RejectedRow] = []
  /// The content of a finance file, or the error that prevented reading it.
  package var finance: Result<FinanceFile, FinanceError>?
  /// The apps of the rows, to find those that moved from one account to another.
  package var apps: [AppRows] = []
  /// The last row for each of the terms; for charges, the last row for each combination of names.
  package var lastRows: [NameTracker.LastRow] = []

  package init() {}

  /// The content of a finance file whose sums are right.
  package var trustedFinance: FinanceFile? {
    guard case .success(let file) = finance, file.problem == nil else { return nil }
    return file
  }

  /// Notes the day of a row.
  mutating func note(_ day: Day) {
    firstDay = min(firstDay, day)
    lastDay = max(lastDay, day)
  }

  /// Takes over the values that decide which report a file is, and the numbers of its rows.
  package mutating func takeStart(of other: FileExtract) {
    rows = other.rows
    eventDays = other.eventDays
    severalPeriods = other.severalPeriods
  }

  /// Empties the extract but keeps its memory.
  package mutating func removeAll() {
    rows = RowCounts()
    rejects.removeAll()
    eventDays = nil
    severalPeriods.removeAll()
    hasBlankLines = false
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
    apps.removeAll()
    lastRows.removeAll(keepingCapacity: true)
  }
}

/// A key for counting subscriptions in rows of a SUBSCRIPTION report with the same terms.
package struct SnapshotRowKey: QuickHashable {
  package var terms: UInt32
  package var column: SnapshotColumn

  package init(terms: UInt32, _ column: SnapshotColumn) {
    (self.terms, self.column) = (terms, column)
  }

  package var quickHash: UInt32 { (UInt64(terms) << 8 | UInt64(column.rawValue)).quickHash }
}
