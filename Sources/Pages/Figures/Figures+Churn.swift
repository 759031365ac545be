import Charts
import Rendering
import SubscriptionModel
import Tables

/// The figures of the tables: each from the rows of one source.
enum Figures {
  /// The width of a figure in its own units, in which text is 12 high: narrow, so that it can be read on a phone.
  static let width = 460.0
  /// The width of a figure with many columns, which scrolls on a phone.
  static let wideWidth = 900.0
}

extension Figures {
  /// Returns the churn rate by month, with its interval as a band.
  ///
  /// - Parameters:
  ///   - table: Rows of `churn`, one for each month.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure.
  static func churnRate(_ table: ReportTable, _ frame: FigureFrame) -> Figure {
    rate("churn-rate", "Churn rate", "churn_rate", table, frame)
  }

  /// Returns a rate by month, with its interval as a band.
  static func rate(
    _ id: String, _ name: String, _ column: String, _ table: ReportTable, _ frame: FigureFrame
  ) -> Figure {
    let rows = MonthlyRows(table, frame.months)
    let chart = LineChart(
      labels: rows.labels,
      series: [LineSeries(name: name, points: rows.points(column, hasInterval: true))],
      marks: rows.marks(frame.events), format: .percent, width: width)
    let sentence = TrendWords(name, rows, column, frame).sentence
    let band = chart.isEmpty ? "" : " The band is the 95 % interval."
    return frame.figure(id, "\(name) by month", sentence + band, chart, table)
  }

  /// Returns the churned subscriptions by month and reason; `nil` when the source has no reasons.
  static func churnReasons(_ table: ReportTable, _ frame: FigureFrame) -> Figure? {
    let rows = MonthlyRows(table, frame.months)
    let found = ChurnReason.allCases.map { (key: $0.column, value: $0.name) }
      .filter { table.hasNumbers($0.key) }
    guard !found.isEmpty else { return nil }
    let chart = StackedBarChart(
      labels: rows.labels,
      series: found.map { BarSeries(name: $0.value, values: rows.numbers($0.key)) },
      marks: rows.marks(frame.events), provisional: rows.provisional, format: .count,
      axisTitle: "subscriptions", width: width)
    let columns = ["month", "churned"] + found.map(\.key) + ["state"]
    // The source can be another than that of the figure above.
    let reservation =
      switch rows.states.last {
      case "partial": " The data of the month are not complete."
      case "provisional": " These numbers can still change."
      default: ""
      }
    return frame.figure(
      "churn-reasons", "Churned subscriptions by reason",
      lastMonth(found, "churned", rows, frame) + reservation, chart, table.keeping(columns.contains)
    )
  }

  /// Returns the parts of the last bar in a sentence.
  ///
  /// Such as: In September 2026 of 38 churned: 25 canceled by the customer, 8 payment failed.
  ///
  /// - Parameters:
  ///   - parts: The columns of the parts, with their words.
  ///   - whole: The column of the whole.
  ///   - rows: The rows by month.
  ///   - frame: How months are written.
  ///   - besides: A column that is no part of the whole, with its words; `nil` for none.
  /// - Returns: The sentence.
  static func lastMonth(
    _ parts: [(key: String, value: String)], _ whole: String, _ rows: MonthlyRows,
    _ frame: FigureFrame, besides: (key: String, value: String)? = nil
  ) -> String {
    guard let month = rows.months.last else { return "No month has a number." }
    let last = { (column: String) in rows.cells(column).last.map { HeadlineFigures.text($0) } ?? ""
    }
    let shown = parts.map { (last($0.key), $0.value) }.filter { !["", "0"].contains($0.0) }
      .map { "\($0.0) \($0.1)" }
    let number = last(whole)
    let noun = HTMLTable.heading(.init(whole, .count))
    // Trials and lapses are counted; other columns are such as `due`.
    let isCounted = number == "1" && noun.hasSuffix("s")
    let of = number.isEmpty ? "" : " of \(number) \(isCounted ? String(noun.dropLast()) : noun)"
    let isKnown =
      parts.isEmpty ? !number.isEmpty : parts.contains { !last($0.key).isEmpty }
    let list = shown.isEmpty ? (isKnown ? "none" : "not known") : shown.joined(separator: ", ")
    let other = besides.map { last($0.key) } ?? ""
    let end = ["", "0"].contains(other) ? "" : "; besides, \(other) \(besides?.value ?? "")"
    return "In \(month.longName(frame.months))\(of): \(list)\(end)."
  }
}
