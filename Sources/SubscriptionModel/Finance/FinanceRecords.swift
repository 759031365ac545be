/// The data of the bridge: the contents of a run's finance files and daily SALES reports.
///
/// Symbols are those of the run. Merging is associative and commutative once ``sorted()`` has put the
/// statements into the order of the files.
public struct FinanceRecords: Sendable {
  /// The FINANCIAL and FINANCE_DETAIL files that count.
  public var statements: [FinanceStatement] = []
  /// The payments CSV files that count.
  public var payments: [PaymentsStatement] = []
  /// The units of the daily SALES reports, with their sign: refunds are negative, a refund with Units 0 is -1.
  ///
  /// A key whose units cancel out stays, with 0.
  public var sales: [SaleUnits: Int] = [:]
  /// The days that have a daily SALES report, with rows or without.
  public var salesDays: Set<Day> = []

  /// The rows of daily SALES reports that could not be read, each with its file's place in the order of all files.
  public var rejectedSales: [(row: RejectedRow, fileIndex: Int)] = []
  /// The payments CSVs that contradict each other, by period: none of them counts.
  public var rivalPayments: [FiscalPeriod: [String]] = [:]
  /// The names of files with rejected rows, by file index, as causes print them.
  public var fileNames: [Int: String] = [:]

  /// Whether any finance file counts.
  public var hasFiles: Bool { !statements.isEmpty || !payments.isEmpty }

  /// Creates empty records.
  public init() {}

  /// Adds the records of other files.
  ///
  /// - Parameter other: Their records.
  public mutating func merge(_ other: FinanceRecords) {
    statements += other.statements
    payments += other.payments
    // The smaller into the larger: a year of sales is a million keys.
    let (most, fewest) =
      sales.count < other.sales.count ? (other.sales, sales) : (sales, other.sales)
    sales = most
    sales.merge(fewest, uniquingKeysWith: +)
    salesDays.formUnion(other.salesDays)
    rejectedSales += other.rejectedSales
    rivalPayments.merge(other.rivalPayments) { $1 }
    fileNames.merge(other.fileNames) { $1 }
  }

  /// Returns the records with the statements in the order of the files.
  ///
  /// - Returns: The same records, in an order that does not depend on the number of threads.
  public func sorted() -> FinanceRecords {
    var records = self
    records.statements.sort { $0.fileIndex < $1.fileIndex }
    records.payments.sort { $0.fileIndex < $1.fileIndex }
    records.rejectedSales.sort { ($0.fileIndex, $0.row.line) < ($1.fileIndex, $1.row.line) }
    return records
  }
}
