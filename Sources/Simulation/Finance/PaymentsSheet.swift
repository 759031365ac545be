/// A payments CSV: the amounts owed for a fiscal period and, once it is paid, the amounts paid to the bank.
struct PaymentsSheet {
  let period: FiscalPeriod
  /// The amounts owed, by region.
  let payouts: [Payout?]
  /// Whether the period is not paid yet; its file then has no columns for the payment.
  let isPending: Bool

  /// Returns the file.
  func text() -> ByteText {
    var text = ByteText()
    let title = "iTunes Connect - Payments and Financial Reports\t(\(period.monthName))"
    text.append("\"\(title)\"" + blanks + blanks)
    text.append(header)
    let rows = zip(FinanceRegion.all, payouts).compactMap { region, payout in
      payout.map { (region: region, payout: $0) }
    }
    for (region, payout) in rows where isPending || payout.isAboveThreshold {
      append(payout, region, to: &text)
    }
    guard !isPending else { return text }
    text.append(blanks)
    let paid = rows.filter(\.payout.isAboveThreshold).map(\.payout.proceeds).reduce(0, +)
    text.append(String(repeating: ",", count: columnCount - 1) + "\"")
    text.append(hundredths: paid)
    text.append("\" \(Payout.bankCurrency),\n")
    let below = rows.filter { !$0.payout.isAboveThreshold }
    guard !below.isEmpty else { return text }
    text.append(blanks)
    text.append(header)
    for (region, payout) in below { append(payout, region, to: &text) }
    return text
  }

  /// Whether the balance column exists: if a balance was carried over, or is now.
  private var hasBalance: Bool {
    payouts.contains { $0.map { !$0.isAboveThreshold || $0.carriedBalance != 0 } == true }
  }

  private var header: String {
    // Apple puts the balance before the subtotal, which moves all columns after it.
    "Region (Currency),Units Sold,Earned," + (hasBalance ? "Balance," : "")
      + "Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,Total Owed,"
      + (isPending ? "\n" : "Exchange Rate,Proceeds,Bank Account Currency,\n")
  }

  private var columnCount: Int { header.count { $0 == "," } }

  private var blanks: String { String(repeating: ",", count: columnCount) + "\n" }

  private func append(_ payout: Payout, _ region: FinanceRegion, to text: inout ByteText) {
    text.append("\(region.name) (\(Catalog.currencies[region.currency])),\"\(payout.units)\"")
    let amounts =
      [payout.earned] + (hasBalance ? [payout.carriedBalance] : []) + [
        payout.earned + payout.carriedBalance, payout.inputTax, payout.adjustments,
        payout.withholdingTax, payout.owed,
      ]
    for amount in amounts {
      text.append(",\"")
      // Apple writes zero as a bare 0.
      if amount == 0 { text.append("0") } else { text.append(amount, currency: region.currency) }
      text.append("\"")
    }
    if !isPending, payout.isAboveThreshold {
      text.append(",\"")
      text.append(rate: payout.rate)
      text.append("\",\"")
      text.append(hundredths: payout.proceeds)
      text.append("\",\"\(Payout.bankCurrency)\",")
    } else {
      text.append(isPending ? "," : ",,,,")
    }
    text.appendNewline()
  }
}

extension ByteText {
  /// Appends a rate, given in hundred-millionths, with the five decimals that Apple prints.
  fileprivate mutating func append(rate: Int) {
    let digits = (rate + 500) / 1_000
    append(number: digits / 100_000)
    append(".")
    for place in [10_000, 1_000, 100, 10, 1] { append(number: digits / place % 10) }
  }
}
