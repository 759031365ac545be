package import SubscriptionModel

/// The times after a start at which `lifetime` has a row: METRICS.md 11.3.
package enum LifetimeWindow {
  /// The months after the start, in order.
  package static let months = Array(0...24) + [36, 48]

  /// Returns the first day that a row no longer counts.
  ///
  /// Apple charges up to a day early, so the window of month 12 ends two days before the 13th monthly charge is due.
  ///
  /// - Parameters:
  ///   - place: The place of the row in ``months``.
  ///   - start: The day of the first charge.
  /// - Returns: The day.
  package static func end(_ place: Int, from start: Day) -> Day {
    place == 0 ? start + 1 : start.adding(Term(months: Int16(months[place]))) - 2
  }

  /// Returns the place of the first row that counts a day, from a place on that is not too late; `nil` if no row does.
  static func place(of day: Day, from start: Day, after first: Int = 0) -> Int? {
    var place = first
    while place < months.count, day >= end(place, from: start) { place += 1 }
    return place < months.count ? place : nil
  }
}
