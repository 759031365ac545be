import Storage
import SubscriptionModel
import Tables

extension ReferenceReceiptMetrics {
  /// What was given back of a charge: its percentage, rounded half up to a milliunit.
  func refunded(_ charge: Charge) -> Int128 {
    let price = Int128(charge.price ?? 0)
    guard charge.refund == "partial" else { return price }
    if let refunded = charge.refunded { return min(Int128(refunded), price) }
    return (price * Int128(charge.percentage) * 2 + 100_000) / 200_000
  }

  private func currencies(_ charges: [Charge]) -> Set<Symbol> { Set(charges.map(\.currency)) }

  var refunds: [[ReportTable.Cell]] {
    var rows: [[ReportTable.Cell]] = []
    let paid = charges.filter(\.isPaid)
    for cohort in cohorts {
      for currency in currencies(paid) {
        let own = paid.filter { $0.cohort == cohort && $0.currency == currency }
        for dating in ["sale", "refund"] {
          for month in allMonths {
            let sold = own.filter { $0.start.month == month }
            let back = own.filter { charge in
              charge.isRefunded
                && (dating == "sale" ? charge.start : charge.refundedAt ?? charge.end).month
                  == month
            }
            guard !sold.isEmpty || !back.isEmpty else { continue }
            let keys = ["receipts", dating, "\(month)"] + cohort + [symbols[Int(currency)]]
            rows.append(keys.map { .text($0) } + refundCells(sold, back, month, dating))
          }
        }
      }
    }
    return sortedRows(rows, keys: 4 + dimensions.count)
  }

  private func refundCells(
    _ sold: [Charge], _ back: [Charge], _ month: Month, _ dating: String
  ) -> [ReportTable.Cell] {
    let full = back.count { $0.refund == "full" }
    let isYoung = dating == "sale" && runAsOf - lastSecond(of: month) <= 5_184_000
    let money = { (amount: Int128) -> ReportTable.Cell in
      (sold + back).contains { $0.price == nil } ? .missing : .money(milliunits: amount)
    }
    return [
      .count(sold.count), .count(full), .count(back.count - full), .rate(full, of: sold.count),
    ] + (dating == "sale" ? intervalCells(full, of: sold.count) : [.missing, .missing]) + [
      money(sold.reduce(0) { $0 + Int128($1.price ?? 0) }),
      money(back.reduce(0) { $0 + refunded($1) }), .missing, .missing,
      state(month, isUndecided: isYoung),
    ]
  }

  var proceeds: [[ReportTable.Cell]] {
    var rows: [[ReportTable.Cell]] = []
    let priced = charges.filter { $0.isPaid && $0.price != nil }
    let unpriced = charges.filter { $0.isPaid && $0.price == nil }
    if !priced.isEmpty {
      // What has no price is counted beside what has one.
      for cohort in cohorts {
        for month in allMonths {
          let sold = unpriced.count { $0.cohort == cohort && $0.start.month == month }
          guard sold > 0 else { continue }
          let keys = ["receipts", "\(month)"] + cohort + [""]
          rows.append(
            keys.map { .text($0) } + [.count(sold)] + Array(repeating: .missing, count: 6))
        }
      }
    }
    for cohort in cohorts {
      for currency in currencies(priced) {
        let own = priced.filter { $0.cohort == cohort && $0.currency == currency }
        for month in allMonths {
          let sold = own.filter { $0.start.month == month }
          let back = own.filter { $0.isRefunded && $0.refundedAt?.month == month }
          guard !sold.isEmpty || !back.isEmpty else { continue }
          let keys = ["receipts", "\(month)"] + cohort + [symbols[Int(currency)]]
          rows.append(
            keys.map { .text($0) } + [
              .count(sold.count),
              .money(milliunits: sold.reduce(0) { $0 + Int128($1.price ?? 0) }), .missing,
              .money(milliunits: back.reduce(0) { $0 + refunded($1) }), .missing, .missing,
              .missing,
            ])
        }
      }
    }
    return sortedRows(rows, keys: 3 + dimensions.count)
  }
}
