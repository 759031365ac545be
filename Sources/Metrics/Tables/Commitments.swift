import SubscriptionModel

extension TableMaker {
  /// Makes the rows of `commitments`: METRICS.md section 5.
  func commitmentRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let last = report.completeness.lastMonth
    return tally.commitments.rows.flatMap { row -> [KeyedRow] in
      guard var month = row.changes.keys.min() else { return [] }
      // Sums stay apart by customer currency until it is clear whether they can be added.
      var stocks: [Symbol: CommitmentCounts] = [:]
      var rows: [KeyedRow] = []
      while month <= last {
        var flows = CommitmentCounts()
        for (currency, change) in row.changes[month] ?? [:] {
          flows.add(change)
          stocks[currency, default: CommitmentCounts()].add(change)
        }
        let cells = commitmentCells(flows, stocks, in: row.currency, month, report)
        if let cells {
          let keys: [KeyedRow.Key] = [.text(report.source.rawValue), .text(report.name(month))]
          rows.append(
            KeyedRow(
              keys: keys + cohortKeys(row.cohort, tally) + [.text(names.text(row.currency))],
              cells: cells))
        }
        month = month + 1
      }
      return rows
    }
  }

  /// Returns the cells of a month; `nil` if it has no counts.
  private func commitmentCells(
    _ flows: CommitmentCounts, _ stocks: [Symbol: CommitmentCounts], in currency: Symbol,
    _ month: Month, _ report: SourceReport
  ) -> [ReportTable.Cell]? {
    let stock = stocks.values.reduce(into: CommitmentCounts()) { $0.add($1) }
    let isOtherwiseEmpty =
      flows.due == 0 && flows.termsStarted == 0 && flows.termsEnded == 0
    if stock.running == 0, isOtherwiseEmpty { return nil }
    let hasForeignPrice = stocks.contains { customer, own in
      customer != currency && own.running != own.positionUnknown
    }
    let hasPrice = report.source.hasPrice(in: currency) && !hasForeignPrice
    let state = report.state(
      of: month, isUndecided: flows.pending > 0, isAtLeftEdge: stock.positionUnknown > 0)
    return [
      .count(stock.running), .count(stock.suspended), .count(stock.positionUnknown),
      .count(flows.due), .count(flows.paid), .count(flows.recovered), .count(flows.defaulted),
      .count(flows.pending), .rate(flows.paid, of: flows.due),
    ] + intervalCells(flows.paid, of: flows.due) + [
      .count(flows.termsStarted), .count(flows.termsEnded), .count(flows.termsRenewed),
      .count(stock.remaining),
      hasPrice ? .money(milliunits: stock.remainingPrice) : .missing,
      report.source.hasProceeds ? .money(milliunits: stock.remainingProceeds) : .missing,
      state.cell,
    ]
  }
}

extension CommitmentGrid {
  /// The data for the rows of one cohort and currency.
  struct Rows {
    var cohort: Int
    var currency: Symbol
    /// The changes of each month, by customer currency.
    var changes: [Month: [Symbol: CommitmentCounts]] = [:]
  }

  /// All counts by cohort and currency, in no order.
  var rows: [Rows] {
    struct Place: Hashable {
      var cohort: Int32
      var currency: Symbol
    }
    var rows: [Place: Rows] = [:]
    for (key, counts) in counts {
      let place = Place(cohort: key.cohort, currency: key.currency)
      rows[place, default: Rows(cohort: Int(key.cohort), currency: key.currency)]
        .changes[key.month, default: [:]][key.customerCurrency] = counts
    }
    return Array(rows.values)
  }
}
