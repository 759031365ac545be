/// The contents of one FINANCIAL or FINANCE_DETAIL file: a vendor's settled rows of one fiscal period.
package struct FinanceStatement: Sendable {
  /// The form of the file: Apple offers the same settlement as three downloads.
  package enum Form: Hashable, Sendable {
    /// FINANCIAL for one region, by its code, such as `EU`.
    case region(String)
    /// FINANCIAL for all regions in a single file, `ZZ`.
    case single
    /// FINANCE_DETAIL for all regions, with dates.
    case detail
  }

  /// The form of the file.
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
