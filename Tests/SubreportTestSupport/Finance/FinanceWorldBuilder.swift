package import Storage
package import SubscriptionModel

/// Builds the records of small worlds of sales and settlements.
package struct FinanceWorldBuilder: Sendable {
  /// What has been built.
  package private(set) var records = FinanceData()
  /// The text of each symbol; the first is blank.
  package private(set) var texts = [""]
  private var line: Int32 = 0

  /// Creates an empty world.
  package init() {}

  /// Returns the symbol of a text.
  package mutating func symbol(_ text: String) -> Symbol {
    if let known = texts.firstIndex(of: text) { return Symbol(known) }
    texts.append(text)
    return Symbol(texts.count - 1)
  }

  /// A product in a storefront at a price.
  package struct Item: Sendable {
    /// The Apple ID.
    package var product = "6001"
    /// The storefront.
    package var country = "US"
    /// The currency of the proceeds.
    package var currency = "USD"
    /// The customer's price in milliunits.
    package var price: Int64 = 9_990
    /// The developer's share in milliunits.
    package var share: Int64 = 6_990

    /// Creates a monthly product in the United States.
    package init() {}

    /// Returns a copy with something changed.
    package func with(_ change: (inout Item) -> Void) -> Item {
      var copy = self
      change(&copy)
      return copy
    }
  }

  /// Adds a report of each day of some periods.
  package mutating func openDays(_ periods: ClosedRange<FiscalPeriod>) {
    for number in periods.lowerBound.firstDay.number...periods.upperBound.lastDay.number {
      records.salesDays.insert(Day(number: number))
    }
  }

  /// Takes the report of a day away, with its sales.
  package mutating func loseDay(_ day: Day) {
    records.salesDays.remove(day)
    records.sales = records.sales.filter { $0.key.day != day }
  }

  /// Adds units to the SALES report of a day.
  package mutating func sell(
    _ item: Item, _ day: Day, units: Int = 1, isRefund: Bool = false, isCredit: Bool = false
  ) {
    guard records.salesDays.contains(day), item.share != 0 else { return }
    let sale = SaleKey(
      day: day, product: symbol(item.product), country: symbol(item.country),
      currency: symbol(item.currency), customerPrice: item.price, proceeds: item.share,
      isRefund: isRefund, isCredit: isCredit)
    records.sales[sale, default: 0] += sale.signed(count: units)
  }

  /// Returns a settled row.
  package mutating func row(
    _ item: Item, units: Int64 = 1, isReturn: Bool = false, sold: Day? = nil, settled: Day? = nil
  ) -> FinanceRow {
    line += 1
    let quantity = isReturn ? -units : units
    return FinanceRow(
      product: symbol(item.product), productName: symbol(item.product),
      country: symbol(item.country), currency: symbol(item.currency), customerPrice: item.price,
      customerCurrency: symbol(item.currency), quantity: quantity, partnerShare: item.share,
      extendedShare: quantity * item.share, transactionDay: sold,
      settlementDay: settled, line: line)
  }

  /// Adds a file.
  package mutating func add(
    _ form: FinanceStatement.Form, _ period: FiscalPeriod, _ rows: [FinanceRow]
  ) {
    records.statements.append(
      FinanceStatement(
        form: form, period: period, vendor: "80012345", fileIndex: records.statements.count,
        rows: rows))
  }

  /// Makes the last file that of another vendor.
  package mutating func setVendor(_ vendor: String) {
    records.statements[records.statements.count - 1].vendor = vendor
  }

  /// Adds a payments CSV.
  package mutating func pay(_ statement: PaymentsStatement) { records.payments.append(statement) }

  /// Takes all payments CSVs away.
  package mutating func removePayments() { records.payments = [] }

  /// Adds a row that could not be read to a file.
  package mutating func reject(_ statement: Int, _ row: RejectedRow) {
    records.statements[statement].rejected.append(row)
  }

  /// Adds a row that could not be read to a SALES report.
  package mutating func rejectSale(_ row: RejectedRow) {
    records.rejectedSales.append((row, 99))
  }

  /// Adds an amount to the first row of a file, as somebody who edits it would.
  package mutating func change(_ statement: Int, by milliunits: Int64) {
    records.statements[statement].rows[0].extendedShare += milliunits
    records.statements[statement].rows[0].partnerShare += milliunits
  }
}
