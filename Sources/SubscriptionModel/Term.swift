/// The length of a subscription period or an offer, in days or in calendar months: METRICS.md 2.2.
@usableFromInline
package struct Term: Hashable, Sendable {
  /// The number of days; 0 if the term is in months.
  @usableFromInline package let days: Int16
  /// The number of calendar months; 0 if the term is in days.
  @usableFromInline package let months: Int16

  /// One year, the only duration sold in instalments.
  package static let year = Term(months: 12)

  /// Creates a term of days.
  ///
  /// - Parameter days: How many days.
  @usableFromInline
  package init(days: Int16) {
    self.days = days
    months = 0
  }

  /// Creates a term of calendar months.
  ///
  /// - Parameter months: How many months; a year is 12.
  @usableFromInline
  package init(months: Int16) {
    days = 0
    self.months = months
  }

  /// The term as Apple writes standard durations, such as `7 Days`, `1 Month` or `1 Year`.
  package var name: String {
    if days > 0 { return days == 1 ? "1 Day" : "\(days) Days" }
    if months % 12 == 0 { return months == 12 ? "1 Year" : "\(months / 12) Years" }
    return months == 1 ? "1 Month" : "\(months) Months"
  }
}

extension Term {
  /// Creates a term from words, such as `7 Days`, `1 Week`, `1 month` or `2 Years`.
  ///
  /// A week is seven days, so that `1 Week` and `7 Days` are the same term. Terms over ten years give `nil`.
  ///
  /// - Parameter text: The words, in any case.
  package init?(_ text: String) {
    let words = text.lowercased().split(separator: " ")
    guard words.count == 2, words[0].utf8.count <= 4,
      words[0].utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int16(words[0]), number > 0
    else { return nil }
    let unit = words[1].hasSuffix("s") ? words[1].dropLast() : words[1]
    switch unit {
    case "day" where number <= 3_660: self.init(days: number)
    case "week" where number <= 520: self.init(days: number * 7)
    case "month" where number <= 120: self.init(months: number)
    case "year" where number <= 10: self.init(months: number * 12)
    default: return nil
    }
  }
}

extension Day {
  /// Returns the end of a period that starts on this day.
  ///
  /// If the last month has no such day, its last day is used: 2026-01-31 plus one month is
  /// 2026-02-28.
  ///
  /// - Parameter term: The length of the period.
  /// - Returns: The first day after the period.
  @usableFromInline
  package func adding(_ term: Term) -> Day {
    guard term.months != 0 else { return self + Int(term.days) }
    let (year, month, day) = civil
    let target = Month(year: year, month: month) + Int(term.months)
    // Only the last days of a month can be missing in another.
    return target.firstDay + (day <= 28 ? day : min(day, target.dayCount)) - 1
  }
}
