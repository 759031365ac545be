/// The developer's shares of a price without tax, by storefront and day.
///
/// Independent of the tool's table, so that tests find mistakes in it.
struct CommissionTable {
  /// The developer's share of a price, in per cent: in the first year, and after it.
  struct Shares {
    let standard: Int
    let afterOneYear: Int

    /// Apple's shares in all storefronts until 2025.
    static let usual = Shares(standard: 70, afterOneYear: 85)
    /// The new shares of some storefronts, from a day on.
    static let new = Shares(standard: 74, afterOneYear: 85)
  }

  /// The first day of the new shares, by storefront.
  private static let firstDays = [
    "JP": CalendarDay.number(year: 2025, month: 12, day: 18),
    "BR": CalendarDay.number(year: 2026, month: 6, day: 18),
    "DE": CalendarDay.number(year: 2026, month: 10, day: 1),
    "FR": CalendarDay.number(year: 2026, month: 10, day: 1),
  ]

  /// The first day on the timeline for each storefront, if it has new shares.
  private let firstDays: [Int?]

  init(timeline: Timeline) {
    firstDays = Catalog.storefronts.map { storefront in
      Self.firstDays[storefront.code].map { $0 - timeline.base }
    }
  }

  /// Returns the number of a storefront's shares on a day: 0 for ``Shares/usual``.
  func number(of storefront: UInt8, on day: Int) -> UInt8 {
    guard let firstDay = firstDays[Int(storefront)] else { return 0 }
    return firstDay <= day ? 1 : 0
  }
}
