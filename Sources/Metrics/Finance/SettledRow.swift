import SubscriptionModel

/// A row of FINANCE_DETAIL as far as counting looks at it.
///
/// There are millions of them in memory at once, so it holds nothing that can be worked out.
struct SettledRow {
  /// The period in which Apple settled it: its file's.
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

  /// Takes a row of FINANCE_DETAIL; `nil` for a row without dates, as FINANCIAL has.
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

  /// What counts of the whole row, with its sign.
  var value: CountedMoney { CountedMoney(Int128(extendedShare), units: Int(quantity)) }

  static func precedes(_ left: SettledRow, _ right: SettledRow) -> Bool {
    let leftDays = (left.settlementDay, left.transactionDay, left.share)
    let rightDays = (right.settlementDay, right.transactionDay, right.share)
    if leftDays != rightDays { return leftDays < rightDays }
    return (left.fileIndex, left.line) < (right.fileIndex, right.line)
  }
}
