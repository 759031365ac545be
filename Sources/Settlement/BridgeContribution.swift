package import Storage
package import SubscriptionModel

/// An amount that a line of a bridge adds up, and the rows it comes from.
package struct BridgeContribution: Equatable, Sendable {
  /// Why an amount counts in a line.
  package enum Reason: Equatable, Sendable {
    /// Units of SALES rows: lines 10 and 11.
    case sold
    /// A row of the settlement: line 30.
    case settled
    /// A row settled in the period, whose units count in another one: lines 20 and 22.
    case countsIn(FiscalPeriod)
    /// A row settled in another period, whose units count in this one: lines 21 and 22.
    case settledIn(FiscalPeriod)
    /// A settled row of a day without a SALES report: line 12.
    case dayWithoutSales
    /// Settled units without a sale, of a day before or after one without a SALES report: line 12.
    case besideDayWithoutSales
    /// Units of SALES that may still settle in the next period, whose FINANCE_DETAIL is missing: lines 21 and 22.
    case mayStillSettle
    /// Units of SALES with which no settled unit is paired: line 23.
    case notCollected
    /// The settled share minus the proceeds of the units of SALES with which a row is paired: line 24.
    case shareDifference
    /// Units of SALES that are settled in another bridge: line 25.
    case settledElsewhere
    /// Settled units that are sold in another bridge: line 25.
    case soldElsewhere
    /// Settled units with which no unit of SALES is paired: line 29.
    case withoutSale
    /// A product's part of an estimate by settlement lags, and the units that may move: lines 20 to 22.
    case settlementLag
    /// A cell of a payments CSV: lines 40 to 60.
    case payment
    /// Another line of the bridge, with its cause if it is one of several: lines 29 and 49.
    case line(Bridge.Line, cause: String)

    // Parts of the least or the largest amount of an estimate.

    /// A fraction, such as `85/70`, of the proceeds of units that may be settled later: lines 21, 22 and 24.
    case openUnits(fraction: String)
    /// Units of SALES that may never be settled: line 23.
    case neverSettled
    /// Units that may be settled later in another bridge, at the mean share of their product.
    case unsettledElsewhere
    /// Units whose sale and settlement have other days, at the edge of the period: lines 20 to 23.
    case otherSide
    /// Units that count in another period if they settle so many days after their sale: lines 20 to 22.
    case settlesAfter(days: Int)
    /// The least or the largest amount of another line: line 29.
    case bound(Bridge.Line, isLargest: Bool)
  }

  /// A row of a finance file.
  package struct Place: Hashable, Comparable, Sendable {
    /// The file's index among all files of the run.
    package let fileIndex: Int
    /// The line of the file, from 1.
    package let line: Int

    package init(fileIndex: Int, line: Int) { (self.fileIndex, self.line) = (fileIndex, line) }

    /// Orders rows by file and line.
    package static func < (left: Place, right: Place) -> Bool {
      (left.fileIndex, left.line) < (right.fileIndex, right.line)
    }
  }

  /// Units of a settled row.
  package struct Settled: Equatable, Sendable {
    package let place: Place
    /// The day of the purchase or refund; `nil` in FINANCIAL.
    package let transactionDay: Day?
    /// The day of the settlement; `nil` in FINANCIAL.
    package let settlementDay: Day?
    /// The Partner Share per unit, in milliunits without a sign.
    package let share: Int64
    package let isReturn: Bool
  }

  /// Units of the SALES rows that have one key.
  ///
  /// Units with one key are interchangeable, so that of several rows none can be singled out.
  package struct Sold: Equatable, Sendable {
    package let sale: SaleKey
    /// The number of units, without a sign.
    package var units: Int
  }

  package let reason: Reason
  /// The amount in milliunits, with the sign with which the line adds it.
  package internal(set) var amount: Int128 = 0
  /// The number of units, with the sign of the amount.
  package internal(set) var count = 0
  /// The product's Apple ID; `nil` for an amount of several products.
  package var product: Symbol?
  /// The storefront; `nil` for an amount of several storefronts.
  package var country: Symbol?
  /// The settled row; `nil` for an amount without one.
  package var settled: Settled?
  /// The units of SALES: those that the amount is about, or those with which the settled row is paired.
  package var sold: [Sold] = []
  /// The row of a payments CSV; `nil` for other amounts.
  package var payment: Place?

  init(_ reason: Reason, _ money: CountedMoney) {
    self.reason = reason
    (amount, count) = (money.milliunits, money.units)
  }

  init(_ reason: Reason, amount: Int128) { (self.reason, self.amount) = (reason, amount) }

  /// Names the settled row behind an amount that the builder adds to a line, and the sales that it is paired with.
  init(_ reason: Reason, _ settled: Settled, _ sold: [Sold] = []) {
    (self.reason, self.settled, self.sold) = (reason, settled, sold)
  }

  /// Names the sales behind an amount that the builder adds to a line.
  init(_ reason: Reason, sold: SaleKey, _ units: Int) {
    self.reason = reason
    self.sold = [Sold(sale: sold, units: abs(units))]
  }
}

extension BridgeContribution.Settled {
  init(_ row: FinanceRow, of statement: FinanceStatement) {
    self.init(
      place: BridgeContribution.Place(fileIndex: statement.fileIndex, line: Int(row.line)),
      transactionDay: row.transactionDay, settlementDay: row.settlementDay,
      share: row.partnerShare, isReturn: row.isReturn)
  }

  init(_ row: SettledRow, _ key: UnitKey) {
    self.init(
      place: row.place, transactionDay: row.transactionDay, settlementDay: row.settlementDay,
      share: row.share, isReturn: key.isReturn)
  }
}

extension SaleKey {
  /// Creates the key of units of one day and share.
  init(_ key: UnitKey, _ sold: UnitGroup.SoldUnits) {
    self.init(
      day: sold.day, product: key.product, country: key.country, currency: key.currency,
      customerPrice: key.customerPrice, proceeds: sold.share,
      isRefund: key.isReturn && !sold.isCredit, isCredit: sold.isCredit)
  }
}
