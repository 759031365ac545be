import Charts
import Counting
import Pipeline
import SubscriptionModel
import Tables

/// What a figure needs besides the numbers: how months are written, the events on its axis, and its origin.
struct FigureFrame {
  let months: MonthSystem
  /// The source of the numbers, which decides what some of them mean; `nil` for numbers that mean the same in all.
  var source: Source?
  /// The events of a month, in a few words; marks on every line over time.
  var events: [Month: String] = [:]
  /// The months whose numbers are `partial` or `provisional`, of tables that have no column for it.
  var states: [Month: String] = [:]
  /// The months that are not over in the data.
  var unfinished: Set<Month> = []
  /// The end of the title, such as ` (receipts)`; often blank.
  var titleEnd = ""
  /// The files that hold the numbers.
  var files: [String] = []
  /// The command that prints the numbers; `nil` without one.
  var command: String?
  /// The command that lists what the main number is made of; `nil` without one.
  var explanation: String?

  /// Returns a figure with this origin.
  ///
  /// - Parameters:
  ///   - id: The id on the page.
  ///   - title: The title without its end.
  ///   - sentence: What the picture shows.
  ///   - chart: The picture.
  ///   - values: The numbers.
  /// - Returns: The figure.
  func figure(
    _ id: String, _ title: String, _ sentence: String, _ chart: any Chart, _ values: ReportTable
  ) -> Figure {
    Figure(
      id: id, title: title + titleEnd, sentence: sentence, chart: chart,
      values: values.withoutEmptyColumns, files: files, command: command, explanation: explanation)
  }
}

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
