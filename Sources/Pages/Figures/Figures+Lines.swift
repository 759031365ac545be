import Charts
import Rendering
import Storage
import SubscriptionModel
import Tables

extension Figures {
  /// The lines of a figure: those of the largest values.
  private static let mostLines = 6

  /// The column that a view's lines show, and the one that says how large a line is.
  private static let drawn: [TableKind: (column: String, size: String, name: String)] = [
    .churn: ("churn_rate", "active_start", "Churn rate"),
    .renewals: ("renewal_rate", "due", "Renewal rate"),
    .lapses: ("lapses", "lapses", "Lapses"),
    .refunds: ("refund_rate", "charges", "Refund rate"),
    .retention: ("survival", "at_risk", "Kept"),
    .movement: ("close_observed", "close_observed", "Paid subscriptions at the month's end"),
    .proceeds: ("net_proceeds", "charges", "Net proceeds"),
    .trials: ("conversion_rate", "trials", "Conversion rate"),
    .commitments: ("paid_rate", "due", "Paid rate"),
    .recurring: ("mrr", "active", "MRR"),
    .status: ("paid", "paid", "Paid subscriptions at the month's end"),
  ]

  /// Returns a line for each of the largest values of a view; of money, in the currency with most charges.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - table: The rows of one source.
  ///   - dimensions: The view's dimensions.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure; `nil` without a row.
  static func lines(
    _ kind: TableKind, _ table: ReportTable, _ dimensions: [String], _ frame: FigureFrame
  ) -> Figure? {
    guard let drawn = drawn[kind] else { return nil }
    let currency = table.mainCurrencies(limit: 1).first ?? ""
    let rows = table.filtered("currency") { currency.isEmpty || $0 == currency }
    let named = rows.namedRows
    let groups = Dictionary(grouping: named.indices) { place in
      ExactText(dimensions.map { name(named[place].text($0)) }.joined(separator: ", "))
    }
    let sizes = groups.mapValues { places in
      places.reduce(0) { $0 + (named[$1][drawn.size] ?? 0) }
    }
    let largest = sizes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(mostLines)
    guard !largest.isEmpty else { return nil }
    let parts = largest.map { name, _ -> Curve in
      var own = rows
      own.rows = (groups[name] ?? []).map { rows.rows[$0] }
      return (name: name.text, table: own)
    }
    let by = dimensions.map { $0.replacing("_", with: " ") }.joined(separator: " and ")
    let id = "\(kind.rawValue)-by-\(dimensions.joined(separator: "-"))"
    let unit = currency.isEmpty ? "" : ", \(currency)"
    if kind == .retention { return retention(id, "Kept, by \(by)", parts, frame) }
    return lines(
      id, "\(drawn.name) by \(by)\(unit)", drawn.column, parts, currency: currency,
      hidden: groups.count - parts.count, rows, frame)
  }

  /// Returns one line of a table's main column; `nil` for a table without one.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - table: The rows of one source and currency.
  ///   - currency: The currency of an amount; blank for a count.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure.
  static func line(
    _ kind: TableKind, _ table: ReportTable, _ currency: String, _ frame: FigureFrame
  ) -> Figure? {
    drawn[kind].map { drawn in
      lines(
        kind.rawValue, drawn.name, drawn.column, [(name: drawn.name, table: table)],
        currency: currency, hidden: 0, table, frame)
    }
  }

  private static func lines(
    _ id: String, _ title: String, _ column: String, _ parts: [Curve], currency: String,
    hidden: Int, _ all: ReportTable, _ frame: FigureFrame
  ) -> Figure {
    let axis = MonthlyRows(all, frame.months)
    let series = parts.map { part in
      LineSeries(
        name: part.name,
        points: MonthlyRows(part.table, frame.months, on: axis.months)
          .points(column, currency: currency))
    }
    let isMoney = column == "net_proceeds" || column == "mrr"
    let isCount = all.columns.first { $0.name == column }?.kind == .count
    let format: ValueFormat =
      isMoney ? .amount(decimals: NumberStyle.decimals(of: currency)) : isCount ? .count : .percent
    let first = parts.first.map {
      TrendWords($0.name, MonthlyRows($0.table, frame.months), column, frame).sentence
    }
    let more = hidden > 0 ? " Not drawn: \(counted(hidden, "smaller one"))." : ""
    return frame.figure(
      id, title,
      "\(parts.count == 1 ? "" : "\(parts.count) lines, the largest first. ")\(first ?? "")\(more)",
      LineChart(
        labels: axis.labels, series: series, marks: axis.marks(frame.events), format: format,
        axisTitle: currency, width: width), all)
  }

  /// Returns the lost renewals of the rows of `price_impact` with their intervals; `nil` for another table.
  static func increases(_ table: ReportTable, _ frame: FigureFrame) -> Figure? {
    guard table.name == "price_impact" else { return nil }
    let names = ["product", "country"] + table.dimensions
    let rows = table.namedRows.compactMap { row -> ForestRow? in
      guard let loss = row.cell("excess_churn").drawn else { return nil }
      let keys = names.map { row.text($0) } + ["from \(row.text("effective"))"]
      return ForestRow(
        name: keys.joined(separator: ", "), estimate: loss, low: row.cell("excess_low").drawn,
        high: row.cell("excess_high").drawn, group: row.source)
    }
    return frame.figure(
      "price-impact", "Lost renewals of each increase",
      "\(counted(rows.count, "estimate")). Right of the line at 0 renewals were lost; left of it there were more than elsewhere. A break-even loss is to be compared with the observed loss, which is another share, not with these.",
      ForestPlot(
        rows: rows, format: .percent, isSigned: true, axisTitle: "lost renewals", width: width),
      table)
  }
}
