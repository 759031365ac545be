/// The data for bridges: the contents of a run's finance files and daily SALES reports.
///
/// Merging is associative and, after ``sorted()`` has ordered the statements by file, commutative.
package struct FinanceData: Sendable {
  /// The FINANCIAL and FINANCE_DETAIL files that count.
  package var statements: [FinanceStatement] = []
  /// The payments CSV files that count.
  package var payments: [PaymentsStatement] = []
  /// The units of the daily SALES reports: refunds are negative, and a refund with Units 0 counts
  /// -1.
  ///
  /// A key is kept if its units add up to 0.
  package var sales: [SaleKey: Int] = [:]
  /// The days with a daily SALES report, even without rows.
  package var salesDays: Set<Day> = []

  /// The rejected rows of daily SALES reports, each with its file's index among all files of the
  /// run.
  package var rejectedSales: [(row: RejectedRow, fileIndex: Int)] = []
  /// Why the amounts owed and paid of a period are unknown although it has payments CSVs: one of them
  /// cannot be used.
  package var unusablePayments: [FiscalPeriod: String] = [:]
  /// The names of payments CSVs and of files with rejected rows, by file index, for texts of causes and reasons.
  package var fileNames: [Int: String] = [:]

  /// Whether any finance file counts.
  package var hasFiles: Bool { !statements.isEmpty || !payments.isEmpty }

  /// Creates empty data.
  package init() {}

  /// Adds the data of other files.
  ///
  /// - Parameter other: The data.
  package mutating func merge(_ other: FinanceData) {
    statements += other.statements
    payments += other.payments
    // The smaller is merged into the larger, because a year of sales may have a million keys.
    let (most, fewest) =
      sales.count < other.sales.count ? (other.sales, sales) : (sales, other.sales)
    sales = most
    sales.merge(fewest, uniquingKeysWith: +)
    salesDays.formUnion(other.salesDays)
    rejectedSales += other.rejectedSales
    unusablePayments.merge(other.unusablePayments) { $1 }
    fileNames.merge(other.fileNames) { $1 }
  }

  /// Returns the data with the statements in the order of the files.
  ///
  /// - Returns: The same data, in an order that does not depend on the number of threads.
  package func sorted() -> FinanceData {
    var records = self
    records.statements.sort { $0.fileIndex < $1.fileIndex }
    records.payments.sort { $0.fileIndex < $1.fileIndex }
    records.rejectedSales.sort { ($0.fileIndex, $0.row.line) < ($1.fileIndex, $1.row.line) }
    return records
  }
}
