import Storage
import SubscriptionModel
import Tables

extension ReferenceMetrics {
  private struct Money {
    let paid: [Charge]
    let refunds: [RefundRow]
    let currency: Symbol

    var isEmpty: Bool { paid.isEmpty && refunds.isEmpty }
    var full: Int { refunds.count { $0.refund.isFull } }
    var hasForeignPrice: Bool {
      paid.contains { $0.terms.price.currency != currency }
        || refunds.contains { $0.terms.price.currency != currency }
    }
    var grossPrice: Int128 { paid.reduce(0) { $0 + Int128($1.terms.price.milliunits) } }
    /// Whether `proceeds` has something to print: a charge, or a refund of more than nothing.
    var hasProceeds: Bool {
      !paid.isEmpty || refundedProceeds != 0 || (refundedPrice != 0 && !hasForeignPrice)
    }
    var grossProceeds: Int128 { paid.reduce(0) { $0 + Int128($1.terms.proceeds.milliunits) } }
    var refundedPrice: Int128 { refunds.reduce(0) { $0 + Int128($1.terms.price.milliunits) } }
    var refundedProceeds: Int128 {
      refunds.reduce(0) { $0 + Int128($1.terms.proceeds.milliunits) }
    }

    func price(_ milliunits: Int128) -> ReportTable.Cell {
      hasForeignPrice ? .missing : .money(milliunits: milliunits)
    }
  }

  /// Returns the rows of `refunds` or of `proceeds`: by cohort, month, currency, and dating.
  func moneyRows(isRefunds: Bool) -> [[ReportTable.Cell]] {
    let currencies = Set(
      charges.map(\.terms.proceeds.currency) + refunds.map(\.terms.proceeds.currency))
    var rows: [[ReportTable.Cell]] = []
    for cohort in cohorts {
      let own = charges.filter { $0.cohort == cohort }
      let paid = own.filter(\.isPaid)
      let returned = refunds.filter { $0.cohort == cohort }
      for month in months {
        for currency in currencies {
          for dating in isRefunds ? ["sale", "refund"] : ["refund"] {
            let money = Money(
              paid: paid.filter {
                $0.startMonth == month && $0.terms.proceeds.currency == currency
              },
              refunds: returned.filter {
                (dating == "sale" ? $0.saleMonth : $0.month) == month
                  && $0.terms.proceeds.currency == currency
              }, currency: currency)
            guard isRefunds ? !money.isEmpty : money.hasProceeds else { continue }
            let keys =
              ["subscribers"] + (isRefunds ? [dating] : []) + [written(month)] + cohort
              + [symbols[Int(currency)]]
            let isAtEdge = dating == "sale" && isNearTransfer(month, own)
            let cells =
              isRefunds ? refundCells(money, month, dating, isAtEdge) : proceedsCells(money)
            rows.append(keys.map { .text($0) } + known(cells, month))
          }
        }
      }
    }
    return sortedRows(rows, keys: (isRefunds ? 4 : 3) + dimensions.count)
  }

  private func refundCells(
    _ money: Money, _ month: Month, _ dating: String, _ isAtEdge: Bool
  ) -> [ReportTable.Cell] {
    let isYoung = dating == "sale" && asOf - monthSystem.lastDay(of: month) < 60
    return [
      .count(money.paid.count), .count(money.full), .count(money.refunds.count - money.full),
      .rate(money.full, of: money.paid.count),
    ] + (dating == "sale" ? intervalCells(money.full, of: money.paid.count) : [.missing, .missing])
      + [
        money.price(money.grossPrice), money.price(money.refundedPrice),
        .money(milliunits: money.grossProceeds), .money(milliunits: money.refundedProceeds),
        state(month, isUndecided: isYoung, isAtEdge: isAtEdge),
      ]
  }

  private func proceedsCells(_ money: Money) -> [ReportTable.Cell] {
    let isRateKnown = !money.hasForeignPrice && money.grossPrice != 0
    return [
      .count(money.paid.count), money.price(money.grossPrice),
      .money(milliunits: money.grossProceeds), money.price(money.refundedPrice),
      .money(milliunits: money.refundedProceeds),
      .money(milliunits: money.grossProceeds - money.refundedProceeds),
      isRateKnown
        ? .ratio(numerator: money.grossProceeds, denominator: money.grossPrice) : .missing,
    ]
  }
}
