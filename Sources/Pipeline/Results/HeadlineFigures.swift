import Metrics
import Rendering
import SubscriptionModel

/// The page's headline numbers: the last complete month beside the month before.
struct HeadlineFigures {
  private let result: RunResult
  private let tables: [TableKind: [ReportTable]]

  struct Figure {
    let label: String
    let table: TableKind
    let column: String
  }

  static let figures: [Figure] = [
    Figure(
      label: "Paid subscriptions at the month's end", table: .movement, column: "close_observed"),
    Figure(label: "Paid subscriptions at its beginning", table: .churn, column: "active_start"),
    Figure(label: "Churned", table: .churn, column: "churned"),
    Figure(label: "Churn rate", table: .churn, column: "churn_rate"),
    Figure(label: "Due to renew", table: .renewals, column: "due"),
    Figure(label: "Renewal rate", table: .renewals, column: "renewal_rate"),
    Figure(label: "Trials started", table: .trials, column: "trials"),
    Figure(label: "Trial conversion rate", table: .trials, column: "conversion_rate"),
  ]

  init(_ result: RunResult, _ tables: [TableKind: [ReportTable]]) {
    self.result = result
    self.tables = tables
  }

  func text() -> String {
    guard let month = result.lastCompleteMonth() else { return "" }
    var rows: [[ReportTable.Cell]] = []
    for figure in Self.figures { rows += self.rows(figure, month) }
    for currency in currencies(month) {
      for figure in Self.moneyFigures { rows += self.rows(figure, month, currency) }
    }
    guard !rows.isEmpty else { return "" }
    let table = ReportTable(
      name: "headlines", dimensions: [],
      columns: [
        .init("figure", .text), .init("source", .text), .init("\(month)", .rate),
        .init("\(month - 1)", .rate), .init("change", .rate), .init("state", .text),
      ], rows: rows)
    let names = [month, month - 1].map { $0.longName(result.plan.monthSystem) }
    return "## \(names[0]) against \(names[1])\n\n"
      + TableRenderer(.md).text(of: table) + "\n"
  }

  /// Of each currency.
  static let moneyFigures: [Figure] = [
    Figure(label: "Net proceeds", table: .proceeds, column: "net_proceeds"),
    Figure(
      label: "Refund rate of the month's charges", table: .refunds, column: "refund_rate"),
  ]

  private func currencies(_ month: Month) -> [String] {
    tables[.proceeds]?.first.map {
      $0.filtered("month") { $0 == month.description }.mainCurrencies(limit: 3)
    } ?? []
  }

  private func rows(
    _ figure: Figure, _ month: Month, _ currency: String? = nil
  ) -> [[ReportTable.Cell]] {
    guard var table = tables[figure.table]?.first(where: \.dimensions.isEmpty) else { return [] }
    table = table.filtered("dating") { $0 == "sale" }
    if let currency { table = table.filtered("currency") { $0 == currency } }
    guard let value = table.columns.firstIndex(where: { $0.name == figure.column }) else {
      return []
    }
    let stateColumn = table.columns.firstIndex { $0.name == "state" }
    return result.sources.compactMap { report in
      // Few receipts know a currency, so a currency's charges in them are not the month's.
      if currency != nil, report.source == .receipts { return nil }
      let own = table.filtered("source") { $0 == report.source.rawValue }
      let now = own.filtered("month") { $0 == month.description }.rows.first
      let before = own.filtered("month") { $0 == (month - 1).description }.rows.first
      guard let now, now[value] != .missing else { return nil }
      let old = before?[value] ?? Self.nothing(table.columns[value], report, month - 1)
      return [
        .text(figure.label + (currency.map { ", " + $0 } ?? "")), .text(report.source.rawValue),
        now[value], old,
        Self.change(from: old, to: now[value]),
        stateColumn.map { now[$0] } ?? .text(""),
      ]
    }
  }

  /// What a month without a row has: nothing, in a month that the source knows from its first day.
  private static func nothing(
    _ column: ReportTable.Column, _ report: SourceReport, _ month: Month
  ) -> ReportTable.Cell {
    guard report.completeness.firstDay <= report.completeness.monthSystem.firstDay(of: month) else {
      return .missing
    }
    return switch column.kind {
    case .count: .count(0)
    case .money: .money(milliunits: 0)
    case .rate, .number, .key, .text: .missing
    }
  }

  /// The difference of two numbers of one kind; of rates in percentage points.
  static func change(from old: ReportTable.Cell, to new: ReportTable.Cell)
    -> ReportTable.Cell
  {
    switch (old, new) {
    case (.count(let old), .count(let new)): .text(signed(String(new - old), new - old > 0))
    case (.money(let old), .money(let new)):
      .text(signed(NumberStyle.money(milliunits: new - old), new - old > 0))
    case (.ratio(let oldAbove, let oldBelow), .ratio(let newAbove, let newBelow)):
      .text(points(newAbove * oldBelow - oldAbove * newBelow, over: oldBelow * newBelow))
    default: .missing
    }
  }

  private static func points(_ numerator: Int128, over denominator: Int128) -> String {
    let text = NumberStyle.percentage(numerator, over: denominator)
    return signed(String(text.dropLast()), numerator > 0) + " points"
  }

  private static func signed(_ text: String, _ isPositive: Bool) -> String {
    isPositive ? "+" + text : text
  }
}
