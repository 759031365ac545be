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
  }

  /// New shares of some storefronts, from a day on.
  private struct Change {
    let codes: [String]
    let firstDay: Int
    let shares: Shares
  }

  private static let changes = [
    Change(
      codes: ["JP"], firstDay: CalendarDay.number(year: 2025, month: 12, day: 18),
      shares: Shares(standard: 74, afterOneYear: 85)),
    Change(
      codes: ["CN"], firstDay: CalendarDay.number(year: 2026, month: 3, day: 15),
      shares: Shares(standard: 75, afterOneYear: 88)),
    Change(
      codes: ["BR"], firstDay: CalendarDay.number(year: 2026, month: 6, day: 18),
      shares: Shares(standard: 74, afterOneYear: 85)),
    Change(
      codes: ["DE", "FR"], firstDay: CalendarDay.number(year: 2026, month: 10, day: 1),
      shares: Shares(standard: 74, afterOneYear: 85)),
  ]

  /// The change of each storefront, if it has one.
  private let changes: [Change?]
  private let base: Int

  init(timeline: Timeline) {
    base = timeline.base
    changes = Catalog.storefronts.map { storefront in
      Self.changes.first { $0.codes.contains(storefront.code) }
    }
  }

  /// Returns the number of a storefront's shares on a day: 0 for ``Shares/usual``.
  func number(of storefront: UInt8, on day: Int) -> UInt8 {
    guard let change = changes[Int(storefront)] else { return 0 }
    return change.firstDay <= base + day ? 1 : 0
  }

  /// Returns a storefront's shares, given their number.
  func shares(_ number: UInt8, of storefront: UInt8) -> Shares {
    guard number > 0 else { return .usual }
    return changes[Int(storefront)]?.shares ?? .usual
  }
}
