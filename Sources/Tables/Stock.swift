import Counting
import SubscriptionModel

/// The number of paid subscriptions that were active on the last day before each month.
struct Stock {
  private let report: SourceReport
  private let view: ViewTally
  private var atStart: [[Int]] = []
  /// The months after one without files.
  private let unknownMonths: Set<Month>

  init(_ report: SourceReport, _ viewIndex: Int) {
    self.report = report
    view = report.tally.views[viewIndex]
    let days = report.completeness
    let first = min(report.tally.firstPaidMonth ?? days.firstMonth, days.firstMonth)
    unknownMonths = Set(
      (0...max(0, days.lastMonth - first)).map { first + $0 }
        .filter(report.isAfterMonthWithoutFiles))
    guard report.source.isOfChains else { return }
    let grid = view.facts
    atStart = view.index.cohorts.indices.map { cohort in
      var active = 0
      return (0..<grid.monthCount).map { offset in
        let month = grid.firstMonth + offset
        active += grid.count(.becameActive, cohort: cohort, month: month)
        active -= grid.count(.stoppedBeingActive, cohort: cohort, month: month)
        return active
      }
    }
  }

  /// Returns the number on the last day before a month; `nil` if it is unknown.
  ///
  /// Chains have it for every month; events only for a month with a snapshot of exactly that day. It is unknown after a
  /// month without files.
  func before(_ month: Month, cohort: Int) -> Int? {
    if !unknownMonths.isEmpty, unknownMonths.contains(month) { return nil }
    guard report.source.isOfChains else {
      guard view.isInSnapshot, report.tally.snapshotMonths.contains(month) else { return nil }
      return view.facts.count(.snapshotActive, cohort: cohort, month: month)
    }
    let offset = month - view.facts.firstMonth
    guard offset >= 0 else { return 0 }
    return offset < atStart[cohort].count ? atStart[cohort][offset] : nil
  }
}
