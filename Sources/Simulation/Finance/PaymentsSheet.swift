/// A payments CSV: the amounts owed for a fiscal period and the amounts paid to the bank, or Apple's estimate of them.
struct PaymentsSheet {
  let period: FiscalPeriod
  /// The amounts owed, by region.
  let payouts: [Payout?]
  /// Whether the period is not paid yet; its file then has no exchange rates, payout line and bank line.
  let isPending: Bool

  /// Returns the file.
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
