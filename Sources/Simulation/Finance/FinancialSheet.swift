/// A FINANCIAL file, of one region or of all regions: rows without days.
struct FinancialSheet {
  private static let columns = [
    "Start Date", "End Date", "UPC", "ISRC/ISBN", "Vendor Identifier", "Quantity", "Partner Share",
    "Extended Partner Share", "Partner Share Currency", "Sales or Return", "Apple Identifier",
    "Artist/Show/Developer/Author", "Title", "Label/Studio/Network/Developer/Publisher", "Grid",
    "Product Type Identifier", "ISAN/Other Identifier", "Country Of Sale", "Pre-order Flag",
    "Promo Code", "Customer Price", "Customer Currency",
  ]

  private let dates: String
  private var text = ByteText()
  private var totals = SettlementTotals()

  init(period: FiscalPeriod) {
    dates =
      CalendarDay.slashedText(period.firstDay) + "\t" + CalendarDay.slashedText(period.lastDay)
    text.append(Self.columns.joined(separator: "\t") + "\n")
  }

  /// Appends a row for a number of equal units.
  mutating func append(_ item: SettledRow.Item, units: Int) {
    let quantity = item.isReturn ? -units : units
    let product = SettledProduct.all[Int(item.product)]
    totals.add(item, units: quantity)
    text.append("\(dates)\t\t\t\(product.sku)\t\(quantity)\t\(item.shareText(units: quantity))\t")
    text.append("\(item.isReturn ? "R" : "S")\t\(product.appleID)\tLarkspur Press\t")
    text.append("\(product.title)\t\t\t\(product.type)\t\t\(item.country)\t\t\t")
    text.append("\(hundredths: item.signedPrice)\t\(item.customerCurrencyCode)\n")
  }

  /// Returns the file with the totals of a region in a currency, or with a summary by country.
  consuming func finished(currency: Int? = nil) -> ByteText {
    if let currency {
      totals.appendTotals(currency: currency, to: &text)
    } else {
      totals.appendSummary(to: &text)
    }
    return text
  }
}
