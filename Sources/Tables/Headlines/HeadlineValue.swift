package import SubscriptionModel

/// A number of the headline month, and the earlier numbers beside it.
package struct HeadlineValue: Sendable {
  /// The same number in an earlier month; its cells are missing where the months cannot be compared.
  package struct Earlier: Sendable {
    package let month: Month
    /// The number as it is known today.
    package let today: ReportTable.Cell
    /// The number as it was known at the age that the headline month has.
    package let atSameAge: ReportTable.Cell
    /// What the rate gained since then, at the same age, with its interval; `nil` without intervals.
    package let difference: RateDifference?
    /// The counts of a rate at the age that the headline month has; `nil` for others, and where it is not compared.
    package var counts: TwoMonths.Ratio?
  }

  package let headline: Headline
  /// Where it comes from.
  package let source: Source
  package let month: Month
  /// The currency of an amount; blank for others.
  package let currency: String
  /// The number itself.
  package let value: ReportTable.Cell
  /// The bounds of a rate's 95 % interval; missing for others.
  package let interval: [ReportTable.Cell]
  /// The counts of a rate; missing for others.
  package let counts: [ReportTable.Cell]
  /// `final`, `provisional` or `partial`.
  package let state: String
  /// The month before.
  package let before: Earlier
  /// The same month of the year before.
  package let yearBefore: Earlier

  /// The number without the earlier ones, for a month whose data can be compared with nothing.
  package var uncompared: HeadlineValue {
    let none = { (earlier: Earlier) in
      Earlier(month: earlier.month, today: .missing, atSameAge: .missing, difference: nil)
    }
    return HeadlineValue(
      headline: headline, source: source, month: month, currency: currency, value: value,
      interval: interval, counts: counts, state: state, before: none(before),
      yearBefore: none(yearBefore))
  }

  /// The row of `headlines.csv`.
  func cells(_ months: MonthSystem) -> [ReportTable.Cell] {
    [headline.rawValue, source.rawValue, months.name(month), currency].map { .text($0) }
      + [value] + interval + counts + [.text(state)]
      + [before, yearBefore].flatMap { [$0.today, $0.atSameAge] }
  }
}

/// A headline number in one month, as it is known today.
package struct HeadlinePoint: Sendable {
  package let month: Month
  /// The number; missing when it is not known.
  package let value: ReportTable.Cell
  /// The 95 % interval of a rate; `nil` for others.
  package let interval: Interval?
  /// The counts of a rate; `nil` for others, and when they are not known.
  package var counts: TwoMonths.Ratio?
  /// How far the number can be trusted.
  package let standing: Standing
}
