/// A FINANCE_DETAIL file: rows with the days of the sale and of the settlement.
struct DetailSheet {
  private static let columns = [
    "Transaction Date", "Settlement Date", "Apple Identifier", "SKU", "Title", "Developer Name",
    "Product Type Identifier", "Country of Sale", "Quantity", "Partner Share",
    "Extended Partner Share", "Partner Share Currency", "Customer Price", "Customer Currency",
    "Sale or Return", "Promo Code", "Order Type", "Region",
  ]

  private let base: Int
  private var text = ByteText()
  private var totals = SettlementTotals()

  init(period: FiscalPeriod, base: Int) {
    self.base = base
    text.append(
      "Vendor Name\tLarkspur Press\nStart Date\t\(CalendarDay.slashedText(period.firstDay))\n"
        + "End Date\t\(CalendarDay.slashedText(period.lastDay))\n")
    text.append(Self.columns.joined(separator: "\t") + "\n")
  }

  /// Appends a row for a number of equal units.
  mutating func append(_ row: SettledRow, units: Int) {
    let item = row.item
    let quantity = item.isReturn ? -units : units
    let product = SettledProduct.all[Int(item.product)]
    totals.add(item, units: quantity)
    text.append(CalendarDay.slashedText(base + Int(row.soldDay)) + "\t")
    text.append(CalendarDay.slashedText(base + Int(row.settledDay)) + "\t")
    text.append("\(product.appleID)\t\(product.sku)\t\(product.title)\t\t\(product.type)\t")
    text.append("\(item.country)\t\(quantity)\t\(item.shareText(units: quantity))\t")
    // Prices have three decimals, and a row has one tab more than there are columns.
    text.append("\(hundredths: item.signedPrice)0\t\(item.customerCurrencyCode)\t")
    text.append("\(item.isReturn ? "R" : "S")\t\t\t\t\n")
  }

  /// Returns the file with its summary.
  consuming func finished() -> ByteText {
    totals.appendSummary(to: &text)
    return text
  }
}
