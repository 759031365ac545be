import Counting
import SubscriptionModel

extension TableMaker {
  /// Makes the rows of `refunds`: METRICS.md section 5.
  func refundRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    return tally.money.cells.flatMap { key, cell in
      [
        refundRow(cell, cell.bySale, key, dating: "sale", report, tally),
        refundRow(cell, cell.byRefund, key, dating: "refund", report, tally),
      ].compactMap { $0 }
    }
  }

  private func refundRow(
    _ cell: MoneyCell, _ refunds: RefundMoney, _ key: MoneyGrid.Key, dating: String,
    _ report: SourceReport, _ tally: ViewTally
  ) -> KeyedRow? {
    guard cell.charges.count != 0 || refunds != RefundMoney() else { return nil }
    let (charged, refunded) = (cell.charges.sum, refunds.sum)
    let isBySale = dating == "sale"
    let mayBeRefundedLater =
      report.completeness.lastFullDay - report.completeness.monthSystem.lastDay(of: key.month)
      < ChainBuilder.retryDays
    let hasPrice =
      !charged.hasForeignPrice && !refunded.hasForeignPrice
      && report.source.hasPrice(in: key.currency)
    let price = { (sum: Int128) in moneyCell(sum, isKnown: hasPrice) }
    let proceeds = { (sum: Int128) in moneyCell(sum, isKnown: report.source.hasProceeds) }
    let keys: [KeyedRow.Key] = [
      .text(report.source.rawValue), .text(dating), .text(report.name(key.month)),
    ]
    return KeyedRow(
      keys: keys + cohortKeys(Int(key.cohort), tally) + [.text(names.text(key.currency))],
      cells: known(
        [
          .count(cell.charges.count), .count(refunds.full), .count(refunds.partial),
          .rate(refunds.full, of: cell.charges.count),
        ] + (isBySale ? intervalCells(refunds.full, of: cell.charges.count) : [.missing, .missing])
          + [
            price(charged.price), price(refunded.price),
            proceeds(charged.proceeds), proceeds(refunded.proceeds),
            report.state(
              of: key.month, isUndecided: isBySale && mayBeRefundedLater,
              isAtEdge: isBySale && report.isNearTransfer(key.month, cohort: Int(key.cohort), tally)
            ).cell,
          ], in: key.month, report))
  }

  /// Makes the rows of `proceeds`: METRICS.md section 5.
  func proceedsRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let cells = tally.money.cells
    // Charges without a price have a row only beside others, so that counts and money can be told apart.
    let hasPrices = cells.contains {
      report.source.hasPrice(in: $0.key.currency) && $0.cell.charges.count != 0
    }
    return cells.compactMap { key, cell in
      let isPriced = report.source.hasPrice(in: key.currency)
      guard isPriced || hasPrices else { return nil }
      let (charged, refunded) = (cell.charges.sum, cell.byRefund.sum)
      let hasForeignPrice = charged.hasForeignPrice || refunded.hasForeignPrice
      let hasRefundedPrice = refunded.price != 0 && !hasForeignPrice
      guard cell.charges.count != 0 || refunded.proceeds != 0 || hasRefundedPrice else {
        return nil
      }
      let price = { (sum: Int128) in moneyCell(sum, isKnown: isPriced && !hasForeignPrice) }
      let proceeds = { (sum: Int128) in moneyCell(sum, isKnown: report.source.hasProceeds) }
      let rate: ReportTable.Cell =
        hasForeignPrice || charged.price == 0 || !report.source.hasProceeds
        ? .missing : .ratio(numerator: charged.proceeds, denominator: charged.price)
      let keys: [KeyedRow.Key] = [.text(report.source.rawValue), .text(report.name(key.month))]
      return KeyedRow(
        keys: keys + cohortKeys(Int(key.cohort), tally) + [.text(names.text(key.currency))],
        cells: known(
          [
            .count(cell.charges.count), price(charged.price), proceeds(charged.proceeds),
            price(refunded.price), proceeds(refunded.proceeds),
            proceeds(charged.proceeds - refunded.proceeds), rate,
          ], in: key.month, report))
    }
  }

  private func moneyCell(_ milliunits: Int128, isKnown: Bool) -> ReportTable.Cell {
    isKnown ? .money(milliunits: milliunits) : .missing
  }
}
