/// Everything the bridge is built from: what the finance files and the daily SALES reports of a run say.
///
/// Symbols are those of the run. Merging is associative and commutative once ``sorted()`` has put the
/// statements into the order of the files.
public struct FinanceRecords: Sendable {
  /// The FINANCIAL and FINANCE_DETAIL files that count.
  public var statements: [FinanceStatement] = []
  /// The payments CSV files that count.
  public var payments: [PaymentsStatement] = []
  /// The units of the daily SALES reports, with their sign: refunds are negative, and one of Units 0 is -1.
  public var sales: [SaleUnits: Int] = [:]
  /// The days that have a daily SALES report, with rows or without.
  public var salesDays: Set<Day> = []

  /// The rows of daily SALES reports that could not be read.
  public var rejectedSales: [RejectedSale] = []
  /// The payments CSVs that contradict each other, by period: none of them counts.
  public var rivalPayments: [FiscalPeriod: [String]] = [:]
  /// What files are called in causes, by their place: those with rejected rows.
  public var fileNames: [Int: String] = [:]

  /// Whether any finance file counts.
  public var hasFiles: Bool { !statements.isEmpty || !payments.isEmpty }

  /// Creates records of nothing.
  public init() {}

  /// Adds units of a sale; units that cancel each other stay, as 0.
  ///
  /// - Parameters:
  ///   - units: With their sign.
  ///   - sale: What they are units of.
  public mutating func add(_ units: Int, of sale: SaleUnits) {
    sales[sale, default: 0] += units
  }

  /// Adds what others have read.
  ///
  /// - Parameter other: The records of other files.
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
  /// - Returns: The same records, the same bytes whatever the number of threads.
  public func sorted() -> FinanceRecords {
    var records = self
    records.statements.sort { $0.fileIndex < $1.fileIndex }
    records.payments.sort { $0.fileIndex < $1.fileIndex }
    records.rejectedSales.sort { ($0.fileIndex, $0.row.line) < ($1.fileIndex, $1.row.line) }
    return records
  }
}
