import Counting
import Storage
import SubscriptionModel

extension TableMaker {
  /// Makes the rows of `commitments`: METRICS.md section 5.
  func commitmentRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let last = report.completeness.lastMonth
    struct Place: Hashable {
      var cohort: Int32
      var currency: Symbol
    }
    let places = Dictionary(grouping: tally.commitments.counts) {
      Place(cohort: $0.key.cohort, currency: $0.key.currency)
    }
    return places.flatMap { place, counts -> [KeyedRow] in
      let changes = Dictionary(grouping: counts, by: \.key.month)
      guard var month = changes.keys.min() else { return [] }
      // Sums are separate by customer currency until it is clear whether they can be added.
      var stocks: [Symbol: CommitmentCounts] = [:]
      var rows: [KeyedRow] = []
      while month <= last {
        var flows = CommitmentCounts()
        for (key, change) in changes[month] ?? [] {
          flows.add(change)
          stocks[key.customerCurrency, default: CommitmentCounts()].add(change)
        }
        let cells = commitmentCells(flows, stocks, in: place.currency, month, report)
        if let cells = cells.map({ known($0, in: month, report) }) {
          let keys: [KeyedRow.Key] = [.text(report.source.rawValue), .text(report.name(month))]
          rows.append(
            KeyedRow(
              keys: keys + cohortKeys(Int(place.cohort), tally)
                + [.text(names.text(place.currency))],
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
    if [stock.running, flows.due, flows.termsStarted, flows.termsEnded].allSatisfy({ $0 == 0 }) {
      return nil
    }
    let hasForeignPrice = stocks.contains { customer, own in
      customer != currency && own.running != own.positionUnknown
    }
    let hasPrice = report.source.hasPrice(in: currency) && !hasForeignPrice
    let state = report.state(
      of: month, isUndecided: flows.pending > 0, isAtEdge: stock.positionUnknown > 0)
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
