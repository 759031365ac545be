/// The shares of a price that Apple pays to developers, by storefront and day: METRICS.md 10.8.
package struct Commissions: Equatable, Sendable {
  /// The two shares that apply at the same time, in whole percent of the price without tax.
  package struct Pair: Hashable, Comparable, Sendable {
    /// The share with the standard commission.
    package var standard: Int
    /// The share after one year of subscription, and for small businesses from the first day.
    package var reduced: Int

    package init(_ standard: Int, _ reduced: Int) {
      self.standard = standard
      self.reduced = reduced
    }

    /// The shares in all storefronts until 2025.
    package static let usual = Pair(70, 85)

    /// The shares as text, such as `70/85`.
    package var name: String { "\(standard)/\(reduced)" }

    /// Orders pairs by their shares.
    package static func < (left: Pair, right: Pair) -> Bool {
      (left.standard, left.reduced) < (right.standard, right.reduced)
    }
  }

  /// The shares of some storefronts from a day on.
  package struct Row: Equatable, Sendable {
    /// The 2-letter codes of storefronts; `*` for all storefronts without a row of their own.
    package var countries: [String]
    /// The first day.
    package var validFrom: Day
    /// The shares.
    package var pair: Pair
    /// Where this is stated.
    package var source: String

    package init(countries: [String], validFrom: Day, pair: Pair, source: String) {
      self.countries = countries
      self.validFrom = validFrom
      self.pair = pair
      self.source = source
    }
  }

  /// The rows; of two for the same storefront and day, the later one in the list is used.
  package private(set) var rows: [Row]

  /// Creates a table.
  ///
  /// - Parameter rows: Its rows.
  package init(_ rows: [Row]) { self.rows = rows }

  /// Adds rows, which override earlier rows for the same storefront and day.
  ///
  /// - Parameter more: The rows.
  package mutating func add(_ more: [Row]) { rows += more }

  /// Returns the shares of a storefront on a day.
  ///
  /// - Parameters:
  ///   - country: The 2-letter code.
  ///   - day: The day of the sale.
  /// - Returns: The pair of the newest row for the storefront, else of the newest `*` row; `nil` without either.
  package func pair(in country: String, on day: Day) -> Pair? {
    newest(country, day) ?? newest("*", day)
  }

  private func newest(_ country: String, _ day: Day) -> Pair? {
    rows.lazy.filter { $0.countries.contains(country) }.newest(on: day) { $0.validFrom }?.pair
  }

  /// Returns all shares of a storefront up to a day.
  ///
  /// - Parameters:
  ///   - country: The 2-letter code.
  ///   - day: The day.
  /// - Returns: ``Pair/usual``, then the pairs of rows that began by that day, newest first.
  package func pairs(in country: String, until day: Day) -> [Pair] {
    let days = Set(
      rows.filter { $0.countries.contains(country) || $0.countries == ["*"] }.map(\.validFrom))
    var pairs = [Pair.usual]
    for first in days.filter({ $0 <= day }).sorted(by: >) {
      if let pair = pair(in: country, on: first), !pairs.contains(pair) { pairs.append(pair) }
    }
    return pairs
  }

  /// Returns whether the shares of a storefront change in a period.
  ///
  /// - Parameters:
  ///   - country: The 2-letter code.
  ///   - days: The period.
  /// - Returns: Whether a row of the storefront begins in it.
  package func change(in country: String, in days: ClosedRange<Day>) -> Bool {
    rows.contains { $0.countries.contains(country) && days.contains($0.validFrom) }
  }
}

extension Commissions {
  /// The shares as of November 2026.
  package static let shipped = Commissions([
    Row(
      countries: ["*"], validFrom: Month(year: 2008, month: 7).firstDay, pair: .usual,
      source: "Apple Developer Program License Agreement, Schedule 2"),
    Row(
      countries: ["JP"], validFrom: Month(year: 2025, month: 12).firstDay + 17,
      pair: Pair(74, 85), source: "Apple, changes in Japan, 2025-12-18"),
    Row(
      countries: ["CN"], validFrom: Month(year: 2026, month: 3).firstDay + 14,
      pair: Pair(75, 88), source: "Apple, changes on the storefront of China mainland, 2026-03-15"),
    Row(
      countries: ["BR"], validFrom: Month(year: 2026, month: 6).firstDay + 17,
      pair: Pair(74, 85), source: "Apple, changes in Brazil, 2026-06-18"),
    Row(
      countries: Self.european, validFrom: Month(year: 2026, month: 10).firstDay,
      pair: Pair(74, 85), source: "secondary: reports of Apple's terms in the European Union"),
  ])

  /// The storefronts of the European Union's countries.
  private static let european = [
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT",
    "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
  ]
}
