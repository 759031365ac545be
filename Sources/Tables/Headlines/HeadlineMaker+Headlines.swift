import Counting
import Storage
package import SubscriptionModel

extension HeadlineMaker {
  /// The headline month's numbers beside those of the month and the year before; numbers that no source has are left
  /// out.
  package var values: [HeadlineValue] {
    // Recurring revenue has rows of its own: ``RevenueHeadlines``.
    Headline.allCases.filter { $0 != .mrr }.flatMap { headline in
      report(for: headline).map { values(headline, $0) } ?? []
    }
  }

  /// Returns a rate of a month that is not the headline month; `nil` where no source has it.
  package func value(_ headline: Headline, in month: Month) -> HeadlineValue? {
    report(for: headline).flatMap { rate(headline, $0, of: month) }
  }

  /// Returns churn and active subscriptions of another source than the headline source, for a month in which that changed.
  package func values(of source: Source) -> [HeadlineValue] {
    maker.sources.first { $0.source == source }.map { report in
      [Headline.active, .churnRate].filter { has($0, report) }.flatMap { values($0, report) }
    } ?? []
  }

  /// Returns `headlines.csv`: a row for each of the headline month's ``values``, and those of its recurring revenue.
  package func table(of values: [HeadlineValue], _ revenue: RevenueHeadlines?) -> ReportTable {
    ReportTable(
      name: HeadlineTable.headlines.rawValue, dimensions: [],
      columns: HeadlineTable.headlines.allColumns.map(\.column),
      rows: values.map { $0.cells(months) } + (revenue?.table ?? []))
  }

  private func values(_ headline: Headline, _ report: SourceReport) -> [HeadlineValue] {
    guard let month = month(of: headline, report) else { return [] }
    // The month is decided: there is nothing so far.
    if headline == .conversionSoFar, self.month(of: .conversionRate, report) == month { return [] }
    if headline.isRate { return [rate(headline, report, of: month)].compactMap { $0 } }
    let state = state(headline, report, in: month) ?? .partial
    let none = [ReportTable.Cell.missing, .missing]
    let now = amounts(headline, report, in: month)
    let ofEarlier = [month - 1, month - 12].map { earlier in
      let state = comparedState(headline, report, month, with: earlier)
      return (month: earlier, amounts: state.map { _ in amounts(headline, report, in: earlier) })
    }
    return now.keys.sorted { $0.precedes($1) }.map { currency in
      let earlier = ofEarlier.map { month, amounts in
        // Only rates have another value at the same age. Without a row there was no money; a count is not known.
        let none: Int128? = headline == .netProceeds ? 0 : nil
        let value = cell(headline, amounts.flatMap { $0[currency] ?? none })
        return HeadlineValue.Earlier(month: month, today: value, atSameAge: value, difference: nil)
      }
      return HeadlineValue(
        headline: headline, source: report.source, month: month, currency: currency,
        value: cell(headline, now[currency]), interval: none, counts: none, state: state.rawValue,
        before: earlier[0], yearBefore: earlier[1])
    }
  }

  private func rate(
    _ headline: Headline, _ report: SourceReport, of month: Month
  ) -> HeadlineValue? {
    guard let ratio = ratios(headline, report, by: [], in: month)?[""] else { return nil }
    return HeadlineValue(
      headline: headline, source: report.source, month: month, currency: "", value: ratio.cell,
      interval: maker.intervalCells(ratio.numerator, of: ratio.denominator),
      counts: [.count(ratio.numerator), .count(ratio.denominator)],
      state: (state(headline, report, in: month) ?? .partial).rawValue,
      before: earlier(headline, report, month, month - 1, ratio),
      yearBefore: earlier(headline, report, month, month - 12, ratio))
  }

  /// Returns a number in so many last months, its own among them, as it is known today; the oldest first.
  package func history(of value: HeadlineValue, months count: Int) -> [HeadlinePoint] {
    history(
      value.headline, value.source, until: value.month, currency: value.currency, months: count)
  }

  /// Returns a number of a source in the last months until one in which it need not be known.
  package func history(
    _ headline: Headline, _ source: Source, until month: Month, currency: String = "",
    months count: Int
  ) -> [HeadlinePoint] {
    guard let report = maker.sources.first(where: { $0.source == source }) else { return [] }
    return (0..<count).reversed().map { point(of: headline, currency, report, in: month - $0) }
  }

  private func point(
    of headline: Headline, _ currency: String, _ report: SourceReport, in month: Month
  ) -> HeadlinePoint {
    let standing = standing(headline, report, in: month)
    guard standing != .noData else {
      return HeadlinePoint(month: month, value: .missing, interval: nil, standing: standing)
    }
    guard headline.isRate else {
      let amount = amounts(headline, report, in: month)[currency]
      return HeadlinePoint(
        month: month, value: cell(headline, amount), interval: nil, standing: standing)
    }
    let ratio = ratios(headline, report, by: [], in: month)?[""]
    return HeadlinePoint(
      month: month, value: ratio?.cell ?? .missing,
      interval: ratio.flatMap { Statistics.wilson($0.numerator, of: $0.denominator) },
      counts: ratio, standing: standing)
  }

  /// Returns a rate of an earlier month, as it is known today and at the same age.
  private func earlier(
    _ headline: Headline, _ report: SourceReport, _ month: Month, _ earlier: Month,
    _ now: TwoMonths.Ratio
  ) -> HeadlineValue.Earlier {
    let isComparable = comparedState(headline, report, month, with: earlier) != nil
    let known = [nil, month].map { age in
      isComparable ? ratios(headline, report, by: [], in: earlier, atAgeOf: age)?[""] : nil
    }
    var difference: RateDifference?
    if let then = known[1], then.hasInterval, now.hasInterval {
      difference = Statistics.difference(
        WeightedRate(now.numerator, of: now.denominator),
        WeightedRate(then.numerator, of: then.denominator))
    }
    return HeadlineValue.Earlier(
      month: earlier, today: known[0]?.cell ?? .missing, atSameAge: known[1]?.cell ?? .missing,
      difference: difference, counts: known[1])
  }

  /// Returns the count, or the amounts by currency.
  private func amounts(
    _ headline: Headline, _ report: SourceReport, in month: Month
  ) -> [String: Int128] {
    let close = amounts(headline, report, by: [], in: month) ?? [:]
    guard headline == .netChange else {
      return close.reduce(into: [:]) { $0[$1.key.currency] = $1.value }
    }
    let open = amounts(headline, report, by: [], in: month, column: "open") ?? [:]
    return close.reduce(into: [:]) { changes, entry in
      if let open = open[entry.key] { changes[entry.key.currency] = entry.value - open }
    }
  }

  /// Returns a count or an amount as a cell; a converted amount is rounded here, once, half to even.
  func cell(_ headline: Headline, _ value: Int128?) -> ReportTable.Cell {
    guard let value else { return .missing }
    guard headline.measure.isMoney else { return .count(Int(value)) }
    return .money(milliunits: value.dividedHalfToEven(by: partsOfMilliunit))
  }
}
