/// The truth tables of receipts, written only in a world with receipts.
extension TruthWriter {
  /// Returns the counts by month and product.
  func months(_ truth: ReceiptTruth) -> String {
    table(
      "month,product,\(truth.counts.header)",
      truth.counts.rows.map { month, product, values in
        let sku = Self.cell(Catalog.products[product].sku)
        return "\(timeline.monthText(month)),\(sku),\(Self.fields(values))"
      })
  }

  /// Returns the one row of totals over all customers.
  func totals(_ truth: ReceiptTruth) -> String {
    "customers,purchases,covered_seconds\n"
      + "\(truth.customerCount),\(truth.purchaseCount),\(truth.coveredSeconds)\n"
  }
}
