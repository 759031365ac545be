extension ReportText {
  /// A FINANCIAL report of fiscal period FY2026-P04 whose usual row is two sales in the United States.
  package static let financial = ReportText(
    columns: [
      "Start Date", "End Date", "Vendor Identifier", "Quantity", "Partner Share",
      "Extended Partner Share", "Partner Share Currency", "Sales or Return", "Apple Identifier",
      "Title", "Country Of Sale", "Customer Price", "Customer Currency",
    ],
    usual: [
      "Start Date": "12/28/2025", "End Date": "01/31/2026", "Quantity": "2",
      "Partner Share": "6.99", "Extended Partner Share": "13.98", "Partner Share Currency": "USD",
      "Sales or Return": "S", "Apple Identifier": "1460000001", "Title": "Monthly, settled",
      "Country Of Sale": "US", "Customer Price": "9.99", "Customer Currency": "USD",
    ])

  /// A FINANCE_DETAIL report whose usual row is a sale on 5 January 2026, settled a day later.
  package static let financeDetail = ReportText(
    columns: [
      "Transaction Date", "Settlement Date", "Apple Identifier", "Title", "Country of Sale",
      "Quantity", "Partner Share", "Extended Partner Share", "Partner Share Currency",
      "Customer Price", "Customer Currency", "Sale or Return",
    ],
    usual: [
      "Transaction Date": "01/05/2026", "Settlement Date": "01/06/2026",
      "Apple Identifier": "1460000001", "Title": "Monthly", "Country of Sale": "US",
      "Quantity": "1", "Partner Share": "6.99", "Extended Partner Share": "6.99",
      "Partner Share Currency": "USD", "Customer Price": "9.990", "Customer Currency": "USD",
      "Sale or Return": "S",
    ])
}

package let euro = ["Country Of Sale": "DE", "Partner Share Currency": "EUR"]

/// A payments CSV of January 2026, which is fiscal period FY2026-P04.
package func payments(_ rows: String...) -> String {
  let header =
    "Region (Currency),Earned,Input Tax,Adjustments,Withholding Tax,Total Owed,Exchange Rate,"
    + "Proceeds,Bank Account Currency,"
  let title = "\"Payments and Financial Reports\t(January, 2026)\",,,,,,,,,"
  return ([title, ",,,,,,,,,", header] + rows + [",,,,,,,,Paid to EXAMPLE BANK -****0000,"])
    .joined(separator: "\n") + "\n"
}

package let euroPayment = "Euro-Zone (EUR),13.98,0,0,0,13.98,1.10000,15.38,USD,"

private let france = ["Country Of Sale": "FR", "Partner Share Currency": "EUR"]
private let refund = ["Sales or Return": "R", "Quantity": "-1", "Extended Partner Share": "-6.99"]

/// Finance files of one period, and sales to reconcile them with.
package let financeFiles: [String: [UInt8]] = [
  "80012345_0126_EU.txt": ReportText.financial.with(euro, france).bytes,
  "80012345_0126_ZZ.txt": ReportText.financial.with(euro, [:], refund).bytes,
  "80012345_0126_US.txt": ReportText.financial.with(["Quantity": "x"], [:]).bytes
    + Array("Total_Rows\t2\nTotal_Amount\t13.98\nTotal_Units\t2\n".utf8),
  "detail.tsv": ReportText.financeDetail.with([:], ["Country of Sale": "XX"]).bytes,
  "payments.csv": Array(payments(euroPayment).utf8),
  "S_D_80012345_20260105.txt": ReportText.sales.with([:], ["Units": "2"]).bytes,
]
