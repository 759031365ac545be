package import Storage

/// The contents of one payments CSV: earnings, taxes and payments of a fiscal period by region and
/// currency.
package struct PaymentsStatement: Sendable {
  /// The fiscal period, from the month in the title.
  package var period: FiscalPeriod
  /// The file's index among all files of the run.
  package var fileIndex: Int
  /// Whether Apple has not paid yet: the file then has no columns for the payment.
  package var isPending: Bool
  /// Whether the file has a column for a balance carried over from earlier periods.
  package var hasBalanceColumn: Bool
  /// The rows in file order; no region and currency occurs twice.
  package var rows: [PaymentsRow]
  /// The rejected rows.
  package var rejected: [RejectedRow]
  /// The amount of the payout line below the rows, in milliunits of the bank's currency; `nil`
  /// without one.
  package var payout: Int64?

  /// Creates a statement.
  ///
  /// - Parameters:
  ///   - period: The fiscal period.
  ///   - fileIndex: The file's index among all files of the run.
  ///   - isPending: Whether Apple has not paid yet.
  ///   - hasBalanceColumn: Whether there is a column for a carried balance.
  ///   - rows: The rows in file order.
  ///   - payout: The payout line.
  ///   - rejected: The rejected rows.
  package init(
    period: FiscalPeriod, fileIndex: Int, isPending: Bool, hasBalanceColumn: Bool,
    rows: [PaymentsRow], payout: Int64?, rejected: [RejectedRow] = []
  ) {
    self.period = period
    self.fileIndex = fileIndex
    self.isPending = isPending
    self.hasBalanceColumn = hasBalanceColumn
    self.rows = rows
    self.payout = payout
    self.rejected = rejected
  }
}

/// One region and currency of a payments CSV; money is in milliunits of the currency, negative if
/// deducted.
package struct PaymentsRow: Hashable, Sendable {
  /// The region's code, such as `EU`.
  package var region: String
  /// The currency in which Apple settles the region.
  package var currency: Symbol
  /// Earnings: the sum of Extended Partner Share for the region and currency.
  package var earned: Int64
  /// Input Tax.
  package var inputTax: Int64
  /// Adjustments.
  package var adjustments: Int64
  /// Withholding Tax, negative if it is withheld.
  package var withholdingTax: Int64
  /// The balance carried over from earlier periods; 0 if blank or without the column.
  package var carriedBalance: Int64
  /// Total Owed.
  package var totalOwed: Int64
  /// The amount paid to the bank account, in milliunits of ``bankCurrency``.
  ///
  /// `nil` if the file has none: for a pending month, a region below the payout threshold, or
  /// without an exchange rate.
  package var proceeds: Int64?
  /// The currency of the bank account; blank if the file does not state it.
  package var bankCurrency: Symbol
  /// Whether the region's earnings are below the payout threshold; the row is then below a blank
  /// line.
  package var isBelowThreshold: Bool
  /// The line of the file, from 1.
  package var line: Int32
  /// Exchange Rate as printed, such as `0.92168`; blank if the file has none.
  package var exchangeRate = ""

  package init(
    region: String, currency: Symbol, earned: Int64, inputTax: Int64, adjustments: Int64,
    withholdingTax: Int64, carriedBalance: Int64, totalOwed: Int64, proceeds: Int64?,
    bankCurrency: Symbol, isBelowThreshold: Bool, line: Int32
  ) {
    self.region = region
    self.currency = currency
    self.earned = earned
    self.inputTax = inputTax
    self.adjustments = adjustments
    self.withholdingTax = withholdingTax
    self.carriedBalance = carriedBalance
    self.totalOwed = totalOwed
    self.proceeds = proceeds
    self.bankCurrency = bankCurrency
    self.isBelowThreshold = isBelowThreshold
    self.line = line
  }
}
