import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables
import UserTables

/// The words of headline numbers: labels, changes, and the three sentences that come first.
struct HeadlineWords {
  private let result: RunResult
  /// The numbers that are shown, in order.
  let values: [HeadlineValue]
  /// What changed the numbers since the month before.
  private let drivers: [Driver]
  private let month: Month
  /// The number of currencies that are not shown.
  private let otherCurrencies: Int
  /// Whether net proceeds are one amount, to which all currencies are converted.
  private let isConverted: Bool
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
  init(
    _ result: RunResult, _ month: Month, _ values: [HeadlineValue], drivers: [Driver],
    currencies: [String], isConverted: Bool = false
  ) {
    self.result = result
    self.month = month
    self.isConverted = isConverted
    self.currencies = currencies
    self.drivers = drivers.filter { $0.against == month - 1 }
    otherCurrencies = values.count { !$0.currency.isEmpty && !currencies.contains($0.currency) }
    // The values are in order; only their currencies are not.
    let ofNone = values.filter(\.currency.isEmpty)
    self.values = ofNone + currencies.flatMap { code in values.filter { $0.currency == code } }
  }

  /// Whether any headline number is known.
  var hasValues: Bool { !values.isEmpty }

  /// Returns a month in words.
  func name(_ month: Month) -> String { month.longName(result.plan.monthSystem) }

  // MARK: Sentences

  /// Returns what happened in the month: active subscriptions, churn and net proceeds; those that are known.
  ///
  /// - Parameter escaped: Makes words of the data safe for the page.
  /// - Returns: One sentence each.
  func sentences(escaped: (String) -> String = { $0 }) -> [String] {
    [activeSentence(escaped), churnSentence(escaped), proceedsSentence].compactMap { $0 }
  }

  private func activeSentence(_ escaped: (String) -> String) -> String? {
    guard let active = values.first(where: { $0.headline == .active }),
      let change = values.first(where: { $0.headline == .netChange }),
      case .count(let count) = active.value, case .count(let gained) = change.value
    else { return nil }
    let end = result.isOver(month) ? "At the end of \(name(month))" : "So far in \(name(month))"
    let more =
      gained == 0
      ? "as many as" : "\(NumberStyle.grouped(abs(gained))) \(gained > 0 ? "more" : "fewer") than"
    var sentence =
      "\(end) there \(count == 1 ? "was" : "were") \(counted(count, "active subscription")), \(more) at its beginning\(certainty(active))"
    let parts = contributions(.active, by: .product).prefix(Self.shownParts)
    if !parts.isEmpty {
      let shown = parts.map { Self.text($0, escaped) }.joined(separator: ", ")
      let total = otherTotal.map {
        "counted from \(active.source.rawValue) (close of movement) the change is \(HeadlineFigures.signed($0)), "
      }
      sentence += "; \(total ?? "")the largest parts: \(shown)"
    }
    return sentence + "."
  }

  /// The sum of the parts of active subscriptions where it is another number than the net change; `nil` otherwise.
  ///
  /// Snapshots count active subscriptions (`close_observed` and `open` of movement). The parts are changes of `close`,
  /// which is added up from events.
  private var otherTotal: ReportTable.Cell? {
    guard let change = values.first(where: { $0.headline == .netChange })?.value,
      let whole = drivers.first(where: { $0.headline == .active && $0.dimension == nil })?.total,
      whole != change
    else { return nil }
    return whole
  }

  private func churnSentence(_ escaped: (String) -> String) -> String? {
    guard let churn = values.first(where: { $0.headline == .churnRate }),
      case .count(let churned) = churn.counts[0], case .count(let active) = churn.counts[1]
    else { return nil }
    let interval = intervalText(churn).map { " (\($0))" } ?? ""
    var sentence =
      "\(NumberStyle.grouped(churned)) of \(NumberStyle.grouped(active)) churned: \(text(churn.value))\(interval)\(certainty(churn))"
    sentence += comparison(churn, churn.before).map { ", \($0)" } ?? ""
    sentence += comparison(churn, churn.yearBefore).map { "; \($0)" } ?? ""
    let sure = [Dimension.product, .country].flatMap { dimension in
      contributions(.churnRate, by: dimension).filter { !$0.isMaybeChance }.prefix(2)
    }
    if !sure.isEmpty {
      let parts = sure.map { Self.text($0, escaped) }.joined(separator: ", ")
      sentence += ". More than chance, in points: \(parts)"
    }
    return sentence + "."
  }

  private var proceedsSentence: String? {
    let proceeds = values.filter { $0.headline == .netProceeds }
    guard !proceeds.isEmpty else { return nil }
    let amounts = proceeds.map { value in
      let change = HeadlineFigures.change(
        from: value.before.today, to: value.value, currency: value.currency)
      return "\(Self.text(value.value, currency: value.currency)) \(value.currency)"
        + (change == .missing ? "" : " (\(text(change)))")
    }
    let isCompared = proceeds.contains { $0.before.today != .missing }
    let against = isCompared ? ", in brackets the change from \(name(month - 1))" : ""
    let more =
      otherCurrencies > 0
      ? " and \(otherCurrencies) more \(otherCurrencies == 1 ? "currency" : "currencies")" : ""
    let missing = gap(proceeds[0].source).map { ", \($0.qualification)" } ?? ""
    let converted = isConverted ? ", all currencies converted" : ""
    return
      "Net proceeds were \(amounts.joined(separator: ", "))\(more)\(converted)\(against)\(missing)."
  }

  /// Returns how a rate compares with an earlier month at the same age.
  func comparison(_ value: HeadlineValue, _ earlier: HeadlineValue.Earlier) -> String? {
    guard case .ratio(let above, let below) = value.value.change(since: earlier.atSameAge)
    else { return nil }
    if above == 0 { return "as much as in \(name(earlier.month)) at the same age" }
    let points = NumberStyle.percentage(Int128(above.magnitude), over: below).dropLast()
    let more = "\(points) points \(above > 0 ? "more" : "less") than"
    let chance = earlier.difference.map {
      $0.spansZero ? ", within what chance explains" : ", more than chance explains"
    }
    return "\(more) in \(name(earlier.month)) at the same age\(chance ?? "")"
  }

  /// Returns what a number's state means for its reader; blank for a final one.
  private func certainty(_ value: HeadlineValue) -> String {
    switch value.state {
    case "partial": ", but the data are not complete (partial)"
    case "provisional": ", which can still change"
    default: ""
    }
  }

  /// What the table compares with earlier months, and what not, in Markdown.
  var comparisons: String {
    let name = name(month - 1)
    let uncompared = values.filter { $0.before.today == .missing }.map {
      "\($0.headline.label.lowercased()) (`\($0.source.rawValue)`)"
    }.unique
    var text = ""
    if values.contains(where: { $0.headline.isRate && $0.before.atSameAge != .missing }) {
      text +=
        "\(name) is shown as it was known \(ageText) after its end, so that both months are equally old; until a month is `final` its rates still change. "
    }
    if !uncompared.isEmpty {
      text +=
        "Not compared with \(name), because one of the months is `partial` in the source or not in it: \(uncompared.joined(separator: ", ")). "
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
  private func gap(_ source: Source) -> Completeness.Gap? {
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
  func countsCell(_ value: HeadlineValue) -> ReportTable.Cell {
    guard case .count(let above) = value.counts[0], case .count(let below) = value.counts[1] else {
      return .missing
    }
    return .text("\(NumberStyle.grouped(above)) of \(NumberStyle.grouped(below))")
  }

  /// Returns the interval of a rate, such as `9.73 to 17.53%`; `nil` for others.
  func intervalText(_ value: HeadlineValue) -> String? {
    let bounds = value.interval.map(text)
    guard !bounds.contains("") else { return nil }
    return "\(bounds[0].dropLast()) to \(bounds[1])"
  }

  private func text(_ cell: ReportTable.Cell) -> String { Self.text(cell) }

  /// Returns a number for people; blank when it is missing.
  static func text(_ cell: ReportTable.Cell, currency: String = "") -> String {
    switch cell {
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
  private static let shownParts = 3

  /// A sentence where the parts of active subscriptions add up to another change than the headline; blank otherwise.
  var unexplained: String {
    guard let total = otherTotal,
      let change = values.first(where: { $0.headline == .netChange })
    else { return "" }
    return
      " Active subscriptions are counted by snapshots, whose change is \(HeadlineFigures.signed(change.value)); their parts are changes of movement's `close`, which is counted from `\(change.source.rawValue)`: \(HeadlineFigures.signed(total))."
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
  private func contributions(
    _ headline: Headline, by dimension: Dimension, _ currency: String = ""
  ) -> [Driver] {
    drivers.filter {
      $0.headline == headline && $0.dimension == dimension && $0.currency == currency
        && !$0.isNone
    }
  }

  /// Returns a contribution in words, such as `Pro Monthly +5`.
  private static func text(_ driver: Driver, _ escaped: (String) -> String) -> String {
    "\(escaped(driver.shownValue)) \(HeadlineFigures.signed(driver.total, currency: driver.currency))"
  }
}

extension Headline {
  /// The number's name on pages.
  var label: String {
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
  var words: String { rawValue.replacing("_", with: " ") }
}
