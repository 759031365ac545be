import SubscriptionModel

/// METRICS.md 2.2, billing day, to compare with: a run is the list of its charges, added up anew for every end.
extension ReferenceChains {
  /// Whether a charge is followed by a second purchase of its day, so that it has no length.
  static func isBoughtAgain(_ charge: Charge, _ next: Charge?) -> Bool {
    guard let next, next.day == charge.day, next.isSameProduct(charge) else { return false }
    return charge.end - charge.day > 2
  }

  /// Returns the charges of a run up to a charge; empty for one that is measured from its own day.
  static func run(of charge: Charge, after before: Before?) -> [Charge] {
    guard charge.months != nil else { return [] }
    guard let before, !before.run.isEmpty, charge.isSameProduct(before.charge),
      // The run of instalments begins with the first of them.
      charge.isInstalment == before.charge.isInstalment
    else { return [charge] }
    let end = end(of: before.run)
    let continues = charge.day - before.period.end <= 2
    let isNear = (-3...3).contains(charge.day - end)
    guard continues, isNear, !hasLaterBillingDay(before.run, charge.day) else { return [charge] }
    return before.run + [charge]
  }

  /// Returns the end of the last period of a run: the months of all its charges after the day of the first.
  static func end(of run: [Charge]) -> Day {
    let months = run.reduce(0) { $0 + ($1.months ?? 0) }
    return ReferenceCalendar.end(of: Term(months: Int16(months)), from: run[0].day)
  }

  /// Whether a charge that follows the only one of a run shows that its billing day is a later one.
  ///
  /// The first was charged on the last day of its month, and this one after the end of that period, but in the
  /// same month.
  static func hasLaterBillingDay(_ run: [Charge], _ next: Day) -> Bool {
    guard run.count == 1 else { return false }
    let first = ReferenceCalendar.dates[Int(run[0].day.number)]
    let end = end(of: run)
    let inMonth = ReferenceCalendar.dates[Int(end.number)]
    let date = ReferenceCalendar.dates[Int(next.number)]
    return first.day == ReferenceCalendar.dayCount(year: first.year, month: first.month)
      && next > end && date.year == inMonth.year && date.month == inMonth.month
  }
}
