import Counting
import Storage
import SubscriptionModel

extension HeadlineMaker {
  /// The headline month's numbers beside those of the month and the year before; numbers that no source has are left
  /// out.
  package var values: [HeadlineValue] { Headline.allCases.flatMap(values) }

  /// Returns `headlines.csv`.
  ///
  /// - Parameter values: The headline month's ``values``.
  /// - Returns: A row for each.
  package func table(of values: [HeadlineValue]) -> ReportTable {
    ReportTable(
      name: HeadlineTable.headlines.rawValue, dimensions: [],
      columns: HeadlineTable.headlines.allColumns.map(\.column),
      rows: values.map { $0.cells(month: months.name(month)) })
  }

  private func values(_ headline: Headline) -> [HeadlineValue] {
    guard let report = report(for: headline) else { return [] }
    let state = state(headline, report, in: month) ?? .partial
    let none = [ReportTable.Cell.missing, .missing]
    if headline.isRate {
      guard let ratio = ratios(headline, report, by: [], in: month)?[""] else { return [] }
      return [
        HeadlineValue(
          headline: headline, source: report.source, currency: "", value: ratio.cell,
          interval: maker.intervalCells(ratio.numerator, of: ratio.denominator),
          counts: [.count(ratio.numerator), .count(ratio.denominator)], state: state.rawValue,
          before: earlier(headline, report, month - 1, ratio),
          yearBefore: earlier(headline, report, month - 12, ratio))
      ]
    }
    let now = amounts(headline, report, in: month)
    let ofEarlier = [month - 1, month - 12].map { earlier in
      (
        month: earlier, isInFile: comparedState(headline, report, with: earlier) != nil,
        amounts: canCompare(headline, report, with: earlier)
          ? amounts(headline, report, in: earlier) : nil
      )
    }
    return now.keys.sorted { $0.precedes($1) }.map { currency in
      let earlier = ofEarlier.map { month, isInFile, amounts in
        // Only rates have another value at the same age. Without a row there was no money; a count is not known.
        let none: Int128? = headline == .netProceeds ? 0 : nil
        let value = cell(headline, amounts.flatMap { $0[currency] ?? none })
        return HeadlineValue.Earlier(
          month: month, today: value, atSameAge: value, difference: nil, isInFile: isInFile)
      }
      return HeadlineValue(
        headline: headline, source: report.source, currency: currency,
        value: cell(headline, now[currency]), interval: none, counts: none, state: state.rawValue,
        before: earlier[0], yearBefore: earlier[1])
    }
  }

  /// Returns whether a count or the amounts of the headline month can be compared with those of an earlier month.
  ///
  /// Amounts can where all days of both months are there. Their state is that of churn, which is `partial` also where
  /// subscriptions from before the data may not have been seen yet. Such subscriptions have paid nothing in these months.
  private func canCompare(
    _ headline: Headline, _ report: SourceReport, with earlier: Month
  ) -> Bool {
    if comparedState(headline, report, with: earlier) != nil { return true }
    let days = report.completeness
    guard headline == .netProceeds, earlier >= days.firstMonth else { return false }
    return [earlier, month].allSatisfy { days.isOver($0) && !days.isPartial($0) }
  }

  /// Returns a number in the last months, as it is known today.
  ///
  /// - Parameters:
  ///   - value: The number of the headline month.
  ///   - count: The number of months, the headline month among them.
  /// - Returns: A point for each month, the oldest first.
  package func history(of value: HeadlineValue, months count: Int) -> [HeadlinePoint] {
    guard let report = maker.sources.first(where: { $0.source == value.source }) else { return [] }
    return (0..<count).reversed().map { point(of: value, report, in: month - $0) }
  }

  private func point(
    of value: HeadlineValue, _ report: SourceReport, in month: Month
  ) -> HeadlinePoint {
    let headline = value.headline
    let state = state(headline, report, in: month)
    guard month >= report.completeness.firstMonth else {
      return HeadlinePoint(month: month, value: .missing, interval: nil, state: state?.rawValue)
    }
    guard headline.isRate else {
      let amount = amounts(headline, report, in: month)[value.currency]
      return HeadlinePoint(
        month: month, value: cell(headline, amount), interval: nil, state: state?.rawValue)
    }
    let ratio = ratios(headline, report, by: [], in: month)?[""]
    return HeadlinePoint(
      month: month, value: ratio?.cell ?? .missing,
      interval: ratio.flatMap { Statistics.wilson($0.numerator, of: $0.denominator) },
      state: state?.rawValue)
  }

  /// Returns a rate of an earlier month, as it is known today and at the same age.
  private func earlier(
    _ headline: Headline, _ report: SourceReport, _ earlier: Month, _ now: TwoMonths.Ratio
  ) -> HeadlineValue.Earlier {
    let isComparable = comparedState(headline, report, with: earlier) != nil
    let known = [false, true].map { isAtSameAge in
      isComparable
        ? ratios(headline, report, by: [], in: earlier, atSameAge: isAtSameAge)?[""] : nil
    }
    var difference: RateDifference?
    if let then = known[1], then.hasInterval, now.hasInterval {
      difference = Statistics.difference(
        WeightedRate(now.numerator, of: now.denominator),
        WeightedRate(then.numerator, of: then.denominator))
    }
    return HeadlineValue.Earlier(
      month: earlier, today: known[0]?.cell ?? .missing, atSameAge: known[1]?.cell ?? .missing,
      difference: difference)
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
    guard headline == .netProceeds else { return .count(Int(value)) }
    return .money(milliunits: value.dividedHalfToEven(by: partsOfMilliunit))
  }
}
