import Charts
import Rendering
import SubscriptionModel
import Tables

extension Figures {
  /// Returns the columns of those who came, with their words.
  ///
  /// - Parameter source: The source: events know a failed payment, others a gap between periods.
  /// - Returns: The words of each column.
  private static func gains(_ source: Source?) -> KeyValuePairs<String, String> {
    let isEvents = source == .events
    return [
      "started": "new", "converted": "paid after a free period",
      "reactivated": isEvents ? "back after leaving" : "back after more than 60 days",
      "recovered": isEvents ? "back after a failed payment" : "back within 60 days",
      "switched_in": "changed from another product", "first_seen": "first seen in the data",
    ]
  }

  /// Returns the columns of those who went, with their words.
  ///
  /// - Parameter source: The source: events know a failed payment, whatever comes of it; others only count those who
  ///   come back within 60 days.
  /// - Returns: The words of each column.
  private static func losses(_ source: Source?) -> KeyValuePairs<String, String> {
    let isEvents = source == .events
    return [
      "churned": "churned",
      "entered_retry": isEvents
        ? "payment failed" : "left, but back within 60 days",
      "switched_out": "changed to another product",
    ]
  }

  /// The columns of numbers of subscriptions, with their words.
  private static let totals: KeyValuePairs<String, String> = [
    "open": "at the beginning", "close": "at the end, by these steps",
    "close_observed": "at the end", "unexplained": "no event explains",
  ]

  /// The most parts of a bar.
  private static let mostParts = 8

  /// Returns the movement of one month as steps from its beginning to its end.
  ///
  /// - Parameters:
  ///   - table: Rows of `movement`; the last one is shown.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure; `nil` when the number at the beginning or the end is not known.
  static func monthOfMovement(_ table: ReportTable, _ frame: FigureFrame) -> Figure? {
    guard let row = table.namedRows.last, let open = row["open"], let end = row["close_observed"],
      let month = frame.months.month(named: row.text("month"))
    else { return nil }
    let gains = gains(frame.source)
    let losses = losses(frame.source)
    let came = gains.compactMap { column, words in step(row, column, words, sign: 1) }
    let went = losses.compactMap { column, words in step(row, column, words, sign: -1) }
    var steps = [WaterfallRow.total("at the beginning", Double(open))]
    steps += came + went
    let unexplained = row["unexplained"] ?? 0
    if unexplained != 0 { steps.append(.step("no event explains", Double(unexplained))) }
    steps.append(.total("at the end", Double(end)))
    let names = table.columns.map(\.name).filter { $0 != "month" && row.cell($0) != .missing }
    let words = Dictionary(
      uniqueKeysWithValues: [gains, losses, totals].flatMap { $0.map { ($0.key, $0.value) } })
    let values = ReportTable(
      name: table.name, dimensions: [],
      columns: [
        .init("line", .key), .init("meaning", .text), .init(row.text("month"), .count),
      ],
      rows: names.map { [.text($0), .text(words[$0] ?? ""), row.cell($0)] })
    let sum = { (columns: KeyValuePairs<String, String>) in
      columns.reduce(0) { $0 + (row[$1.key] ?? 0) }
    }
    var parts = [
      "\(NumberStyle.grouped(sum(gains))) came", "\(NumberStyle.grouped(sum(losses))) went",
    ]
    if unexplained != 0 {
      parts.append("no event explains \(HeadlineFigures.signed(.count(unexplained)))")
    }
    let there =
      "\(end == 1 ? "was" : "were") there \(frame.unfinished.contains(month) ? "so far" : "at its end")"
    // The words `there so far` mean that a month is not over.
    let gap = frame.states[month] == "partial" ? ", whose data are not complete," : ""
    let sentence =
      "\(month.longName(frame.months).capitalizedFirst)\(gap) began with \(counted(open, "paid subscription")); \(parts.joined(separator: ", ")), and \(NumberStyle.grouped(end)) \(there)."
    return frame.figure(
      "movement-month", "From the beginning to the end of the month", sentence,
      WaterfallChart(rows: steps, format: .count, startsAtZero: false, width: width), values)
  }

  private static func step(
    _ row: ReportTable.NamedRow, _ column: String, _ words: String, sign: Double
  ) -> WaterfallRow? {
    guard let count = row[column], count != 0 else { return nil }
    return .step(words, sign * Double(count))
  }

  /// Returns all months as bars of those who came and went, with the line of paid subscriptions at the month's end.
  static func movement(_ table: ReportTable, _ frame: FigureFrame) -> Figure {
    let rows = MonthlyRows(table, frame.months)
    let came = gains(frame.source).filter { table.hasNumbers($0.key) }
    let went = losses(frame.source).filter { table.hasNumbers($0.key) }
    // Those first seen are in the first months only; they are left out where the bars have too many parts.
    let hidden = came.count + went.count > mostParts ? came.suffix(1) : []
    let series =
      came.dropLast(hidden.count).map {
        BarSeries(name: $0.value, values: rows.numbers($0.key))
      }
      + went.map { part in
        BarSeries(name: part.value, values: rows.numbers(part.key).map { $0.map { -$0 } })
      }
    let chart = StackedBarChart(
      labels: rows.labels, series: Array(series),
      line: LineSeries(name: "at the month's end", points: rows.points("close_observed")),
      marks: rows.marks(frame.events), format: .count, axisTitle: "subscriptions", width: width)
    let trend = TrendWords(
      "The number of paid subscriptions at the month's end", rows, "close_observed", frame)
    let note = hidden.first.map { " Not drawn: \($0.value)." } ?? ""
    return frame.figure(
      "movement", "Who came and who went by month",
      "\(trend.sentence) Bars above 0 came, bars below 0 went.\(note)", chart, table)
  }
}
