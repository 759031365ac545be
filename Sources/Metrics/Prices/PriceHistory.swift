import SubscriptionModel

/// All charges of one price of one key, day by day: what changes of prices are found from.
struct PriceHistory {
  /// Charges of one day that are not preserved.
  struct DayOfCharges {
    var day: Day
    var charges = 0
    var new = 0
    var continuing = 0
  }

  /// Charges of one day that continue a period at the price, none preserved.
  struct DayOfRenewals {
    var day: Day
    /// All of them, whatever they pay.
    var charges = 0
    /// Of these: at the same price still.
    var staying = 0
    /// Of these: at another price of the key, by price.
    var moving: [Int64: Int] = [:]
  }

  var milliunits: Int64
  /// In order of days.
  var days: [DayOfCharges] = []
  /// In order of days; of SALES empty.
  var renewals: [DayOfRenewals] = []
  /// Preserved charges that continue a period at the price and pay it still.
  var kept: [Day: Int] = [:]
  /// Of SALES: renewals that pay the price, whatever was paid before.
  var unlinkedRenewals: [Day: Int] = [:]

  /// Charges of some days.
  func charges(where admits: (Day) -> Bool) -> Int {
    days.filter { admits($0.day) }.map(\.charges).reduce(0, +)
  }

  /// New charges of some days.
  func newCharges(in range: ClosedRange<Day>) -> Int {
    days.filter { range.contains($0.day) }.map(\.new).reduce(0, +)
  }
}
