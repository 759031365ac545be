import Counting
import Storage
import SubscriptionModel

extension Definition {
  /// `commitments`, of instalments: METRICS.md section 5.
  static let commitments = Definition(
    table: .commitments, title: "Commitments",
    sentence:
      "Paid rate = monthly instalments that were paid on time, divided by the instalments that were due in the month; a commitment is twelve of them.",
    caveat:
      "Apple retries a failed instalment for 90 days: one younger than that is pending, and its customer has no access. `remaining` counts instalments that customers have committed to and that are not charged yet; some of them will default.",
    sources: [.receipts, .subscribers], rowIs: "month × cohort × currency",
    keys: (["source", "month"], ["currency"]), sizes: ["running"],
    columns: [
      commitment("running", .running, rank: 1, "Terms that run at the end of the month."),
      commitment(
        "suspended", .suspended, "Of these: the last instalment failed, and Apple retries."),
      commitment(
        "position_unknown", .positionUnknown,
        "Of `running`: began before the data; they are in no other column."),
      commitment("due", .due, rank: 2, "Instalments 2 to 12 that were due in the month."),
      commitment("paid", .paid, rank: 3, "Of these: paid on time."),
      commitment("recovered", .recovered, "Of these: paid late, within 90 days."),
      commitment("defaulted", .defaulted, "Of these: not paid within 90 days."),
      commitment("pending", .pending, rank: 7, "Of these: not decided yet."),
    ] + rate("paid_rate", "paid", of: "due", rank: 4) + [
      commitment(
        "terms_started", .termsStarted, "Terms whose first instalment was charged in the month."),
      commitment(
        "terms_ended", .termsEnded,
        "Terms that ended in the month: paid to the end, refunded, changed or defaulted."),
      commitment(
        "terms_renewed", .termsRenewed, "Of these: paid to the end and continued by any charge."),
      commitment("remaining", .remaining, "Instalments of running terms that are not charged yet."),
      .money(
        "remaining_price", .money([.commitment(.remaining)], .price),
        "The price that customers still owe for these instalments."),
      .money(
        "remaining_proceeds", .money([.commitment(.remaining)], .proceeds),
        "The developer's proceeds from these instalments."),
      state(),
    ])

  private static func commitment(
    _ name: String, _ column: CommitmentColumn, rank: Int? = nil, _ meaning: String
  ) -> Column {
    .count(name, .counts([.commitment(column)]), rank: rank, meaning)
  }
}

extension TableMaker {
  /// Makes the rows of `commitments`.
  func commitmentRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    let last = report.completeness.lastMonth
    let row = RowCells(.commitments, report.source)
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
        let cells = commitmentCells(row, flows, stocks, in: place.currency, month, report)
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
    _ row: RowCells, _ flows: CommitmentCounts, _ stocks: [Symbol: CommitmentCounts],
    in currency: Symbol, _ month: Month, _ report: SourceReport
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
    return row.cells(state) { counted, measure -> Int128? in
      guard case .commitment(let column) = counted else { return nil }
      switch measure {
      case .price: return hasPrice ? stock.remainingPrice : nil
      case .proceeds: return report.source.hasProceeds ? stock.remainingProceeds : nil
      case .count, .value, .rank:
        return Int128(column.isStock ? stock.count(column) : flows.count(column))
      }
    }
  }
}
