package import Storage

/// The contents of one payments CSV: earnings, taxes and payments of a fiscal period by region and
/// currency.
package struct PaymentsStatement: Sendable {
  /// The payment of a block of rows: METRICS.md section 7, "Payments CSV".
  package struct Payout: Hashable, Sendable {
    /// The block, from 0.
    package var block: Int32
    /// The line of the file, from 1: the payout line, or the bank line if there is no payout line.
    package var line: Int32
    /// The sum of the payout lines in one currency, in milliunits; `nil` without one.
    package var amount: Int64?
    /// The currency of the amount; blank without one.
    package var currency: Symbol

    package init(block: Int32, line: Int32, amount: Int64? = nil, currency: Symbol = .blank) {
      self.block = block
      self.line = line
      self.amount = amount
      self.currency = currency
    }
  }

  /// The fiscal period, from the month in the title.
  package var period: FiscalPeriod
  /// The vendor number; blank if there is only one vendor and no name has it.
  package var vendor = ""
  /// The file's index among all files of the run.
  package var fileIndex: Int
  /// Whether Apple has not paid yet: no line of the file names a bank account.
  package var isPending: Bool
  /// Whether the file has a column for a balance carried over from earlier periods.
  package var hasBalanceColumn: Bool
  /// The rows in file order; no region and currency occurs twice.
  package var rows: [PaymentsRow]
  /// The rejected rows.
  package var rejected: [RejectedRow]
  /// The payouts: one for each block and currency with a payout line, and for each paid block
  /// without a payout line.
  package var payouts: [Payout]

  /// Creates a statement.
  ///
  /// - Parameters:
  ///   - period: The fiscal period.
  ///   - fileIndex: The file's index among all files of the run.
  ///   - isPending: Whether Apple has not paid yet.
  ///   - hasBalanceColumn: Whether there is a column for a carried balance.
  ///   - rows: The rows in file order.
  ///   - payouts: The payouts of its blocks.
  ///   - rejected: The rejected rows.
  package init(
    period: FiscalPeriod, fileIndex: Int, isPending: Bool, hasBalanceColumn: Bool,
    rows: [PaymentsRow], payouts: [Payout] = [], rejected: [RejectedRow] = []
  ) {
    self.period = period
    self.fileIndex = fileIndex
    self.isPending = isPending
    self.hasBalanceColumn = hasBalanceColumn
    self.rows = rows
    self.payouts = payouts
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
  /// The amount paid to the bank account, in milliunits of ``bankCurrency``; in a pending month
  /// Apple's estimate of it.
  ///
  /// `nil` if the file has none, and for a region below the payout threshold.
  package var proceeds: Int64?
  /// The currency of the bank account; blank if the file does not state it.
  package var bankCurrency: Symbol
  /// Whether the region's earnings are below the payout threshold: in a paid file, the row's block
  /// has no bank line, or the row is below a blank line.
  package var isBelowThreshold: Bool
  /// The line of the file, from 1.
  package var line: Int32
  /// Exchange Rate as printed, such as `0.92168`; blank if the file has none.
  package var exchangeRate = ""
  /// The block of rows, from 0, that is paid at once.
  package var block: Int32 = 0

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
