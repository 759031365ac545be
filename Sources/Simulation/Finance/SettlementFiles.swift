/// The files of one fiscal period: the same settlement in each of Apple's forms, and the payments.
struct SettlementFiles {
  /// The folders in `finance`, one for each form, so that each can be used without the others.
  static let folders = ["detail", "region", "single", "payments"]

  private let period: FiscalPeriod
  private let base: Int
  private let folder: ReportFolder
  /// The numbers of units by row, with the dates of sale and settlement.
  private let rows: [(key: SettledRow, units: Int)]
  /// The numbers of units by item, without dates.
  private let items: [(key: SettledRow.Item, units: Int)]

  init(period: FiscalPeriod, base: Int, rows: [SettledRow: Int], folder: ReportFolder) {
    self.period = period
    self.base = base
    self.folder = folder
    self.rows = rows.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    var items: [SettledRow.Item: Int] = [:]
    for (row, units) in rows { items[row.item, default: 0] += units }
    self.items = items.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Writes all files; `isPending` if Apple has not paid the period yet.
  func write(_ payouts: [Payout?], isPending: Bool) throws(SimulationError) {
    var detail = DetailSheet(period: period, base: base)
    for (row, units) in rows { detail.append(row, units: units) }
    try write(detail.finished(), rows: rows.count, "detail", "Z1")
    var single = FinancialSheet(period: period)
    for (item, units) in items { single.append(item, units: units) }
    try write(single.finished(), rows: items.count, "single", "ZZ")
    for (index, region) in FinanceRegion.all.enumerated() {
      let own = items.filter { $0.key.region == index }
      guard !own.isEmpty else { continue }
      var sheet = FinancialSheet(period: period)
      for (item, units) in own { sheet.append(item, units: units) }
      let text = sheet.finished(currency: region.currency)
      try write(text, rows: own.count, "region", region.code)
    }
    let payments = PaymentsSheet(period: period, payouts: payouts, isPending: isPending)
    try folder.write(
      Array(payments.text().utf8), to: "finance/payments/financial_report_\(period.monthText).csv")
    folder.summary.add(.finance, rows: payouts.count { $0 != nil })
  }

  private func write(
    _ text: ByteText, rows: Int, _ form: String, _ region: String
  ) throws(SimulationError) {
    let path = "finance/\(form)/\(Catalog.vendor)_\(period.monthText)_\(region).txt.gz"
    try folder.writeCompressed(text, rows: rows, of: .finance, to: path)
  }
}

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

/// A payments CSV: the amounts owed for a fiscal period and the amounts paid to the bank, or Apple's estimate of them.
struct PaymentsSheet {
  let period: FiscalPeriod
  /// The amounts owed, by region.
  let payouts: [Payout?]
  /// Whether the period is not paid yet; its file then has no exchange rates, payout line and bank line.
  let isPending: Bool

  func text() -> String {
    let title = "iTunes Connect - Payments and Financial Reports\t(\(period.monthName))"
    var text = "\"\(title)\"" + blanks + blanks + header
    let rows = zip(FinanceRegion.all, payouts).compactMap { region, payout in
      payout.map { (region: region, payout: $0) }
    }
    for (region, payout) in rows where isPending || payout.isAboveThreshold {
      text += row(payout, region)
    }
    guard !isPending else { return text }
    let paid = rows.filter(\.payout.isAboveThreshold).map(\.payout.proceeds).reduce(0, +)
    text += blanks + String(repeating: ",", count: columnCount - 1)
    text += "\"\(hundredths: paid)\" \(Payout.bankCurrency),\n"
    text += String(repeating: ",", count: columnCount - 1) + "Paid to EXAMPLE BANK -****1299,\n"
    let below = rows.filter { !$0.payout.isAboveThreshold }
    guard !below.isEmpty else { return text }
    text += blanks + header
    for (region, payout) in below { text += row(payout, region) }
    return text
  }

  /// Whether the balance column exists: if a balance was carried over, or is now.
  private var hasBalance: Bool {
    payouts.contains { $0.map { !$0.isAboveThreshold || $0.carriedBalance != 0 } == true }
  }

  private var header: String {
    // Apple puts the balance before the subtotal, which moves all columns after it.
    "Region (Currency),Units Sold,Earned," + (hasBalance ? "Balance," : "")
      + (isPending ? "" : "Pre-Tax Subtotal,") + "Input Tax,Adjustments,Withholding Tax,Total Owed,"
      + (isPending ? "" : "Exchange Rate,") + "Proceeds,Bank Account Currency,\n"
  }

  private var columnCount: Int { header.count { $0 == "," } }

  private var blanks: String { String(repeating: ",", count: columnCount) + "\n" }

  private func row(_ payout: Payout, _ region: FinanceRegion) -> String {
    var text = "\(region.name) (\(Catalog.currencies[region.currency])),\"\(payout.units)\""
    let amounts =
      [payout.earned] + (hasBalance ? [payout.carriedBalance] : [])
      + (isPending ? [] : [payout.earned + payout.carriedBalance]) + [
        payout.inputTax, payout.adjustments, payout.withholdingTax, payout.owed,
      ]
    for amount in amounts {
      // Apple writes zero as a bare 0.
      text += amount == 0 ? ",\"0\"" : ",\"\(amount, currency: region.currency)\""
    }
    if isPending {
      return text + ",\"\(hundredths: payout.estimate)\",\"\(Payout.bankCurrency)\",\n"
    }
    guard payout.isAboveThreshold else { return text + ",,,,\n" }
    // Apple prints five decimals of the rate.
    let rate = (payout.rate + 500) / 1_000
    text += ",\"\(rate / 100_000).\(rate % 100_000, digits: 5)\",\"\(hundredths: payout.proceeds)\""
    return text + ",\"\(Payout.bankCurrency)\",\n"
  }
}

/// The totals below the rows of a settlement.
struct SettlementTotals {
  private struct Pair: Hashable {
    let storefront: Int32
    let currency: Int8
  }

  private var rows = 0
  private var amount = 0
  /// The units sold, without returns.
  private var units = 0
  private var pairs: [Pair: FinanceTruth.Money] = [:]

  /// Adds a row; returns have negative units.
  mutating func add(_ item: SettledRow.Item, units: Int) {
    rows += 1
    amount += units * Int(item.share)
    self.units += max(0, units)
    let pair = Pair(storefront: item.storefront, currency: item.currency)
    pairs[pair, default: FinanceTruth.Money()].amount += units * Int(item.share)
    pairs[pair, default: FinanceTruth.Money()].units += units
  }

  /// Appends the three lines below a region's rows; an amount in yen has no decimals.
  func appendTotals(currency: Int, to text: inout ByteText) {
    text.append("Total_Rows\t\(rows)\nTotal_Amount\t\(amount, currency: currency)\n")
    text.append("Total_Units\t\(units)\n")
  }

  /// Appends the summary by country below the rows of all regions.
  func appendSummary(to text: inout ByteText) {
    text.append("Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share\n")
    for (pair, money) in pairs.sorted(by: { $0.key.storefront < $1.key.storefront }) {
      let country = Catalog.storefronts[Int(pair.storefront)].code
      let currency = Catalog.currencies[Int(pair.currency)]
      text.append("\(country)\t\(currency)\t\(money.units)\t\(hundredths: money.amount)\n")
    }
  }
}
