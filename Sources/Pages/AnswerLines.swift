import Counting
package import Pipeline
import Rendering
package import SubscriptionModel
package import Tables

/// The answer above a single table on a terminal: its section's sentence, with its source and state, and why customers
/// left.
package struct AnswerLines {
  private let data: ReportData?
  private let kind: TableKind?
  private let source: Source

  /// Creates the answer of a table.
  ///
  /// `tables` are those of the whole population, with all months: the one that is printed, and churn. Without a kind
  /// the answer is about price increases.
  package init(
    _ result: RunResult, _ tables: [TableKind: [ReportTable]], _ kind: TableKind?, month: Month,
    source: Source, conversion: CurrencyConversion? = nil
  ) {
    let maker = HeadlineMaker(
      result.tableMaker(conversion: conversion), tables: tables, month: month,
      months: result.plan.monthSystem, headlineSource: source, only: source)
    let content = PageContent(
      result, tables: tables, checks: Checks(result, tables: [:]), headlines: maker, drivers: nil,
      prices: kind == nil ? result.pricePage : nil, finance: nil,
      convertedTo: conversion?.target)
    data = ReportData(content, apps: [])
    (self.kind, self.source) = (kind, source)
  }

  /// Returns the lines as plain text, broken at a width; none for a table or a month without an answer.
  package func lines(width: Int?) -> [String] {
    guard let data, let lead = lead(data), !lead.isEmpty else { return [] }
    let name = kind?.name(of: source) ?? source.rawValue
    let state =
      name == source.rawValue
      ? headline.flatMap { data.value($0) }.map { Self.words(data.standing($0)) }
      : stateOfSnapshot(data, name)
    let end = [name, state ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
    var lines = ["\(lead.plain) (\(end))"]
    if kind == .churn || kind == .lapses,
      let why = data.churnSection?.side.first(where: { !$0.rows.isEmpty }),
      why.title == ReportData.whyTheyLeft
    {
      let parts = why.rows.map { "\($0[0].words ?? "") \($0[2].words ?? "")" }
      lines.append("why (\(data.reasonsSource?.rawValue ?? "")): \(parts.joined(separator: ", "))")
    }
    if kind == .recurring { lines += data.revenueDetails }
    return lines.flatMap { Self.broken(VisibleText.of($0), width) }
  }

  /// Returns the state of the rows of snapshots, in words.
  private func stateOfSnapshot(_ data: ReportData, _ name: String) -> String? {
    let rows = kind.flatMap(data.content.tables.whole)?.namedRows
    let row = rows?.last {
      $0.source == name && $0.text("month") == data.months.name(data.month)
    }
    return row.flatMap { SourceReport.State(rawValue: $0.text("state")) }.map(\.onPage)
  }

  private var headline: Headline? {
    switch kind {
    case .movement: .active
    case .churn, .lapses, .recurring, .status: .churnRate
    case .renewals: .renewalRate
    case .trials: .conversionRate
    case .refunds: .refundRate
    case .proceeds: .netProceeds
    default: nil
    }
  }

  private func lead(_ data: ReportData) -> Phrase? {
    switch kind {
    case .movement: data.movementSection?.lead
    case .churn, .lapses: data.churnSection?.lead
    case .renewals: data.renewalSection?.lead
    case .trials: data.trialsSection?.lead
    case .refunds: data.refundsSection?.lead
    case .proceeds: data.moneySection?.lead
    case .retention: data.retentionSection?.lead
    case .recurring: data.revenueLead
    case .lifetime: data.lifetimeLead
    case .status: data.statusLead
    case .definitions: data.otherDashboard.map { Phrase(InlineMarkdown.plain($0)) }
    case .commitments: nil
    case nil: data.pricesSection?.lead
    }
  }

  /// Returns how far a number can be trusted, in words; blank for a settled one.
  static func words(_ standing: Standing) -> String {
    switch standing {
    case .settled: ""
    case .canStillChange: SourceReport.State.provisional.onPage
    case .incomplete: SourceReport.State.partial.onPage
    case .notAllSeen: "not all seen yet"
    case .noData: "no data"
    }
  }

  /// Breaks a line between its words so that it fits.
  private static func broken(_ line: String, _ width: Int?) -> [String] {
    guard let width else { return [line] }
    var (lines, text) = ([String](), "")
    for word in line.split(separator: " ").map(String.init) {
      let longer = text.isEmpty ? word : "\(text) \(word)"
      if !text.isEmpty, DisplayWidth.of(longer) > width {
        lines.append(text)
        text = "  " + word
      } else {
        text = longer
      }
    }
    return lines + (text.isEmpty ? [] : [text])
  }
}
