/// The truth tables of receipts, written only in a world with receipts.
extension TruthWriter {
  /// Returns the counts by month and product.
  func months(_ truth: ReceiptTruth) -> ByteText {
    var text = ByteText()
    text.append(
      "month,product,charges,free_charges,refunds,active,recovered,churned_voluntary,"
        + "churned_billing,churned_price,churned_refund,churned_unknown\n")
    let sorted = truth.cells.sorted { left, right in
      (left.key.month, left.key.product) < (right.key.month, right.key.product)
    }
    for (key, cell) in sorted {
      text.append(timeline.monthText(key.month) + ",")
      text.append(cell: Catalog.products[key.product].sku)
      text.append(",")
      let counts = [
        cell.charges, cell.freeCharges, cell.refunds, cell.active, cell.recovered,
        cell.voluntary, cell.billing, cell.price, cell.refunded, cell.unknown,
      ]
      Self.append(counts, to: &text)
      text.appendNewline()
    }
    return text
  }

  /// Returns the one row of totals over all customers.
  func totals(_ truth: ReceiptTruth) -> ByteText {
    var text = ByteText()
    text.append("customers,purchases,covered_seconds\n")
    Self.append([truth.customerCount, truth.purchaseCount, truth.coveredSeconds], to: &text)
    text.appendNewline()
    return text
  }
}
