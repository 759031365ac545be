import Counting
import SubscriptionModel

extension TableMaker {
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
