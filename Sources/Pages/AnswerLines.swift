import Counting
package import Pipeline
import Rendering
package import SubscriptionModel
package import Tables

/// The answer of a single table in a few lines of text: the number of one month, why, how it went, and what other
/// sources say.
package struct AnswerLines {
  /// A line whose parts stay whole when it is broken.
  private struct Line {
    var parts: [String]
    var separator: String
  }

  /// How many months the line of blocks has.
  private static let shownMonths = 6

  private let result: RunResult
  private let table: ReportTable
  private let churn: ReportTable
  private let month: Month
  private let source: Source
  /// Makes net proceeds one amount in its currency; `nil` without a conversion.
  private let conversion: CurrencyConversion?
  /// The reports of the month without rows.
  private let empty: EmptyReports

  /// Creates the answer of a table.
  ///
  /// - Parameters:
  ///   - result: The run.
  ///   - table: The table of the whole population, with all months and sources.
  ///   - churn: The churn of the whole population, which has the states of counts and amounts.
  ///   - month: The month to answer for.
  ///   - source: The source that speaks.
  ///   - conversion: Makes net proceeds one amount in its currency.
  package init(
    _ result: RunResult, _ table: ReportTable, churn: ReportTable, month: Month, source: Source,
    conversion: CurrencyConversion? = nil
  ) {
    (self.result, self.table, self.churn) = (result, table, churn)
    (self.month, self.source, self.conversion) = (month, source, conversion)
    empty = result.days.emptyReports(in: month, result.plan.monthSystem)
  }

  /// Returns the lines; none for a table or a month without an answer.
  ///
  /// - Parameter width: The width to break lines at; `nil` for none.
  /// - Returns: Plain text; what continues a line stands two more spaces in.
  package func lines(width: Int?) -> [String] {
    answer.flatMap { Self.broken($0, width) }
  }

  private var answer: [Line] {
    guard let kind = TableKind(rawValue: table.name),
      let headline = Headline.allCases.first(where: { $0.table == kind })
    else { return [] }
    var tables = [TableKind.churn: [churn]]
    tables[kind] = [table]
    let values = values(of: tables)
    guard headline.isRate else {
      return sentences(values.filter { $0.headline.table == kind })
    }
    guard let value = values.first(where: { $0.headline == headline }) else { return [] }
    if let why = whyUnknown(headline, source) {
      let words = "\(headline.label.lowercased()) not known: \(why)"
      let line = Line(parts: ["\(monthName) · \(words)", source.rawValue], separator: " · ")
      return [line, othersLine(headline)].compactMap { $0 }
    }
    return [rateLine(value), whyLine(kind, headline), othersLine(headline)].compactMap { $0 }
  }

  /// Returns the numbers of the month, from the source that speaks where it has them.
  private func values(of tables: [TableKind: [ReportTable]]) -> [HeadlineValue] {
    HeadlineMaker(
      result.tableMaker(conversion: conversion), tables: tables, month: month,
      months: result.plan.monthSystem,
      primary: source
    ).values.filter { $0.source == source }
  }

  private var monthName: String { month.longName(result.plan.monthSystem) }

  /// Returns why a number of a source is not known; `nil` where the reports that it is made from have rows.
  private func whyUnknown(_ headline: Headline, _ source: Source) -> String? {
    empty.reason([headline], source, of: monthName)
  }

  // MARK: Rates

  private func rateLine(_ value: HeadlineValue) -> Line {
    let percentage = { (cell: ReportTable.Cell) in HeadlineWords.text(cell) }
    var number = "\(value.headline.label.lowercased()) \(percentage(value.value))"
    let bounds = value.interval.map(percentage)
    // An interval says what chance does, and not what missing days do.
    let lacksDays = result.hasMissingDays(value.source, in: month)
    if !bounds.contains(""), !lacksDays { number += "  (\(bounds[0].dropLast()) to \(bounds[1]))" }
    var parts = ["\(monthName) · \(number)"]
    if case .count(let above) = value.counts[0], case .count(let below) = value.counts[1] {
      parts.append("\(NumberStyle.grouped(above)) of \(NumberStyle.grouped(below))")
    }
    if case .text(let change) = HeadlineFigures.change(
      from: value.before.atSameAge, to: value.value)
    {
      let end = result.plan.monthSystem.lastDay(of: month)
      let asOf = result.sources.first { $0.source == value.source }?.completeness.asOf
      let age = HeadlineWords.text(age: asOf.map { max(0, $0 - end) } ?? 0)
      parts.append("\(change) since \((month - 1).longName(result.plan.monthSystem))")
      parts.append("(as it was known \(age))")
    }
    let why = lacksDays && value.state == "partial" ? ": days missing" : ""
    return Line(
      parts: parts + ["\(value.state)\(why) · \(value.source.rawValue)"], separator: "   ")
  }

  /// What the counts are made of, and the rate of the last months as blocks.
  private func whyLine(_ kind: TableKind, _ headline: Headline) -> Line? {
    let columns =
      kind == .churn
      ? ChurnReason.allCases.map { ($0.column, $0.shortName) }
      : Self.parts[kind]?.map { ($0, $1) } ?? []
    let counts = columns.compactMap { column, words -> String? in
      let count = sum(column, source, month) ?? 0
      return count == 0 ? nil : "\(words) \(NumberStyle.grouped(count))"
    }
    var parts: [String] = []
    if !counts.isEmpty {
      parts.append((kind == .churn ? "why: " : "of these: ") + counts.joined(separator: " · "))
    }
    let cells = (0..<Self.shownMonths).reversed().map { rate(headline, source, month - $0) }
    let known = cells.drop { $0 == .missing }
    if known.count(where: { $0 != .missing }) > 1 {
      parts.append("\(Trend.line(Array(known)))  \(counted(known.count, "month"))")
    }
    return parts.isEmpty
      ? nil : Line(parts: ["  " + parts[0]] + parts.dropFirst(), separator: "   ")
  }

  /// The columns that split the counts of a table, with their words.
  private static let parts: [TableKind: KeyValuePairs<String, String>] = [
    .renewals: [
      "renewed": "renewed", "recovered": "recovered", "lapsed": "lapsed", "pending": "pending",
    ],
    .trials: [
      "converted": "converted", "not_converted": "not converted", "pending": "pending",
    ],
    .refunds: ["refunds_full": "in full", "refunds_partial": "in part"],
  ]

  /// The rate of the month in the other sources, with their state.
  private func othersLine(_ headline: Headline) -> Line? {
    let others = result.sources.map(\.source).sorted().filter { $0 != source }
    let parts = others.compactMap { other -> String? in
      let rate = rate(headline, other, month)
      guard rate != .missing else { return nil }
      if whyUnknown(headline, other) != nil { return "\(other.rawValue) \(HeadlineWords.noData)" }
      return "\(other.rawValue) \(HeadlineWords.text(rate)) (\(state(other)))"
    }
    return parts.isEmpty
      ? nil : Line(parts: ["  " + parts[0]] + parts.dropFirst(), separator: " · ")
  }

  /// Returns the state of a source's row in words; of a partial one with the reason, where it is known.
  private func state(_ other: Source) -> String {
    let state = rows(other, month).map { $0.text("state") }.first ?? ""
    guard state == "partial", let report = result.sources.first(where: { $0.source == other })
    else { return state }
    let days = report.completeness
    if let gap = days.gap(in: month) { return "partial: \(gap.reason)" }
    if !other.hasLeftEdge { return state }
    if let moved = days.transfers.all.first(where: { days.months(around: $0.day).contains(month) })
    {
      return "partial: an app moved to another account on \(moved.day)"
    }
    return "partial: files begin \(result.plan.monthSystem.name(days.firstMonth))"
  }

  // MARK: Rows

  /// Returns the rows of a source and a month; of refunds only those dated by the sale.
  private func rows(_ source: Source, _ month: Month) -> [ReportTable.NamedRow] {
    let name = result.plan.monthSystem.name(month)
    return table.namedRows.filter {
      $0.source == source.rawValue && $0.text("month") == name && $0.text("dating") != "refund"
    }
  }

  /// Returns the sum of a count over currencies; `nil` where it is not known.
  private func sum(_ column: String, _ source: Source, _ month: Month) -> Int? {
    let counts = rows(source, month).compactMap { $0[column] }
    return counts.isEmpty ? nil : counts.reduce(0, +)
  }

  private func rate(_ headline: Headline, _ source: Source, _ month: Month) -> ReportTable.Cell {
    guard let columns = headline.ratio, let above = sum(columns.numerator, source, month),
      let below = sum(columns.denominator, source, month)
    else { return .missing }
    return .rate(above, of: below)
  }

  // MARK: Counts and money

  /// What happened, in a sentence: active subscriptions or net proceeds.
  private func sentences(_ values: [HeadlineValue]) -> [Line] {
    let name = result.plan.monthSystem.name(month)
    let ofMonth = table.filtered("month") { $0 == name }.filtered("source") {
      $0 == source.rawValue
    }
    let words = HeadlineWords(
      result, month, values, drivers: [],
      currencies: conversion.map { [$0.target] }
        ?? ofMonth.mainCurrencies(limit: HeadlineWords.shownCurrencies),
      isConverted: conversion != nil, empty: empty)
    return words.sentences().filter { _ in !values.isEmpty }.map { sentence in
      let text = sentence.contains(monthName) ? sentence : "\(monthName) · \(sentence)"
      let parts = text.split(separator: " ").map(String.init)
      return Line(parts: parts + ["(\(source.rawValue))"], separator: " ")
    }
  }

  // MARK: Breaking

  /// Divides a part that is wider than the terminal before its interval, such as `churn rate 9.51%  (6.65 to 13.43%)`.
  private static func divided(_ part: String, _ width: Int?) -> [String] {
    guard let width, DisplayWidth.of(part) > width, let gap = part.firstRange(of: "  (")
    else { return [part] }
    return [String(part[..<gap.lowerBound]), String(part[gap.lowerBound...].drop { $0 == " " })]
  }

  /// Breaks a line between its parts so that it fits.
  private static func broken(_ line: Line, _ width: Int?) -> [String] {
    var (lines, text) = ([String](), "")
    let indent = String(repeating: " ", count: line.parts.first?.hasPrefix(" ") == true ? 4 : 2)
    for part in line.parts.flatMap({ divided($0, width) }) {
      let longer = text.isEmpty ? part : text + line.separator + part
      if let width, !text.isEmpty, DisplayWidth.of(longer) > width {
        lines.append(line.separator == " · " ? text + " ·" : text)
        text = indent + part
      } else {
        text = longer
      }
    }
    return lines + (text.isEmpty ? [] : [text])
  }
}
