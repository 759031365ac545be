import Storage

extension ChainBuilder {
  /// Matches each refund with a charge, and marks the charge as refunded.
  mutating func matchRefunds() {
    guard !refundRecords.isEmpty else { return }
    refundRecords.sort { $0.order < $1.order }
    for record in refundRecords {
      let isPartialRow = record.units == 0
      for _ in 0..<max(1, record.units) {
        let found = chargeForRefund(record)
        var refund = Refund(
          day: Day(number: record.day), terms: record.terms, isFull: !isPartialRow, charge: nil)
        if let found {
          let price = terms[Int(charges[found.charge].terms)].price.milliunits
          refund.isFull = !isPartialRow && terms[Int(record.terms)].price.milliunits >= price
          refund.charge = Refund.Charge(period: found.charge, chain: found.chain)
          charges[found.charge].isRefunded = true
          if refund.isFull { charges[found.charge].fullRefundDay = refund.day }
        }
        refunds.append(refund)
      }
    }
  }

  /// Returns the charge of a refund: METRICS.md 2.9.
  ///
  /// It has the same product and country, was charged on the refund's Purchase Date, and is paid
  /// and not yet refunded. Of several, one with the same price is preferred, then one with a higher
  /// price, then the first in file order.
  private func chargeForRefund(_ record: ChargeRecord) -> (charge: Int, chain: Int)? {
    guard record.purchaseDay != ChargeRecord.noDay else { return nil }
    let refund = terms[Int(record.terms)]
    let purchaseDay = Day(number: record.purchaseDay)
    var best: (rank: Int, order: UInt64, charge: Int, chain: Int)?
    for (chainIndex, chain) in chains.enumerated() {
      var index = chain.periods.partitionPoint { charges[$0].day < purchaseDay }
      while index < chain.periods.upperBound, charges[index].day == purchaseDay {
        defer { index += 1 }
        let charge = charges[index]
        let bought = terms[Int(charge.terms)]
        guard !charge.isRefunded, bought.isPaid,
          bought.attributes.product == refund.attributes.product,
          bought.attributes.country == refund.attributes.country
        else { continue }
        let difference = bought.price.milliunits - refund.price.milliunits
        let rank = difference == 0 ? 0 : difference > 0 ? 1 : 2
        if let best, (best.rank, best.order) <= (rank, charge.order) { continue }
        best = (rank, charge.order, index, chainIndex)
      }
    }
    return best.map { ($0.charge, $0.chain) }
  }
}
