import Charts
import Rendering
import SubscriptionModel
import Tables

extension Figures {
  /// Returns the proceeds of one currency by month: kept above 0, given back below it, with the line of the difference.
  ///
  /// - Parameters:
  ///   - table: Rows of `proceeds` of one currency, one for each month.
  ///   - currency: The currency.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure.
  static func proceeds(
    _ table: ReportTable, _ currency: String, _ frame: FigureFrame
  ) -> Figure {
    let rows = MonthlyRows(table, frame.months)
    let back = rows.numbers("refunded_proceeds").map { $0.map { -$0 } }
    let chart = StackedBarChart(
      labels: rows.labels,
      series: [
        BarSeries(name: "proceeds of charges", values: rows.numbers("gross_proceeds")),
        BarSeries(name: "given back", values: back),
      ],
      line: LineSeries(
        name: "net proceeds", points: rows.points("net_proceeds", currency: currency)),
      marks: rows.marks(frame.events),
      format: .amount(decimals: NumberStyle.decimals(of: currency)), axisTitle: currency,
      width: width)
    let trend = TrendWords(
      "Net proceeds", rows, "net_proceeds", frame, currency: currency, isPlural: true)
    return frame.figure(
      "proceeds-\(currency)", "Proceeds by month", trend.sentence, chart, table)
  }

  /// Returns the parts of net proceeds in one month, the largest first.
  ///
  /// - Parameters:
  ///   - dimension: The property that the parts differ in, such as `country`.
  ///   - table: Rows of `proceeds` by that dimension, of one month and currency, with the columns of `--against`.
  ///   - currency: The currency.
  ///   - month: The month in words.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure.
  static func parts(
    by dimension: String, _ table: ReportTable, _ currency: String, month: String,
    _ frame: FigureFrame
  ) -> Figure {
    let changeText = { (row: ReportTable.NamedRow) in
      HeadlineFigures.signed(row.cell("net_proceeds_change"), currency: currency)
    }
    let sorted = table.sorted(by: TableShape.Order(column: "net_proceeds", isDescending: true))
    let rows = sorted.namedRows.prefix(10).compactMap { row -> BarRow? in
      let cell = row.cell("net_proceeds")
      guard let size = cell.drawn else { return nil }
      let change = changeText(row)
      let amount = HeadlineFigures.text(cell, currency: currency)
      return BarRow(
        name: name(row.text(dimension)), value: size,
        text: change.isEmpty ? amount : "\(amount) (\(change))")
    }
    let more = table.rows.count - rows.count
    let first = rows.first.map { "\($0.name) brought most: \($0.text ?? "") \(currency)" } ?? "None"
    let chart = BarChart(
      rows: Array(rows), format: .amount(decimals: NumberStyle.decimals(of: currency)),
      axisTitle: "net proceeds, \(currency)", width: width)
    let isCompared = sorted.namedRows.prefix(10).contains { !changeText($0).isEmpty }
    let brackets = isCompared ? " In brackets the change since the month before." : ""
    let rest = more > 0 ? " Not drawn: \(counted(more, "smaller one"))." : ""
    let columns = [
      dimension, "currency", "charges", "net_proceeds", "net_proceeds_before",
      "net_proceeds_change",
    ]
    return frame.figure(
      "proceeds-by-\(dimension)", "Net proceeds by \(dimension): \(currency) in \(month)",
      "\(first).\(brackets)\(rest)", chart,
      sorted.keeping(columns.contains))
  }

  /// Returns a value of a dimension in words; a blank one is unknown.
  static func name(_ value: String) -> String { value.isEmpty ? "unknown" : value }

  /// Returns the share of charges that was refunded so far, by month of the sale.
  ///
  /// - Parameters:
  ///   - table: Rows of `refund_delays` of one source.
  ///   - frame: The origin of the rows, and the state of each month's refund rate.
  /// - Returns: The figure.
  static func refunds(_ table: ReportTable, _ frame: FigureFrame) -> Figure {
    let newest = Dictionary(grouping: table.rows.indices) { table.rows[$0][0] }
      .compactMap { $0.value.max() }.sorted()
    var last = table
    last.rows = newest.map { table.rows[$0] }
    let rows = MonthlyRows(last, frame.months)
    // The state of a month is that of its refund rate, which changes for longer than these rows.
    let states = rows.months.map { frame.states[$0] ?? "" }
    let points = zip(rows.points("cumulative_rate"), states).map { point, state -> LinePoint? in
      var point = point
      point?.isProvisional = state == "provisional"
      point?.isPartial = state == "partial"
      return point
    }
    let chart = LineChart(
      labels: rows.labels, series: [LineSeries(name: "refunded so far", points: points)],
      marks: rows.marks(frame.events), format: .percent, width: width)
    let trend = TrendWords(
      "The share of charges that was refunded", rows, "cumulative_rate", frame,
      newest: states.last)
    return frame.figure(
      "refunds", "Refunds by month of the sale",
      "\(trend.sentence) Refunds of the newest months are still to come.", chart,
      last.keeping { $0 != "state" })
  }
}
