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

  /// Fewer charges of a month say little: the cell is grey.
  private static let fewCharges = 30

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

  /// Returns how the share of refunded charges grows with the months since the sale.
  ///
  /// - Parameters:
  ///   - table: Rows of `refund_delays` of one source.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure; `nil` without a sale.
  static func refundTriangle(_ table: ReportTable, _ frame: FigureFrame) -> Figure? {
    let sales = Set(table.namedRows.map { $0.text("month") }).sorted().suffix(mostPeriods)
    guard let first = sales.first, let last = sales.last else { return nil }
    var cells: [String: [Int: ReportTable.NamedRow]] = [:]
    for row in table.namedRows {
      guard let since = row["months_since"], since < mostPeriods else { continue }
      cells[row.text("month"), default: [:]][since] = row
    }
    let most = sales.compactMap { cells[$0]?.keys.max() }.max() ?? 0
    let delays = Array(0...most)
    let values = ReportTable(
      name: table.name, dimensions: [],
      columns: [ReportTable.Column("month", .key)]
        + delays.map { ReportTable.Column(String($0), .rate) },
      rows: sales.map { sale -> [ReportTable.Cell] in
        let row = cells[sale] ?? [:]
        return [ReportTable.Cell.text(sale)]
          + delays.map { row[$0]?.cell("cumulative_rate") ?? .missing }
      })
    var figure = frame.figure(
      "refund-triangle", "Refunded by months since the sale",
      "Each row is a month of sales, from \(first) to \(last), each column the months since then; the number is the share of its charges that had been refunded in full by then, in percent. Empty: still to come.",
      HeatMap(
        rowLabels: Array(sales), columnLabels: delays.map { String($0) },
        cells: sales.map { sale in delays.map { triangleCell(cells[sale]?[$0]) } },
        rowTitle: "month of the sale", columnTitle: "months since",
        mutedNote: "fewer than \(fewCharges) charges", width: wideWidth), values)
    figure.isWide = true
    return figure
  }

  private static func triangleCell(_ row: ReportTable.NamedRow?) -> HeatCell? {
    guard let row, let rate = row.cell("cumulative_rate").drawn, let charges = row["charges"],
      let refunded = row["refunded"], charges > 0
    else { return nil }
    let tenths = (2_000 * refunded + charges) / (2 * charges)
    return HeatCell(
      rate, text: "\(tenths / 10).\(tenths % 10)", isMuted: charges < fewCharges,
      note:
        "\(HeadlineFigures.text(row.cell("cumulative_rate"))): \(NumberStyle.grouped(refunded)) of \(NumberStyle.grouped(charges)), \(row.text("state"))"
    )
  }
}
