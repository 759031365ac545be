import Counting
import Pipeline
import Rendering
import Storage
package import SubscriptionModel
package import Tables

/// The words of headline numbers: labels, changes, and the three sentences that come first.
package struct HeadlineWords: Sendable {
  let result: RunResult
  /// The numbers that are shown, in order.
  package let values: [HeadlineValue]
  /// The tables that sentences take parts and reasons from; without them sentences have none.
  let tables: [TableKind: [ReportTable]]
  /// The reports of the month without rows.
  let empty: EmptyReports
  /// What changed the numbers, since the month and the year before.
  let drivers: [Driver]
  let month: Month
  /// The number of currencies that are not shown.
  let otherCurrencies: Int
  /// Whether net proceeds are one amount, to which all currencies are converted.
  let isConverted: Bool
  /// The currencies that are shown, in their order.
  let currencies: [String]
  /// The sources, the headline source first; empty on the page of an app and above a single table.
  let sourceOrder: [Source]

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
  ///   - empty: The reports of the month without rows.
  ///   - sourceOrder: The sources, the headline source first.
  init(
    _ result: RunResult, _ month: Month, _ values: [HeadlineValue], drivers: [Driver],
    currencies: [String], isConverted: Bool = false, tables: [TableKind: [ReportTable]] = [:],
    empty: EmptyReports = EmptyReports(), sourceOrder: [Source] = []
  ) {
    self.result = result
    self.month = month
    self.isConverted = isConverted
    // Charges without a price are no amount.
    let currencies = currencies.filter { !$0.isEmpty }
    self.currencies = currencies
    self.tables = tables
    self.empty = empty
    self.sourceOrder = sourceOrder
    self.drivers = drivers.filter { !empty.isEmpty($0.headline, $0.source) }
    let values = values.map { empty.isEmpty($0.headline, $0.source) ? $0.uncompared : $0 }
    otherCurrencies = values.count { !$0.currency.isEmpty && !currencies.contains($0.currency) }
    // The values are in order; only their currencies are not.
    let ofNone = values.filter(\.currency.isEmpty)
    self.values = ofNone + currencies.flatMap { code in values.filter { $0.currency == code } }
  }

  /// Whether any headline number is known.
  package var hasValues: Bool { !values.isEmpty }

  /// Returns a month in words.
  package func name(_ month: Month) -> String { month.longName(result.plan.monthSystem) }

  /// What the table compares with earlier months, and what not, and which file has the final values, in Markdown.
  package var comparisons: String {
    guard !isConverted else {
      return comparedMonths
        + "Each month's net proceeds are converted with the rates of that month; each currency: `proceeds.csv`. Final values: `headlines.csv`."
    }
    let hasCurrencies = values.contains { !$0.currency.isEmpty }
    return comparedMonths
      + "\(hasCurrencies ? "All currencies and final" : "Final") values: `headlines.csv`."
  }

  /// What the table compares with earlier months, and what not, in Markdown, with a blank behind it.
  package var comparedMonths: String {
    let name = name(month - 1)
    let labels = { (values: [HeadlineValue]) in
      values.map { "\($0.headline.label.lowercased()) (`\($0.source.rawValue)`)" }.unique
    }
    let uncompared = labels(values.filter { $0.before.today == .missing && isKnown($0) })
    var text = ""
    if values.contains(where: { $0.headline.isRate && $0.before.atSameAge != .missing }) {
      text +=
        "\(name.capitalizedFirst) is shown as it was known \(ageText), so that both months are equally old; until a month is `final` its rates still change. "
    }
    if !uncompared.isEmpty {
      let orEmpty = empty.sources.isEmpty ? "" : ", or has nearly no rows"
      text +=
        "Not compared with \(name), because one of the months is `partial` in the source or not in it\(orEmpty): \(uncompared.joined(separator: ", ")). "
    }
    let withoutYear = labels(
      values.filter {
        $0.yearBefore.today == .missing && $0.before.today != .missing && isKnown($0)
      })
    if values.contains(where: { $0.yearBefore.today != .missing }), !withoutYear.isEmpty {
      text +=
        "Not compared with \(self.name(month - 12)), which is `partial` in the source or not in it: \(withoutYear.joined(separator: ", ")). "
    }
    return text
  }

  /// The numbers that are not complete in the month, such as `Net proceeds`; empty when all are.
  ///
  /// Amounts have the state of the churn row, but only gaps in the days make them incomplete.
  var partialLabels: [String] {
    values.filter {
      $0.state == "partial" && isKnown($0)
        && ($0.headline != .netProceeds || gap($0.source) != nil)
    }.map(\.headline.label).unique
  }

  /// Returns why a source's data are not those of the whole month; `nil` where they are.
  func gap(_ source: Source) -> Completeness.Gap? {
    result.sources.first { $0.source == source }?.completeness.gap(in: month)
  }

  /// When the month before is known as long as the headline month now, such as `30 days after its end`.
  private var ageText: String {
    let source = values.first { $0.headline.isRate && $0.before.atSameAge != .missing }?.source
    return Self.text(age: source.map(age) ?? 0)
  }

  /// Returns the number of days from the month's end to the end of a source's data.
  func age(_ source: Source) -> Int {
    let asOf = result.sources.first { $0.source == source }?.completeness.asOf
    return asOf.map { max(0, $0 - result.plan.monthSystem.lastDay(of: month)) } ?? 0
  }

  /// Returns an age in words: `at its end`, `30 days after its end`.
  static func text(age: Int) -> String {
    age == 0 ? "at its end" : "\(counted(age, "day")) after its end"
  }

  /// Returns whether the reports that a number is made from have rows in the month.
  package func isKnown(_ value: HeadlineValue) -> Bool { whyUnknown([value]) == nil }

  /// Returns why numbers of one source are not known; `nil` where they are, or where there are none.
  func whyUnknown(_ values: [HeadlineValue]) -> String? {
    values.first.flatMap { empty.reason(values.map(\.headline), $0.source, of: name(month)) }
  }

  /// The text in place of a number that is not known.
  static let noData = "no data"

  /// Returns a number for people, with `no data` for one that is not known.
  package func number(_ value: HeadlineValue) -> String {
    isKnown(value) ? Self.text(value.value, currency: value.currency) : Self.noData
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
      columns += [
        .init("\(name(month - 1)), same age", .rate), .init("change", .rate),
        .init("explained by", .text),
      ]
    }
    if year {
      columns += [
        .init("\(name(month - 12)), same age", .rate), .init("change in a year", .rate),
        .init("year explained by", .text),
      ]
    }
    columns += [.init("state", .text), .init("source", .text)]
    let rows = values.map { value -> [ReportTable.Cell] in
      var cells: [ReportTable.Cell] = [
        .text(value.headline.label + (value.currency.isEmpty ? "" : ", " + value.currency)),
        isKnown(value) ? shown(value.value, value) : .text(Self.noData),
        intervalText(value).map { .text($0) } ?? .missing,
        countsCell(value),
      ]
      for (isShown, earlier) in [(earlier, value.before), (year, value.yearBefore)] where isShown {
        cells += [
          shown(earlier.atSameAge, value),
          HeadlineFigures.change(
            from: earlier.atSameAge, to: value.value, currency: value.currency),
          Self.verdict(value, earlier),
        ]
      }
      return cells + [.text(stateText(value)), .text(value.source.rawValue)]
    }
    let table = ReportTable(name: "headlines", dimensions: [], columns: columns, rows: rows)
    return TableRenderer(.md).text(of: table.withoutEmptyColumns)
  }

  /// Returns whether chance explains the change of a rate, in the words of a tile; missing for counts and amounts, and
  /// where nothing is compared.
  private static func verdict(
    _ value: HeadlineValue, _ earlier: HeadlineValue.Earlier
  ) -> ReportTable.Cell {
    guard value.headline.isRate, earlier.atSameAge != .missing else { return .missing }
    guard let difference = earlier.difference else { return .text("not tested") }
    return .text(difference.spansZero ? "chance" : "more than chance")
  }

  /// Why `headlines.csv` has complete amounts as `partial`, with a blank before it; blank where it has not.
  package var noteOnProceeds: String {
    guard let value = values.first(where: { wordOfAmount($0) == Self.complete }) else { return "" }
    return
      " Every day of net proceeds is there; `headlines.csv` has them as `partial`, the state of churn of `\(value.source.rawValue)`. So that file compares them with no other month, and `drivers.csv` does not split their change."
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
        "\(value.headline.label): \(number(value))\(interval)\(counts)\(gained)  \(stateText(value)), \(value.source.rawValue)"
    }
  }

  /// Returns the state of a number, such as `final` or `partial, likely too low`; `no rows` where it is not known, and
  /// `complete` or `so far` for amounts without a missing day.
  private func stateText(_ value: HeadlineValue) -> String {
    guard isKnown(value) else { return "no rows" }
    // As the tile says.
    if let word = wordOfAmount(value) { return word }
    let isKnownBias = lacksDays(value.source) && result.stopDay(value.source, in: month) == nil
    let bias = isKnownBias ? value.headline.bias(withoutDaysOf: value.source) : nil
    return value.state + (bias.map { ", likely \($0)" } ?? "")
  }

  /// Returns a cell of the table; an amount as text, because the table has no column with its currency.
  private func shown(_ cell: ReportTable.Cell, _ value: HeadlineValue) -> ReportTable.Cell {
    guard case .money = cell else { return cell }
    return .text(Self.text(cell, currency: value.currency))
  }

  /// Returns the counts of a rate, such as `38 of 289`; missing for others.
  ///
  /// Of trials also how many are not decided, where these are most: `2 of 9, 7 undecided`.
  package func countsCell(_ value: HeadlineValue) -> ReportTable.Cell {
    guard isKnown(value), case .count(let above) = value.counts[0],
      case .count(let below) = value.counts[1]
    else { return .missing }
    let pending =
      value.headline == .conversionRate ? row(of: .trials, value.source, month)?["pending"] : nil
    let undecided =
      pending.map { 2 * $0 > below ? ", \(NumberStyle.grouped($0)) undecided" : "" } ?? ""
    return .text("\(NumberStyle.grouped(above)) of \(NumberStyle.grouped(below))\(undecided)")
  }

  /// Returns the interval of a rate, such as `9.73 to 17.53%`; `nil` for others, and where days of the month are
  /// missing: what these days would change is no chance.
  package func intervalText(_ value: HeadlineValue) -> String? {
    let bounds = value.interval.map(text)
    guard isKnown(value), !lacksDays(value.source), !bounds.contains("") else { return nil }
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
}

extension Dimension {
  /// The dimension in words, such as `start month`.
  package var words: String { rawValue.replacing("_", with: " ") }
}
