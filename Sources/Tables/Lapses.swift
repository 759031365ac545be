import Counting
import SubscriptionModel

extension Definition {
  /// `lapses`: METRICS.md section 5.
  static func lapses(_ words: SourceWording) -> Definition {
    Definition(
      table: .lapses, title: "Lapses",
      sentence:
        "A lapse is a paid period that was not followed by another charge within \(words.tolerance) of its end; `lapses - recovered` is what the churn table counts.",
      caveat:
        "A return within 60 days (of an instalment 90) may be a payment that Apple collected late or a customer who left and bought again: the table does not tell them apart. Open lapses have no gap yet, so both gap figures are biased short.",
      sources: [.receipts, .subscribers], rowIs: "month × cohort",
      keys: (["source", "month"], []), sizes: ["lapses"],
      columns: [
        .count(
          "lapses", .facts(FactSums.lapses), rank: 1,
          "Paid periods that ended in the month in a lapse."),
        .count(
          "recovered", .facts([.lapseRecovered]), rank: 2,
          "Of these: charged again within 60 days, or 90 after an instalment."),
        .count("reactivated", .facts([.lapseReactivated]), "Of these: charged again later."),
        .count(
          "open_final", .facts([.lapseOpenFinal]), rank: 4,
          "Of these: no return, and at least 60 days old (of instalments 90)."),
        .count(
          "open_provisional", .facts([.lapseOpenProvisional]), rank: 5,
          "Of these: no return yet, and less than 60 days old (of instalments 90)."),
        .number(
          "gap_days_median", .rank(withGap, percent: 50),
          "Median days until the next charge, over recovered and reactivated lapses."),
        .number("gap_days_p90", .rank(withGap, percent: 90), "90th percentile of these days."),
        state(rank: 3),
      ])
  }

  /// The lapses that another charge followed.
  private static let withGap: Set<Counted> = [.fact(.lapseRecovered), .fact(.lapseReactivated)]
}

extension TableMaker {
  /// Makes the rows of `lapses`.
  func lapseRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let tally = report.tally.views[view]
    return monthlyRows(
      .lapses, report, view, undecided: [.lapseOpenProvisional, .endedAtEdge],
      isAtEdge: { report.isNearTransfer($1, cohort: $0, tally) })
  }

  /// Returns the numbers of charges of each month that were refunded in full after 0, 1, 2, … months: METRICS.md 5.
  ///
  /// Example: of 200 charges of May 6 were refunded in May and 2 in July. After 0 and 1 months that is 6 of 200, and
  /// after 2 months 8 of 200.
  package func refundDelayTable() -> ReportTable {
    let whole = views.firstIndex(of: [])
    let rows = sources.filter(\.source.isOfChains).flatMap { report in
      whole.map { refundDelayRows(report, $0) } ?? []
    }
    return ReportTable(
      name: HeadlineTable.refundDelays.rawValue, dimensions: [],
      columns: HeadlineTable.refundDelays.allColumns.map(\.column),
      rows: KeyedRow.cellsInOrder(of: rows))
  }

  private func refundDelayRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    let months = report.completeness.monthSystem
    let last = report.completeness.lastMonth
    return report.tally.views[view].refundDelays(months).flatMap { sale, refunds -> [KeyedRow] in
      guard refunds.charges > 0, sale <= last else { return [] }
      var refunded = 0
      return (0...(last - sale)).map { since in
        refunded += refunds.byDelay[since] ?? 0
        let isOver = report.completeness.isOver(sale + since)
        return KeyedRow(
          keys: [.text(report.source.rawValue), .text(report.name(sale)), .number(since)],
          cells: known(
            [
              .count(refunds.charges), .count(refunded), .rate(refunded, of: refunds.charges),
              (isPartial(report, sale...(sale + since))
                ? SourceReport.State.partial : isOver ? .final : .provisional).cell,
            ], in: sale, report))
      }
    }
  }

  private func isPartial(_ report: SourceReport, _ months: ClosedRange<Month>) -> Bool {
    let days = report.completeness
    return days.isPartial(months.lowerBound)
      || days.lacksDay(
        from: days.monthSystem.firstDay(of: months.lowerBound),
        to: days.monthSystem.lastDay(of: months.upperBound))
  }
}

extension ViewTally {
  /// The paid charges of a month, and how many of them were refunded in full, by months since the sale.
  fileprivate struct Refunds {
    var charges = 0
    var byDelay: [Int: Int] = [:]
  }

  fileprivate func refundDelays(_ months: MonthSystem) -> [Month: Refunds] {
    var refunds: [Month: Refunds] = [:]
    for (key, cell) in money.cells {
      refunds[key.month, default: Refunds()].charges += cell.charges.count
      refunds[key.month]?.byDelay[0, default: 0] += cell.bySale.full
    }
    // A late refund came after the month of its sale.
    open.forEach(where: { $0.kind == .lateRefund }) { period, known, count, _ in
      let sale = Month(number: period.number)
      refunds[sale]?.byDelay[0, default: 0] -= count
      refunds[sale]?.byDelay[months.month(of: known) - sale, default: 0] += count
    }
    return refunds
  }
}
