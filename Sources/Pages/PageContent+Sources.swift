import Counting
import Pipeline
import SubscriptionModel
package import Tables

extension PageContent {
  /// The headline month's rates, churn and active subscriptions in each source; `nil` with one source.
  package var otherSources: ReportTable? {
    guard let headlines else { return nil }
    let sources = result.sources.map(\.source).sorted()
    let rates = HeadlineFigures.figures.filter {
      $0.column.hasSuffix("_rate") || ["close_observed", "churned"].contains($0.column)
    }
    let figures = rates.compactMap { figure -> [ReportTable.Cell]? in
      guard let table = tables[figure.table]?.first(where: \.dimensions.isEmpty),
        let column = table.columns.firstIndex(where: { $0.name == figure.column })
      else { return nil }
      let month = table.filtered("month") { $0 == months.name(headlines.month) }
      let cells = sources.map { source in
        month.filtered("source") { $0 == source.rawValue }.rows.first?[column] ?? .missing
      }
      guard cells.count(where: { $0 != .missing }) > 1 else { return nil }
      return [.text(figure.label)] + cells
    }
    guard !figures.isEmpty else { return nil }
    return ReportTable(
      name: "sources", dimensions: [],
      columns: [.init("number", .text)] + sources.map { .init($0.rawValue, .rate) }, rows: figures
    ).withoutEmptyColumns
  }

  /// Why the numbers of sources differ, in Markdown.
  package var sourceReasons: [String] { result.sources.compactMap(reason) }

  private func reason(_ report: SourceReport) -> String? {
    switch report.source {
    case .subscribers:
      "`subscribers` begins on \(report.completeness.firstDay): subscriptions from before may not have been seen yet."
    case .events:
      "`events` dates a lapse after failed payments at the end of Apple's retry, up to 60 days later than the others, and takes active subscriptions from snapshots."
    case .receipts:
      "`receipts` ends on \(report.completeness.asOf), counts in UTC, and knows only customers whose receipts are in the dumps."
    case .sales: nil
    }
  }
}
