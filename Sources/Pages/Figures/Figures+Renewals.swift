import Charts
import SubscriptionModel
import Tables

extension Figures {
  /// Returns what became of the periods that were due to renew, by month, with the line of the renewal rate.
  ///
  /// Events count who comes back on the day of the payment, and not as a part of those due.
  static func renewals(_ table: ReportTable, _ frame: FigureFrame) -> Figure {
    let isEvents = frame.source == .events
    let parts: KeyValuePairs<String, String> =
      isEvents
      ? [
        "renewed": "renewed", "lapsed": "lapsed", "pending": "payment failed",
      ]
      : [
        "renewed": "renewed", "recovered": "recovered later", "lapsed": "lapsed",
        "pending": "not decided yet",
      ]
    var figure = outcomes(
      "renewals", "Renewals by outcome", whole: "due", parts: parts,
      besides: isEvents
        ? (key: "recovered", value: "came back after a failed payment of this or an earlier month")
        : nil,
      rate: ("renewal_rate", "Renewal rate"), table, frame)
    // On a page this is the first place with the words.
    if table.hasNumbers("lapsed") {
      figure.sentence +=
        isEvents
        ? " Lapsed: a Cancel event at the end of a paid period. Payment failed: the outcome is counted when it comes."
        : " Lapsed: no charge within 60 days of the end (after an instalment: 90)."
    }
    return figure
  }

  /// Returns what became of free trials by the month of their start, with the line of the conversion rate.
  ///
  /// The rate of a month without a trial that is decided is not known, and not 0.
  static func trials(_ table: ReportTable, _ frame: FigureFrame) -> Figure {
    var figure = outcomes(
      "trials", "Trials by month of their start", whole: "trials",
      parts: [
        "converted": "converted", "not_converted": "not converted", "pending": "not decided yet",
      ], rate: ("conversion_rate", "Conversion rate"), withoutUndecidedRates(table), frame)
    if table.namedRows.contains(where: { ($0["pending"] ?? 0) > 0 }) {
      figure.sentence +=
        " Where trials are not decided yet, the rate counts them as not converted so far; where none is decided, it is not known."
    }
    return figure
  }

  /// Returns rows of `trials`; where all trials are pending, words stand in place of the rate.
  private static func withoutUndecidedRates(_ table: ReportTable) -> ReportTable {
    let rate = table.columns.firstIndex { $0.name == "conversion_rate" }
    let bounds = ["low", "high"].compactMap { name in
      table.columns.firstIndex { $0.name == name }
    }
    guard let rate else { return table }
    var table = table
    for (place, row) in table.namedRows.enumerated() {
      guard let pending = row["pending"], pending > 0, row["trials"] == pending else { continue }
      table.rows[place][rate] = .text("not decided yet")
      for bound in bounds { table.rows[place][bound] = .missing }
    }
    return table
  }

  /// Returns lapses by month and what followed.
  static func lapses(_ table: ReportTable, _ frame: FigureFrame) -> Figure {
    outcomes(
      "lapses", "Lapses by what followed", whole: "lapses",
      parts: [
        "recovered": "charged again within 60 days", "reactivated": "charged again later",
        "open_final": "not charged again", "open_provisional": "not decided yet",
      ], rate: nil, table, frame)
  }

  /// Returns instalments by month and what became of them; of all currencies, one is shown.
  static func commitments(_ table: ReportTable, _ frame: FigureFrame) -> Figure {
    outcomes(
      "commitments", "Instalments by outcome", whole: "due",
      parts: [
        "paid": "paid", "recovered": "paid late", "defaulted": "not paid",
        "pending": "not decided yet",
      ], rate: ("paid_rate", "Paid rate"), table, frame)
  }

  /// Returns bars of outcomes with the line of a rate.
  private static func outcomes(
    _ id: String, _ title: String, whole: String, parts: KeyValuePairs<String, String>,
    besides: (key: String, value: String)? = nil, rate: (column: String, name: String)?,
    _ table: ReportTable, _ frame: FigureFrame
  ) -> Figure {
    let rows = MonthlyRows(table, frame.months)
    let found = parts.filter { table.hasNumbers($0.key) }
    let line = rate.map { rate in
      LineSeries(name: rate.name, points: rows.points(rate.column, hasInterval: true))
    }
    let chart = StackedBarChart(
      labels: rows.labels,
      series: found.map { BarSeries(name: $0.value, values: rows.numbers($0.key)) },
      line: line, marks: rows.marks(frame.events), provisional: rows.provisional, format: .count,
      lineFormat: rate == nil ? nil : .percent, width: width)
    let outcome = lastMonth(found, whole, rows, frame, besides: besides)
    let trend = rate.map { TrendWords($0.name, rows, $0.column, frame).sentence }
    let sentence = [outcome, trend].compactMap { $0 }.joined(separator: " ")
    return frame.figure(id, title, sentence, chart, table)
  }
}
