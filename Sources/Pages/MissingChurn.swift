import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

extension RunResult {
  /// Returns why a month has no churn rate, and which files to add: a sentence without its first words.
  ///
  /// Such as: Sales reports do not say who stayed; add Subscriber reports.
  ///
  /// - Parameters:
  ///   - month: The month; `nil` without any source.
  ///   - source: The source that counts churn on the page, whose files are named first.
  /// - Returns: The sentence.
  func reasonWithoutChurn(_ month: Month?, from source: Source?) -> String {
    let own = Set(sources.map(\.source))
    let add =
      "add Subscriber reports, or Subscription Event with Subscription reports, or receipts."
    guard let month, !own.isEmpty else {
      return "settlements do not say who stayed; \(add)"
    }
    if own == [.sales] { return "Sales reports do not say who stayed; \(add)" }
    if sources.allSatisfy({ !$0.has(.churn) }) {
      return "Subscription reports do not say who left; \(add)"
    }
    let before = plan.monthSystem.firstDay(of: month) - 1
    if source == .receipts,
      let end = sources.first(where: { $0.source == .receipts })?.completeness,
      end.asOf <= before
    {
      return "receipts end on \(PageText.day(end.asOf)); take a new dump."
    }
    let ofReports = sources.filter { $0.source != .sales && $0.source != .receipts }
    for report in ofReports.filter({ $0.source == source }) + ofReports {
      guard let kind = PageContent.kinds(report.source).first?.nameInSentences else { continue }
      if isWithoutFiles(report.source, month) {
        return
          "no \(kind) report of \(month.longName(plan.monthSystem)) is there; download them (\(Self.keptDays))."
      }
      if report.isAfterMonthWithoutFiles(month) {
        return
          "no \(kind) report of \((month - 1).longName(plan.monthSystem)) is there, so who was active on \(PageText.day(before)) is not known."
      }
    }
    if source == .events,
      sources.first(where: { $0.source == .events })?
        .tally.snapshotMonths.contains(month) == false
    {
      return
        "Subscription Event reports do not say how many subscriptions were active before the month; add the Subscription report of \(PageText.day(before))\(own.contains(.subscribers) ? "" : ", or Subscriber reports")."
    }
    let first = sources.filter { $0.source != .sales }.map(\.completeness.firstDay).min()
    if let first, first > before {
      return
        "the data begin on \(PageText.day(first)), so who was active before the month is not known; add the reports of the month before."
    }
    return "no subscription is known to have been active at the end of \(PageText.day(before))."
  }
}
