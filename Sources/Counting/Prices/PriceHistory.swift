package import SubscriptionModel

/// The charges at one price of one key by day, from which price changes are found.
package struct PriceHistory {
  /// The charges of one day at the price, without preserved ones.
  package struct DayOfCharges {
    package var day: Day
    /// All these charges, with those that are neither new nor continuing, such as a return after a
    /// lapse.
    package var charges = 0
    /// The first paid charges of chains with a known start.
    package var new = 0
    /// Charges that continue a paid standard period of the product, at any price.
    package var continuing = 0

    package init(day: Day, charges: Int = 0, new: Int = 0, continuing: Int = 0) {
      self.day = day
      self.charges = charges
      self.new = new
      self.continuing = continuing
    }
  }

  /// The charges of one day that continue a period at the price, without preserved ones.
  package struct DayOfRenewals {
    package var day: Day
    /// All these charges, at any price.
    package var charges = 0
    /// Those at the same price.
    package var staying = 0
    /// Those at another price of the key, by price.
    package var moving: [Int64: Int] = [:]

    package init(day: Day, charges: Int = 0, staying: Int = 0, moving: [Int64: Int] = [:]) {
      self.day = day
      self.charges = charges
      self.staying = staying
      self.moving = moving
    }
  }

  /// The price.
  package var milliunits: Int64
  /// Sorted by day.
  package var days: [DayOfCharges] = []
  /// Sorted by day; empty for SALES.
  package var renewals: [DayOfRenewals] = []
  /// By day, the preserved charges at the price that continue a period at the price.
  package var kept: [Day: Int] = [:]
  /// SALES only: by day, the renewals at the price; the price before is unknown.
  package var unlinkedRenewals: [Day: Int] = [:]

  package init(
    milliunits: Int64, days: [DayOfCharges] = [], renewals: [DayOfRenewals] = [],
    kept: [Day: Int] = [:], unlinkedRenewals: [Day: Int] = [:]
  ) {
    self.milliunits = milliunits
    self.days = days
    self.renewals = renewals
    self.kept = kept
    self.unlinkedRenewals = unlinkedRenewals
  }

  /// Returns the number of charges on the days that pass a test.
  package func charges(where admits: (Day) -> Bool) -> Int {
    days.filter { admits($0.day) }.map(\.charges).reduce(0, +)
  }

  /// Returns the number of new charges in a range of days.
  package func newCharges(in range: ClosedRange<Day>) -> Int {
    days.filter { range.contains($0.day) }.map(\.new).reduce(0, +)
  }
}
