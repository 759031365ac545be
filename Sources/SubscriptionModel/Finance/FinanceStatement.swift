/// The contents of one FINANCIAL or FINANCE_DETAIL file: a vendor's settled rows of one fiscal period.
public struct FinanceStatement: Sendable {
  /// Which of Apple's three downloads a file is.
  public enum Form: Hashable, Sendable {
    /// FINANCIAL for one region, by its code, such as `EU`.
    case region(String)
    /// FINANCIAL for all regions, `ZZ`.
    case single
    /// FINANCE_DETAIL for all regions, with dates.
    case detail
  }

  /// Which download it is.
  public var form: Form
  /// The fiscal period.
  public var period: FiscalPeriod
  /// The vendor number of the file's name, blank when the name has none.
  public var vendor: String
  /// The file's place in the order of all files of the run.
  public var fileIndex: Int
  /// The rows in file order.
  public var rows: [FinanceRow]
  /// The rows that could not be read.
  public var rejected: [RejectedRow]

  /// Creates a statement.
  ///
  /// - Parameters:
  ///   - form: Which download it is.
  ///   - period: The fiscal period.
  ///   - vendor: The vendor number of the file's name.
  ///   - fileIndex: The file's place in the order of all files of the run.
  ///   - rows: The rows in file order.
  ///   - rejected: The rows that could not be read.
  public init(
    form: Form, period: FiscalPeriod, vendor: String, fileIndex: Int, rows: [FinanceRow],
    rejected: [RejectedRow] = []
  ) {
    self.form = form
    self.period = period
    self.vendor = vendor
    self.fileIndex = fileIndex
    self.rows = rows
    self.rejected = rejected
  }
}
