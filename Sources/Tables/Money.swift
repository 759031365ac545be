import Counting
import Storage
import SubscriptionModel

extension Definition {
  private static let pricesOfReceipts =
    "In `receipts` only Server Notifications V2 and the Server API state a price: all other charges have no currency and no amounts. None state proceeds."

  private static let refund: Set<Counted> = [.refund(isFull: true), .refund(isFull: false)]

  /// `refunds`: METRICS.md section 5.
  static func refunds(_ words: SourceWording) -> Definition {
    Definition(
      table: .refunds, title: "Refunds",
      sentence:
        "Refund rate = charges refunded in full, divided by the paid charges of the month; dated `sale` by the month of the charge, dated `refund` by the month of the refund.",
      caveat:
        words.text(
          "Refunds can come months after the charge, so rows dated `sale` are provisional for 60 days. Partial refunds (prorated upgrades) are counted separately and are not part of the rate. Dated `refund`, the rate divides the refunds of a month by the charges of the same month, which are mostly other charges, so it has no interval.",
          receipts: pricesOfReceipts),
      sources: [.receipts, .subscribers], rowIs: "dating × month × cohort × currency",
      keys: (["source", "dating", "month"], ["currency"]), sizes: ["charges"],
      columns: [
        .count("charges", .counts([.charge]), rank: 6, "Paid charges of the month."),
        .count(
          "refunds_full", .counts([.refund(isFull: true)]), rank: 4, "Refunds of a whole price."),
        .count(
          "refunds_partial", .counts([.refund(isFull: false)]), "Refunds of a part of a price."),
      ] + rate("refund_rate", "refunds_full", of: "charges", intervalRank: 7) + [
        .money("gross_price", .money([.charge], .price), "Σ customer price of the charges."),
        .money("refunded_price", .money(refund, .price), rank: 2, "Σ customer price given back."),
        .money(
          "gross_proceeds", .money([.charge], .proceeds), "Σ developer proceeds of the charges."),
        .money(
          "refunded_proceeds", .money(refund, .proceeds), rank: 3,
          "Σ developer proceeds given back."),
        state(rank: 5),
      ])
  }

  /// `proceeds`: METRICS.md section 5.
  static func proceeds(_ words: SourceWording, _ target: String?) -> Definition {
    let currencies =
      target.map { "per currency; columns whose names end in \($0) have each amount converted" }
      ?? "per currency and never added across currencies"
    return Definition(
      table: .proceeds, title: "Proceeds",
      sentence:
        "Net proceeds = developer proceeds of the month's paid charges minus those given back by the month's refunds, \(currencies).",
      caveat:
        words.text(
          reports:
            "Sales and Trends figures are Apple's estimates by the customer's date; what is settled and paid follows Apple's fiscal months.",
          receipts: pricesOfReceipts),
      sources: [.receipts, .sales, .subscribers], rowIs: "month × cohort × currency",
      keys: (["source", "month"], ["currency"]), sizes: ["charges"],
      columns: [
        .count("charges", .counts([.charge]), rank: 2, "Paid charges of the month, units counted."),
        .money("gross_price", .money([.charge], .price), "Σ customer price of the charges."),
        .money(
          "gross_proceeds", .money([.charge], .proceeds), rank: 3,
          "Σ developer proceeds of the charges."),
        .money(
          "refunded_price", .money(refund, .price), "Σ customer price given back in the month."),
        .money(
          "refunded_proceeds", .money(refund, .proceeds), rank: 4,
          "Σ developer proceeds given back in the month."),
        .money(
          "net_proceeds",
          .sum(["gross_proceeds", "refunded_proceeds"], minus: ["refunded_proceeds"]), rank: 1,
          "`gross_proceeds - refunded_proceeds`."),
        .rate(
          "effective_rate", .ratio("gross_proceeds", of: "gross_price"),
          "`gross_proceeds / gross_price`."),
      ])
  }
}

extension TableMaker {
  /// Makes the rows of `refunds`.
  func refundRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let row = RowCells(.refunds, report.source)
    return tally.money.cells.flatMap { key, cell in
      [
        refundRow(row, cell, cell.bySale, key, dating: "sale", report, tally),
        refundRow(row, cell, cell.byRefund, key, dating: "refund", report, tally),
      ].compactMap { $0 }
    }
  }

  private func refundRow(
    _ row: RowCells, _ cell: MoneyCell, _ refunds: RefundMoney, _ key: MoneyGrid.Key,
    dating: String, _ report: SourceReport, _ tally: ViewTally
  ) -> KeyedRow? {
    guard cell.charges.count != 0 || refunds != RefundMoney() else { return nil }
    let isBySale = dating == "sale"
    let mayBeRefundedLater =
      report.completeness.lastFullDay - report.completeness.monthSystem.lastDay(of: key.month)
      < ChainBuilder.retryDays
    let state = report.state(
      of: key.month, isUndecided: isBySale && mayBeRefundedLater,
      isAtEdge: isBySale && report.isNearTransfer(key.month, cohort: Int(key.cohort), tally))
    let keys: [KeyedRow.Key] = [
      .text(report.source.rawValue), .text(dating), .text(report.name(key.month)),
    ]
    let cells = row.cells(state, hasIntervals: isBySale) {
      moneyNumber($0, $1, cell, refunds, key.currency, report.source)
    }
    return KeyedRow(
      keys: keys + cohortKeys(Int(key.cohort), tally) + [.text(names.text(key.currency))],
      cells: known(cells, in: key.month, report))
  }

  /// Makes the rows of `proceeds`.
  func proceedsRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let row = RowCells(.proceeds, report.source)
    let cells = tally.money.cells
    // Charges without a price have a row only beside others, so that counts and money can be told apart.
    let hasPrices = cells.contains {
      report.source.hasPrice(in: $0.key.currency) && $0.cell.charges.count != 0
    }
    return cells.compactMap { key, cell in
      guard hasPrices || report.source.hasPrice(in: key.currency) else { return nil }
      let (charged, refunded) = (cell.charges.sum, cell.byRefund.sum)
      let hasForeignPrice = charged.hasForeignPrice || refunded.hasForeignPrice
      let hasRefundedPrice = refunded.price != 0 && !hasForeignPrice
      guard cell.charges.count != 0 || refunded.proceeds != 0 || hasRefundedPrice else {
        return nil
      }
      let keys: [KeyedRow.Key] = [.text(report.source.rawValue), .text(report.name(key.month))]
      let cells = row.cells {
        moneyNumber($0, $1, cell, cell.byRefund, key.currency, report.source)
      }
      return KeyedRow(
        keys: keys + cohortKeys(Int(key.cohort), tally) + [.text(names.text(key.currency))],
        cells: known(cells, in: key.month, report))
    }
  }

  /// Returns the number of charges or refunds of a currency, or the sum of their amounts; `nil` if the source does not
  /// have it in that currency.
  private func moneyNumber(
    _ counted: Counted, _ measure: Measure, _ cell: MoneyCell, _ refunds: RefundMoney,
    _ currency: Symbol, _ source: Source
  ) -> Int128? {
    var isOfCharge = false
    if case .charge = counted { isOfCharge = true }
    if !measure.isMoney {
      if isOfCharge { return Int128(cell.charges.count) }
      if case .refund(isFull: true) = counted { return Int128(refunds.full) }
      return Int128(refunds.partial)
    }
    let (charged, refunded) = (cell.charges.sum, refunds.sum)
    let sum = isOfCharge ? charged : refunded
    if measure == .proceeds { return source.hasProceeds ? sum.proceeds : nil }
    let isKnown =
      !charged.hasForeignPrice && !refunded.hasForeignPrice && source.hasPrice(in: currency)
    return isKnown ? sum.price : nil
  }
}
