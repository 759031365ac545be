import SubscriptionModel

/// The charges at one price of one key by day, from which price changes are found.
struct PriceHistory {
  /// The charges of one day at the price, without preserved ones.
  struct DayOfCharges {
    var day: Day
    var charges = 0
    var new = 0
    var continuing = 0
  }

  /// The charges of one day that continue a period at the price, without preserved ones.
  struct DayOfRenewals {
    var day: Day
    /// All these charges, at any price.
    var charges = 0
    /// Those at the same price.
    var staying = 0
    /// Those at another price of the key, by price.
    var moving: [Int64: Int] = [:]
  }

  var milliunits: Int64
  /// Sorted by day.
  var days: [DayOfCharges] = []
  /// Sorted by day; empty for SALES.
  var renewals: [DayOfRenewals] = []
  /// By day, the preserved charges at the price that continue a period at the price.
  var kept: [Day: Int] = [:]
  /// SALES only: by day, the renewals at the price; the price before is unknown.
  var unlinkedRenewals: [Day: Int] = [:]

  /// Returns the number of charges on the days that pass a test.
  func charges(where admits: (Day) -> Bool) -> Int {
    days.filter { admits($0.day) }.map(\.charges).reduce(0, +)
  }

  /// Returns the number of new charges in a range of days.
  func newCharges(in range: ClosedRange<Day>) -> Int {
    days.filter { range.contains($0.day) }.map(\.new).reduce(0, +)
  }
}
