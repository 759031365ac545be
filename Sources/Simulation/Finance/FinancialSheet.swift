/// A FINANCIAL file, of one region or of all regions: rows without days.
struct FinancialSheet {
  /// The part below the rows.
  enum Ending {
    /// Three totals, in a region's file.
    case totals(currency: Int)
    /// The summary by country, in the file of all regions.
    case summary
  }

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
    text.append(Self.columns.joined(separator: "\t"))
    text.appendNewline()
  }

  /// Appends a row for a number of equal units.
  mutating func append(_ item: SettledRow.Item, units: Int) {
    let quantity = item.isReturn ? -units : units
    let product = SettledProduct.all[Int(item.product)]
    let currency = Catalog.currencies[Int(item.currency)]
    let customerCurrency = Catalog.currencies[item.customerCurrency]
    totals.add(item, units: quantity)
    text.append("\(dates)\t\t\t\(product.sku)\t\(quantity)\t")
    text.append(hundredths: Int(item.share))
    text.appendTab()
    text.append(hundredths: quantity * Int(item.share))
    text.append("\t\(currency)\t\(item.isReturn ? "R" : "S")\t\(product.appleID)\t")
    text.append("Larkspur Press\t\(product.title)\t\t\t\(product.type)\t\t")
    text.append("\(Catalog.storefronts[Int(item.storefront)].code)\t\t\t")
    text.append(hundredths: item.isReturn ? -Int(item.price) : Int(item.price))
    text.append("\t\(customerCurrency)\n")
  }

  /// Returns the file with its totals or summary.
  consuming func finished(_ ending: Ending) -> ByteText {
    switch ending {
    case .totals(let currency): totals.appendTotals(currency: currency, to: &text)
    case .summary: totals.appendSummary(to: &text)
    }
    return text
  }
}
