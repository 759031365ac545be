import SubscriptionModel

/// The fields of a FINANCE_DETAIL row that unit counting needs.
///
/// Millions of these are in memory at once, so most values that can be computed are not stored.
struct SettledRow {
  /// The period of the settlement, which is that of the file.
  let period: FiscalPeriod
  /// The period of the Transaction Date.
  let transactionPeriod: FiscalPeriod
  let transactionDay: Day
  let settlementDay: Day
  let share: Int64
  private let extendedShare: Int64
  private let quantity: Int64
  private let fileIndex: Int32
  private let line: Int32

  /// Creates the fields of a FINANCE_DETAIL row; `nil` for a row without dates, as in FINANCIAL.
  init?(_ row: FinanceRow, of statement: FinanceStatement) {
    guard let transactionDay = row.transactionDay, let settlementDay = row.settlementDay else {
      return nil
    }
    period = statement.period
    transactionPeriod = FiscalPeriod(containing: transactionDay)
    self.transactionDay = transactionDay
    self.settlementDay = settlementDay
    share = row.partnerShare
    extendedShare = row.extendedShare
    quantity = row.quantity
    fileIndex = Int32(clamping: statement.fileIndex)
    line = row.line
  }

  var count: Int { Int(quantity.magnitude) }

  /// The row's file and line.
  var place: BridgeContribution.Place {
    BridgeContribution.Place(fileIndex: Int(fileIndex), line: Int(line))
  }

  /// The money and units of the whole row, with their sign.
  var value: CountedMoney { CountedMoney(Int128(extendedShare), units: Int(quantity)) }

  static func precedes(_ left: SettledRow, _ right: SettledRow) -> Bool {
    (left.settlementDay, left.transactionDay, left.share, left.fileIndex, left.line)
      < (right.settlementDay, right.transactionDay, right.share, right.fileIndex, right.line)
  }
}
