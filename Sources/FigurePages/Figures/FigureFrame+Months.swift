import Counting
import Pipeline
import SubscriptionModel
import Tables

extension FigureFrame {
  /// Notes which months of a source are not over and which numbers are not final, as of the data's last day.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - result: The run.
  ///   - count: The number of months, the last one that of the data's last day.
  ///   - churn: The churn of the whole population; `nil` if it is not known.
  mutating func noteMonths(
    of kind: TableKind, _ result: RunResult, last count: Int, churn: ReportTable?
  ) {
    guard let report = result.sources.first(where: { $0.source == source }) else { return }
    let completeness = report.completeness
    let last = completeness.lastMonth
    unfinished = completeness.isOver(last) ? [] : [last]
    guard [.movement, .proceeds].contains(kind) else { return }
    let shown = (0..<count).map { last - $0 }
    for month in shown where !completeness.isOver(month) { states[month] = "provisional" }
    for month in shown where completeness.isPartial(month) { states[month] = "partial" }
    // Subscriptions from before the data may not have been seen yet.
    for row in churn?.namedRows ?? [] where kind == .movement {
      guard row.source == report.source.rawValue, row.text("state") == "partial",
        let month = months.month(named: row.text("month"))
      else { continue }
      states[month] = "partial"
    }
  }
}
