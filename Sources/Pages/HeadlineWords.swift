import Counting
import Pipeline
import Rendering
import Storage
package import SubscriptionModel
package import Tables
import UserTables

/// The words of headline numbers: labels, changes, and the three sentences that come first.
package struct HeadlineWords: Sendable {
  let result: RunResult
  /// The numbers that are shown, in order.
  package let values: [HeadlineValue]
  /// The tables that sentences take parts and reasons from; without them sentences have none.
  let tables: [TableKind: [ReportTable]]
  /// The sources of which nearly all days of the month have no rows; their numbers are compared with nothing.
  let emptySources: Set<Source>
  /// What changed the numbers since the month before.
  private let drivers: [Driver]
  let month: Month
  /// The number of currencies that are not shown.
  let otherCurrencies: Int
  /// Whether net proceeds are one amount, to which all currencies are converted.
  let isConverted: Bool
  /// The currencies that are shown, in their order.
  private let currencies: [String]

  /// The number of currencies in a sentence and in the table: those with the most charges.
  static let shownCurrencies = 5

  /// Creates the words of a month.
  ///
  /// - Parameters:
  ///   - result: The run.
  ///   - month: The headline month.
  ///   - values: Its numbers.
  ///   - drivers: What changed them, against any month.
  ///   - currencies: The currencies to show, in their order.
  ///   - isConverted: Whether all currencies are converted to the one that is shown.
  ///   - tables: The tables of the numbers, for parts and reasons in sentences.
  ///   - emptySources: The sources of which nearly all days of the month have no rows.
  init(
    _ result: RunResult, _ month: Month, _ values: [HeadlineValue], drivers: [Driver],
    currencies: [String], isConverted: Bool = false, tables: [TableKind: [ReportTable]] = [:],
    emptySources: Set<Source> = []
  ) {
    self.result = result
    self.month = month
    self.isConverted = isConverted
    self.currencies = currencies
    self.tables = tables
    self.emptySources = emptySources
    self.drivers = drivers.filter {
      $0.against == month - 1 && !emptySources.contains($0.source)
    }
    let values = values.map { emptySources.contains($0.source) ? $0.uncompared : $0 }
    otherCurrencies = values.count { !$0.currency.isEmpty && !currencies.contains($0.currency) }
    // The values are in order; only their currencies are not.
    let ofNone = values.filter(\.currency.isEmpty)
    self.values = ofNone + currencies.flatMap { code in values.filter { $0.currency == code } }
  }

  /// Whether any headline number is known.
  package var hasValues: Bool { !values.isEmpty }

  /// Returns a month in words.
  package func name(_ month: Month) -> String { month.longName(result.plan.monthSystem) }

  /// What the table compares with earlier months, and what not, in Markdown.
  package var comparisons: String {
    let name = name(month - 1)
    let uncompared = values.filter { $0.before.today == .missing }.map {
      "\($0.headline.label.lowercased()) (`\($0.source.rawValue)`)"
    }.unique
    var text = ""
    if values.contains(where: { $0.headline.isRate && $0.before.atSameAge != .missing }) {
      text +=
        "\(name.capitalizedFirst) is shown as it was known \(ageText) after its end, so that both months are equally old; until a month is `final` its rates still change. "
    }
    if !uncompared.isEmpty {
      let orEmpty = emptySources.isEmpty ? "" : ", or has nearly no rows"
      text +=
        "Not compared with \(name), because one of the months is `partial` in the source or not in it\(orEmpty): \(uncompared.joined(separator: ", ")). "
    }
    guard !isConverted else {
      return text
        + "Each month's net proceeds are converted with the rates of that month; each currency: `proceeds.csv`. Final values: `headlines.csv`."
    }
    return text + "All currencies and final values: `headlines.csv`."
  }

  /// The numbers that are not complete in the month, such as `Net proceeds`; empty when all are.
  ///
  /// Amounts have the state of the churn row, but only gaps in the days make them incomplete.
  var partialLabels: [String] {
    values.filter {
      $0.state == "partial" && ($0.headline != .netProceeds || gap($0.source) != nil)
    }.map(\.headline.label).unique
  }

  /// Returns why a source's data are not those of the whole month; `nil` where they are.
  func gap(_ source: Source) -> Completeness.Gap? {
    result.sources.first { $0.source == source }?.completeness.gap(in: month)
  }

  /// The age at which both months are compared, such as `17 days`.
  private var ageText: String {
    let source = values.first { $0.before.atSameAge != .missing }?.source
    let asOf = result.sources.first { $0.source == source }?.completeness.asOf
    let end = result.plan.monthSystem.lastDay(of: month)
    return counted(asOf.map { max(0, $0 - end) } ?? 0, "day")
  }

  // MARK: The table

  /// Returns the headline numbers as a table in Markdown.
  ///
  /// - Parameter count: The number of currencies to show.
  /// - Returns: The table.
  func table(currencies count: Int) -> String {
    let currencies = [""] + self.currencies.prefix(count)
    let values = values.filter { currencies.contains($0.currency) }
    let earlier = values.contains { $0.before.atSameAge != .missing }
    let year = values.contains { $0.yearBefore.atSameAge != .missing }
    var columns: [ReportTable.Column] = [
      .init("number", .text), .init(name(month), .rate), .init("95 % interval", .rate),
      .init("counts", .rate),
    ]
    if earlier {
      columns += [.init("\(name(month - 1)), same age", .rate), .init("change", .rate)]
    }
    if year { columns += [.init(name(month - 12), .rate), .init("change in a year", .rate)] }
    columns += [.init("state", .text), .init("source", .text)]
    let rows = values.map { value -> [ReportTable.Cell] in
      var cells: [ReportTable.Cell] = [
        .text(value.headline.label + (value.currency.isEmpty ? "" : ", " + value.currency)),
        shown(value.value, value), intervalText(value).map { .text($0) } ?? .missing,
        countsCell(value),
      ]
      for (isShown, earlier) in [(earlier, value.before), (year, value.yearBefore)] where isShown {
        cells += [
          shown(earlier.atSameAge, value),
          HeadlineFigures.change(
            from: earlier.atSameAge, to: value.value, currency: value.currency),
        ]
      }
      return cells + [.text(value.state), .text(value.source.rawValue)]
    }
    let table = ReportTable(name: "headlines", dimensions: [], columns: columns, rows: rows)
    return TableRenderer(.md).text(of: table.withoutEmptyColumns)
  }

  /// The headline numbers as lines of plain text, such as `churn rate 10.00% (7.05 to 14.00%) 29 of 290`.
  var lines: [String] {
    values.filter { $0.headline != .netProceeds && $0.headline != .netChange }.map { value in
      let interval = intervalText(value).map { " (\($0))" } ?? ""
      var counts = ""
      if case .text(let text) = countsCell(value) { counts = "  " + text }
      let change = HeadlineFigures.change(from: value.before.atSameAge, to: value.value)
      let gained = change == .missing ? "" : "  \(text(change))"
      return
        "\(value.headline.label): \(text(value.value))\(interval)\(counts)\(gained)  \(value.state), \(value.source.rawValue)"
    }
  }

  /// Returns a cell of the table; an amount as text, because the table has no column with its currency.
  private func shown(_ cell: ReportTable.Cell, _ value: HeadlineValue) -> ReportTable.Cell {
    guard case .money = cell else { return cell }
    return .text(Self.text(cell, currency: value.currency))
  }

  /// Returns the counts of a rate, such as `38 of 289`; missing for others.
  package func countsCell(_ value: HeadlineValue) -> ReportTable.Cell {
    guard case .count(let above) = value.counts[0], case .count(let below) = value.counts[1] else {
      return .missing
    }
    return .text("\(NumberStyle.grouped(above)) of \(NumberStyle.grouped(below))")
  }

  /// Returns the interval of a rate, such as `9.73 to 17.53%`; `nil` for others.
  package func intervalText(_ value: HeadlineValue) -> String? {
    let bounds = value.interval.map(text)
    guard !bounds.contains("") else { return nil }
    return "\(bounds[0].dropLast()) to \(bounds[1])"
  }

  func text(_ cell: ReportTable.Cell) -> String { Self.text(cell) }

  /// Returns a number for people; blank when it is missing.
  package static func text(_ cell: ReportTable.Cell, currency: String = "") -> String {
    switch HeadlineFigures.rounded(cell, currency: currency) {
    case .ratio(let numerator, let denominator):
      NumberStyle.percentage(numerator, over: denominator)
    case .fraction(let fraction): NumberStyle.percentage(fraction) ?? ""
    case .count(let count): NumberStyle.grouped(count)
    case .money(let milliunits): NumberStyle.amount(milliunits: milliunits, currency: currency)
    case .text(let text): text
    case .missing, .hundredths: ""
    }
  }

  // MARK: Drivers

  /// The number of contributions in a cell of the table.
  static let shownParts = 3

  /// The sum of the parts of active subscriptions where it is another number than the net change; `nil` otherwise.
  ///
  /// Snapshots count active subscriptions (`close_observed` and `open` of movement). The parts are changes of `close`,
  /// which is added up from events.
  var otherTotal: ReportTable.Cell? {
    guard let change = values.first(where: { $0.headline == .netChange })?.value,
      let whole = drivers.first(where: { $0.headline == .active && $0.dimension == nil })?.total,
      whole != change
    else { return nil }
    return whole
  }

  /// A sentence where the parts of active subscriptions add up to another change than the headline; blank otherwise.
  package var unexplained: String {
    guard let total = otherTotal,
      let change = values.first(where: { $0.headline == .netChange })
    else { return "" }
    return
      " Active subscriptions are counted by snapshots, whose change is \(HeadlineFigures.signed(change.value)); their parts are changes of movement's `close`, which is counted from `\(change.source.rawValue)`: \(HeadlineFigures.signed(total)).\(observedParts == nil ? "" : " The parts in the sentence above are those of the count, `close_observed`.")"
  }

  /// Returns what changed the numbers since the month before, as a table in Markdown.
  ///
  /// Refunds are left out: few charges are refunded so early, and their drivers say little.
  ///
  /// - Parameters:
  ///   - dimensions: What the changes are split by.
  ///   - count: The number of currencies to show.
  /// - Returns: The table; `nil` when nothing can be compared.
  func driverTable(by dimensions: [Dimension], currencies count: Int) -> String? {
    let currencies = [""] + self.currencies.prefix(count)
    let ofValues = drivers.filter { whole in
      whole.dimension == nil && whole.headline != .refundRate
        && values.contains { $0.headline == whole.headline && $0.currency == whole.currency }
    }
    let wholes = currencies.flatMap { code in ofValues.filter { $0.currency == code } }
    let rows = wholes.flatMap { whole -> [[ReportTable.Cell]] in
      var label = whole.headline.label + (whole.currency.isEmpty ? "" : ", " + whole.currency)
      var change =
        HeadlineFigures.signed(whole.total, currency: whole.currency)
        + (whole.headline.isRate ? " points" : "")
      return dimensions.compactMap { dimension in
        let parts = contributions(whole.headline, by: dimension, whole.currency)
        guard !parts.isEmpty else { return nil }
        let shown = parts.prefix(Self.shownParts).map {
          Self.text($0) { $0 } + ($0.isMaybeChance ? "?" : "")
        }
        let more = parts.count - shown.count
        let text = shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        // A number's name and change stand once.
        defer { (label, change) = ("", "") }
        return [.text(label), .text(change), .text(dimension.words), .text(text)]
      }
    }
    guard !rows.isEmpty else { return nil }
    let table = ReportTable(
      name: "drivers", dimensions: [],
      columns: [
        .init("number", .text), .init("change", .rate), .init("by", .text),
        .init("largest parts", .text),
      ], rows: rows)
    return TableRenderer(.md).text(of: table)
  }

  /// Returns what each value of a dimension adds to the change since the month before, the largest first.
  func contributions(
    _ headline: Headline, by dimension: Dimension, _ currency: String = ""
  ) -> [Driver] {
    drivers.filter {
      $0.headline == headline && $0.dimension == dimension && $0.currency == currency
        && !$0.isNone
    }
  }

  /// Returns a contribution in words, such as `Pro Monthly +5`.
  static func text(_ driver: Driver, _ escaped: (String) -> String) -> String {
    "\(escaped(driver.shownValue)) \(HeadlineFigures.signed(driver.total, currency: driver.currency))"
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
    case .refundRate: "Refund rate"
    case .netProceeds: "Net proceeds"
    }
  }
}

extension Dimension {
  /// The dimension in words, such as `start month`.
  package var words: String { rawValue.replacing("_", with: " ") }
}
