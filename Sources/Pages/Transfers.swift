import Counting
import Pipeline
import SubscriptionModel
import Tables

/// The lines about apps that moved from one account to another: METRICS.md 2.13.
struct Transfers {
  /// A line for each transfer, in the order of their days.
  let lines: [String]
  /// The same in the words of the page.
  let pageLines: [String]

  init(_ result: RunResult) {
    guard let report = result.sources.first(where: { $0.source == .subscribers }) else {
      (lines, pageLines) = ([], [])
      return
    }
    let days = report.completeness
    let transfers = days.transfers.all.sorted { $0.day < $1.day }
    let line = { (transfer: AppTransfer, isOnPage: Bool) -> String in
      let id = result.names.text(transfer.app)
      let name = result.names.app(transfer.app)
      let app = name == id || name.hasSuffix("(\(id))") ? name : "\(name) (\(id))"
      let vendors = (
        days.transfers.vendors[Int(transfer.from)], days.transfers.vendors[Int(transfer.to)]
      )
      let day = isOnPage ? PageText.day(transfer.day) : transfer.day.description
      return
        "app \(app) moved from vendor \(vendors.0) to \(vendors.1) on \(day); Apple gave its subscribers new ids; \(Self.partialMonths(transfer, report, isOnPage))"
    }
    lines = transfers.map { line($0, false) }
    pageLines = transfers.map { line($0, true) }
  }

  /// Returns such as `2026-01 to 2026-04 are partial`, and until when churn is.
  private static func partialMonths(
    _ transfer: AppTransfer, _ report: SourceReport, _ isOnPage: Bool
  ) -> String {
    let months = report.completeness.months(around: transfer.day)
    let (first, last) = (months.lowerBound, months.upperBound)
    let system = report.completeness.monthSystem
    let name = { (month: Month) in isOnPage ? PageText.long(month, system) : system.name(month) }
    let words =
      "\(name(first)) to \(name(last)) are \(isOnPage ? "incomplete" : "partial")"
    // Before this day, subscribers who came with the app may not have been charged yet.
    guard let whole = report.tally.views.first(where: \.index.dimensions.isEmpty),
      let edge = whole.transfers(cohort: 0).first(where: { $0.day == transfer.day })?.edge
    else { return words }
    let lastOfChurn = system.month(of: edge - 1)
    return lastOfChurn > last ? "\(words), churn to \(name(lastOfChurn))" : words
  }

  /// The rows of health.csv.
  var healthRows: [[ReportTable.Cell]] {
    lines.map { RunResult.healthRow(Source.subscribers.rawValue, note: $0) }
  }
}
