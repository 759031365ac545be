/// The contents of one FINANCIAL or FINANCE_DETAIL file: a vendor's settled rows of one fiscal period.
package struct FinanceStatement: Sendable {
  /// One of Apple's three downloads of a settlement.
  package enum Form: Hashable, Sendable {
    /// FINANCIAL for one region, by its code, such as `EU`.
    case region(String)
    /// FINANCIAL for all regions, `ZZ`.
    case single
    /// FINANCE_DETAIL for all regions, with dates.
    case detail
  }

  /// The kind of download.
  package var form: Form
  /// The fiscal period.
  package var period: FiscalPeriod
  /// The vendor number in the file's name; blank if the name has none.
  package var vendor: String
  /// The file's index among all files of the run.
  package var fileIndex: Int
  /// The rows in file order.
  package var rows: [FinanceRow]
  /// The rejected rows.
  package var rejected: [RejectedRow]

  /// Creates a statement.
  ///
  /// - Parameters:
  ///   - form: The kind of download.
  ///   - period: The fiscal period.
  ///   - vendor: The vendor number in the file's name.
  ///   - fileIndex: The file's index among all files of the run.
  ///   - rows: The rows in file order.
  ///   - rejected: The rejected rows.
  package init(
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
