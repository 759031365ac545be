package import Pipeline
import Rendering
import SubscriptionModel
package import Tables

/// The numbers of the whole population that one run compares with the next.
package enum HeadlineFigures {
  struct Figure {
    package let label: String
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

  /// The numbers with a row for each currency: money, and commitments.
  private static let figuresByCurrency: [Figure] = [
    Figure(label: "Net proceeds", table: .proceeds, column: "net_proceeds"),
    Figure(label: "Refund rate of the month's charges", table: .refunds, column: "refund_rate"),
    Figure(label: "Commitments running", table: .commitments, column: "running"),
    Figure(label: "Commitments suspended", table: .commitments, column: "suspended"),
    Figure(
      label: "Still owed under commitments", table: .commitments, column: "remaining_price"),
    Figure(
      label: "Proceeds of what is still owed", table: .commitments, column: "remaining_proceeds"),
  ]

  /// Returns the difference of two numbers of one kind in words, such as `+8`, `-3.10 points` or `unchanged`.
  package static func change(
    from old: ReportTable.Cell, to new: ReportTable.Cell, currency: String = ""
  ) -> ReportTable.Cell {
    let text = worded(new.change(since: old), currency: currency)
    return text.isEmpty ? .missing : .text(text)
  }

  /// The words for no change.
  package static let unchanged = "unchanged"

  /// Returns a change in words, such as `+8`, `-3.10 points` or `unchanged`; blank for a cell that is no difference.
  package static func worded(_ change: ReportTable.Cell, currency: String = "") -> String {
    let isRate: Bool
    switch change {
    case .count(0), .money(milliunits: 0), .ratio(numerator: 0, denominator: _): return unchanged
    case .count, .money: isRate = false
    case .ratio: isRate = true
    case .missing, .text, .fraction, .hundredths: return ""
    }
    let text = signed(change, currency: currency)
    let isZero = !text.contains { ("1"..."9").contains($0) }
    if isRate { return isZero ? "changed by less than 0.01 points" : text + " points" }
    return isZero ? unchanged : text
  }

  /// Returns a change with its sign, of a rate in points: `+8`, `-3.10`; blank for other cells.
  package static func signed(_ change: ReportTable.Cell, currency: String = "") -> String {
    NumberStyle.signed(rounded(change, currency: currency), currency: currency) ?? ""
  }

  /// Returns a number for people; blank when it is missing.
  package static func text(_ cell: ReportTable.Cell, currency: String = "") -> String {
    switch rounded(cell, currency: currency) {
    case .ratio(let numerator, let denominator):
      NumberStyle.percentage(numerator, over: denominator)
    case .fraction(let fraction): NumberStyle.percentage(fraction) ?? ""
    case .count(let count): NumberStyle.grouped(count)
    case .money(let milliunits): NumberStyle.amount(milliunits: milliunits, currency: currency)
    case .text(let text): text
    case .missing, .hundredths: ""
    }
  }

  /// Returns a number as sentences have it: amounts rounded to the decimals of their currency, if it is not blank.
  package static func rounded(_ cell: ReportTable.Cell, currency: String) -> ReportTable.Cell {
    guard case .money(let milliunits) = cell, !currency.isEmpty else { return cell }
    return .money(milliunits: ImpactSection.rounded(milliunits, currency: currency))
  }
}

extension Headline {
  /// The number's name on pages.
  package var label: String {
    switch self {
    case .active: "Active subscriptions"
    case .netChange: "Net change"
    case .churnRate: "Churn rate"
    case .renewalRate: "Renewal rate"
    case .conversionRate: "Trial conversion"
    case .conversionSoFar: "Trial conversion so far"
    case .refundRate: "Refund rate"
    case .netProceeds: "Net proceeds"
    case .mrr: "Recurring revenue"
    }
  }
}

extension HeadlineFigures {
  /// A headline number of the whole population in a month.
  package typealias Past = (name: PastName, value: ReportTable.Cell)

  /// Identifies a headline number.
  package struct PastName: Hashable {
    package var label: String
    package var source: String
    package var month: String

    package init(label: String, source: String, month: String) {
      self.label = label
      self.source = source
      self.month = month
    }
  }

  /// Returns the headline numbers of the whole population for every month in the tables.
  package static func ofAllMonths(_ result: RunResult) throws(ConversionError) -> [Past] {
    let maker = result.tableMaker()
    guard let whole = result.plan.views.firstIndex(of: []) else { return [] }
    var all: [Past] = []
    for figure in figures + figuresByCurrency where maker.allows(figure.table) {
      all += rows(of: figure, in: try maker.table(figure.table, view: whole))
    }
    return all
  }

  /// Reads one number from each row; a table with a row for each currency gives one number for each.
  private static func rows(of figure: Figure, in table: ReportTable) -> [Past] {
    table.namedRows.compactMap { row in
      guard let source = row.cell("source").words, let month = row.cell("month").words,
        row.cell("dating").words.map({ $0 == "sale" }) != false
      else { return nil }
      let currency = row.cell("currency").words.map { ", " + $0 } ?? ""
      // The amount owed for terms that all began before the data is not known, and not 0.
      let isUnknown =
        figure.column.hasPrefix("remaining") && row["running"] != 0
        && row["running"] == row["position_unknown"]
      return (
        PastName(label: figure.label + currency, source: source, month: month),
        isUnknown ? .missing : row.cell(figure.column)
      )
    }
  }
}

extension Dimension {
  /// The dimension in words, such as `start month`.
  package var words: String { rawValue.replacing("_", with: " ") }
}

extension DriverSplit {
  /// The split in words, such as `start month` or `movement`.
  package var words: String { dimension?.words ?? rawValue }
}

/// The main numbers of `changes.csv`, for the pages: those that differ from the last line of the ledger.
package struct ChangedNumbers: Sendable {
  private static let shownRows = 10

  package static let title = "Changed since the last run"

  /// The numbers before and now, with the reason; `nil` when none of the main numbers changed.
  package let table: ReportTable?
  /// How many numbers changed, and where all of them are.
  package let sentence: String
  private let isFirst: Bool

  /// Creates the section; `lastMonth` is the last month that was over at the run before, blank for none.
  package init(_ changes: ReportTable, isFirst: Bool, lastMonth: String) {
    self.isFirst = isFirst
    let numbers = changes.namedRows.filter { $0.text("column") != "state" }
    let main = numbers.filter { Self.isMain($0) && $0.text("month") <= lastMonth }
    table = main.isEmpty ? nil : Self.table(Array(main.prefix(Self.shownRows)))
    if isFirst {
      sentence = "This is the first run in the ledger: `changes.csv` is empty."
    } else if numbers.isEmpty {
      sentence = "No number of the whole population has changed since the last run."
    } else {
      let have = numbers.count == 1 ? "has" : "have"
      let shown =
        main.isEmpty
        ? "None is a main number of a month that was over."
        : main.count > Self.shownRows
          ? "Shown are \(Self.shownRows) of \(main.count) main numbers of months that were over."
          : "Shown are the main numbers of months that were over."
      sentence =
        "\(counted(numbers.count, "number")) of the whole population \(have) changed since the last run. \(shown) All of them: `changes.csv`."
    }
  }

  /// The sentence as plain text, with the first of the main numbers in place of where all of them are; `nil` where the
  /// ledger was empty before this run.
  ///
  /// Such as: 12 numbers have changed since the last run: churn.churn_rate of 2026-08 (events) from 8.11% to 8.40%:
  /// restated: subscription-event/…; and 2 more main numbers.
  var brief: String? {
    if isFirst { return nil }
    let plain = InlineMarkdown.plain(sentence)
    guard let table, let first = table.shownRows.first, let end = plain.firstIndex(of: ".") else {
      return plain
    }
    let of = first[2].isEmpty ? "" : " (\(first[2]))"
    let start = plain[..<end].replacing(" of the whole population", with: "")
    let because = first[6].isEmpty ? "" : ": \(first[6])"
    let others = table.rows.count - 1
    let more = others > 0 ? "; and \(counted(others, "more main number"))" : ""
    let month = first[1].isEmpty ? "" : " of \(first[1])"
    return
      "\(start): \(first[0])\(month)\(of) from \(first[3]) to \(first[4])\(because)\(more)"
  }

  /// The column that each table is read for.
  private static let mainColumns = TableKind.allCases.reduce(into: [String: String]()) {
    let empty = ReportTable(name: $1.rawValue, dimensions: [], columns: [], rows: [])
    $0[$1.rawValue] = empty.mainColumn
  }

  private static func isMain(_ row: ReportTable.NamedRow) -> Bool {
    mainColumns[row.text("table")] == row.text("column")
  }

  private static func table(_ rows: [ReportTable.NamedRow]) -> ReportTable {
    ReportTable(
      name: "changes", dimensions: [],
      columns: [
        .init("number", .key), .init("month", .key), .init("of", .key), .init("before", .text),
        .init("now", .text), .init("change", .text), .init("because", .text),
      ],
      rows: rows.map { row in
        let currency = row.text("currency")
        let (before, now, k) = (row.cell("before"), row.cell("after"), row.cell("k"))
        let period = k == .missing ? "" : "k \(k.machineText)"
        let keys = [row.text("source"), row.text("dating"), currency, period]
        return [
          .text("\(row.text("table")).\(row.text("column"))"), row.cell("month"),
          .text(keys.filter { !$0.isEmpty }.joined(separator: ", ")),
          .text(text(before, currency)), .text(text(now, currency)),
          HeadlineFigures.change(from: before, to: now, currency: currency), row.cell("because"),
        ]
      })
  }

  private static func text(_ cell: ReportTable.Cell, _ currency: String) -> String {
    switch cell {
    case .missing: "not known"
    case .count(let count): NumberStyle.grouped(count)
    case .money(let milliunits): NumberStyle.amount(milliunits: milliunits, currency: currency)
    case .ratio(let numerator, let denominator):
      NumberStyle.percentage(numerator, over: denominator)
    default: cell.machineText
    }
  }
}
