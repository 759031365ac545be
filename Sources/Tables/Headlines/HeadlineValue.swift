public import SubscriptionModel

/// A number of the headline month, and the earlier numbers beside it.
public struct HeadlineValue: Sendable {
  /// The same number in an earlier month; all cells are missing where the months cannot be compared.
  public struct Earlier: Sendable {
    /// The month.
    public let month: Month
    /// The number as it is known today.
    public let today: ReportTable.Cell
    /// The number as it was known at the age that the headline month has.
    public let atSameAge: ReportTable.Cell
    /// What the rate gained since then, at the same age, with its interval; `nil` without intervals.
    public let difference: RateDifference?
  }

  /// The number.
  public let headline: Headline
  /// Where it comes from.
  public let source: Source
  /// The currency of an amount; blank for others.
  public let currency: String
  /// The number itself.
  public let value: ReportTable.Cell
  /// The bounds of a rate's 95 % interval; missing for others.
  public let interval: [ReportTable.Cell]
  /// The counts of a rate; missing for others.
  public let counts: [ReportTable.Cell]
  /// `final`, `provisional` or `partial`.
  public let state: String
  /// The month before.
  public let before: Earlier
  /// The same month of the year before.
  public let yearBefore: Earlier

  /// The row of `headlines.csv`.
  func cells(month: String) -> [ReportTable.Cell] {
    [headline.rawValue, source.rawValue, month, currency].map { .text($0) }
      + [value] + interval + counts + [.text(state)]
      + [before, yearBefore].flatMap { [$0.today, $0.atSameAge] }
  }
}
