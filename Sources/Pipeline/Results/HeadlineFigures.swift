package import Metrics
import Rendering
import SubscriptionModel

/// The headline numbers of the summary page: the last complete month compared with the month before.
package struct HeadlineFigures {
  private let result: RunResult
  private let tables: [TableKind: [ReportTable]]

  struct Figure {
    let label: String
    let table: TableKind
    let column: String
    /// The parts of a rate in words, such as `renewed of due`.
    var parts: String? = nil
  }

  /// The number of currencies shown: those with the most charges.
  private static let shownCurrencies = 3

  static let figures: [Figure] = [
    Figure(
      label: "Paid subscriptions at the month's end", table: .movement, column: "close_observed"),
    Figure(label: "Paid subscriptions at its beginning", table: .churn, column: "active_start"),
    Figure(label: "Churned", table: .churn, column: "churned"),
    Figure(
      label: "Churn rate", table: .churn, column: "churn_rate",
      parts: "churned of those at its beginning"),
    Figure(label: "Due to renew", table: .renewals, column: "due"),
    Figure(
      label: "Renewal rate", table: .renewals, column: "renewal_rate", parts: "renewed of due"),
    Figure(label: "Trials started", table: .trials, column: "trials"),
    Figure(
      label: "Trial conversion rate", table: .trials, column: "conversion_rate",
      parts: "converted of started"),
  ]

  init(_ result: RunResult, _ tables: [TableKind: [ReportTable]]) {
    self.result = result
    self.tables = tables
  }

  /// Returns a month as tables write it.
  private func name(_ month: Month) -> String { result.plan.monthSystem.name(month) }

  func text() -> String {
    guard let month = result.lastCompleteMonth() else { return "" }
    var rows: [Row] = []
    for figure in Self.figures { rows += self.rows(figure, month) }
    let ofMonth = tables[.proceeds]?.first?.filtered("month") { $0 == name(month) }
    let currencies = ofMonth?.mainCurrencies(limit: Self.shownCurrencies) ?? []
    for currency in currencies {
      for figure in Self.moneyFigures { rows += self.rows(figure, month, currency) }
    }
    let commitments = tables[.commitments]?.first?.filtered("month") { $0 == name(month) }
    for currency in commitments?.mainCurrencies(limit: Self.shownCurrencies) ?? [] {
      for figure in Self.commitmentFigures { rows += self.rows(figure, month, currency) }
    }
    guard !rows.isEmpty else { return "" }
    let table = ReportTable(
      name: "headlines", dimensions: [],
      columns: [
        .init("figure", .text), .init("source", .text), .init(name(month), .rate),
        .init("made of", .rate), .init(name(month - 1), .rate), .init("change", .rate),
        .init("state", .text),
      ], rows: rows.map(\.cells)
    ).withoutEmptyColumns
    let names = [month, month - 1].map { $0.longName(result.plan.monthSystem) }
    let isCompared = rows.contains(where: \.showsEarlier)
    var text = "## \(names[0])\(result.isOver(month) ? "" : ", which is not over")"
    text += (isCompared ? " against \(names[1])" : "") + "\n\n"
    text += TableRenderer(.md).text(of: table) + "\n"
    let reasons = rows.compactMap(\.reason)
    if !reasons.isEmpty {
      var seen: Set<String> = []
      let each = reasons.filter { seen.insert($0).inserted }.joined(separator: "; ")
      text += "No change is shown where the months cannot be compared: \(each).\n\n"
    }
    if let hidden = ofMonth?.hiddenCurrencies(besides: currencies) {
      text += "Money: \(hidden) All of it: `proceeds.csv`.\n\n"
    }
    return text
  }

  /// A line of the table.
  private struct Row {
    var cells: [ReportTable.Cell]
    /// Whether it has a number for the month before.
    var showsEarlier: Bool
    /// The reason why no change is shown although the month has a number.
    var reason: String?
  }

  /// The figures shown for each currency.
  static let moneyFigures: [Figure] = [
    Figure(label: "Net proceeds", table: .proceeds, column: "net_proceeds"),
    Figure(
      label: "Refund rate of the month's charges", table: .refunds, column: "refund_rate",
      parts: "refunded in full of charged"),
  ]

  /// The figures shown for each currency if there are commitments.
  static let commitmentFigures: [Figure] = [
    Figure(label: "Commitments running", table: .commitments, column: "running"),
    Figure(label: "Commitments suspended", table: .commitments, column: "suspended"),
    Figure(
      label: "Still owed under commitments", table: .commitments, column: "remaining_price"),
    Figure(
      label: "Proceeds of what is still owed", table: .commitments, column: "remaining_proceeds"),
  ]

  private func rows(
    _ figure: Figure, _ month: Month, _ currency: String? = nil
  ) -> [Row] {
    guard var table = tables[figure.table]?.first(where: \.dimensions.isEmpty) else { return [] }
    table = table.filtered("dating") { $0 == "sale" }
    if let currency { table = table.filtered("currency") { $0 == currency } }
    guard let value = table.columns.firstIndex(where: { $0.name == figure.column }) else {
      return []
    }
    let stateColumn = table.columns.firstIndex { $0.name == "state" }
    let wholeView = result.plan.views.firstIndex(of: [])
    return result.sources.compactMap { report in
      // Few receipts have a currency, so their charges in it are not all charges of the month.
      if currency != nil, report.source == .receipts, figure.table != .commitments { return nil }
      let own = table.filtered("source") { $0 == report.source.rawValue }
      let now = own.filtered("month") { $0 == name(month) }.rows.first
      let before = own.filtered("month") { $0 == name(month - 1) }.rows.first
      guard let now, now[value] != .missing else { return nil }
      let note = Self.noteOfUnknown(figure, table.columns, now)
      let pair = MonthPair(report, month, wholeView: wholeView)
      let old =
        pair.showsEarlier(figure.table)
        ? before?[value] ?? Self.nothing(table.columns[value], report, month - 1) : .missing
      let states = stateColumn.map { column in [now, before].compactMap { $0?[column] } } ?? []
      let canCompare = pair.canCompare(figure.table, states)
      return Row(
        cells: [
          .text(label(of: figure, month, report) + note + Self.suffix(currency)),
          .text(report.source.rawValue), now[value], Self.parts(of: now[value]), old,
          canCompare ? Self.change(from: old, to: now[value]) : .missing,
          stateColumn.map { now[$0] } ?? .text(""),
        ], showsEarlier: old != .missing, reason: canCompare ? nil : pair.reason)
    }
  }

  /// Returns the currency to append to a label; blank when there is none, or receipts do not state it.
  private static func suffix(_ currency: String?) -> String {
    guard let currency, !currency.isEmpty else { return "" }
    return ", " + currency
  }

  /// Returns the number of terms of unknown position that an amount owed leaves out; blank without any.
  private static func noteOfUnknown(
    _ figure: Figure, _ columns: [ReportTable.Column], _ row: [ReportTable.Cell]
  ) -> String {
    guard figure.table == .commitments, figure.column.hasPrefix("remaining"),
      let column = columns.firstIndex(where: { $0.name == "position_unknown" }),
      case .count(let count) = row[column], count > 0
    else { return "" }
    return " (not known for \(counted(count, "term")))"
  }

  /// Returns the label of a line; for a month that is not over, the stock is that of as-of.
  private func label(of figure: Figure, _ month: Month, _ report: SourceReport) -> String {
    if figure.table == .movement, !report.completeness.isOver(month) {
      return "Paid subscriptions on \(report.completeness.asOf)"
    }
    return figure.label + (figure.parts.map { " (\($0))" } ?? "")
  }

  /// The counts of a rate, such as `29 of 290`.
  private static func parts(of cell: ReportTable.Cell) -> ReportTable.Cell {
    guard case .ratio(let part, let whole) = cell else { return .missing }
    return .text("\(part) of \(whole)")
  }

  /// Returns the value of a month without a row: 0 if the source covers the month from its first day.
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

  /// Returns the difference of two numbers of one kind; for rates, in percentage points.
  package static func change(from old: ReportTable.Cell, to new: ReportTable.Cell)
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
