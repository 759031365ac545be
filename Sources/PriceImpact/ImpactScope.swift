import Counting
import Storage
import SubscriptionModel

/// The increases of a run, and the prices that may be their controls: the input of the second pass over the chains.
struct ImpactScope: Sendable {
  /// The dates of a new price, for new and for existing subscribers.
  struct Dates: Hashable, Sendable {
    /// E: the first day on which the price was charged.
    var effective: Day
    /// E_x: the first day on which existing subscribers met the price.
    var existing: Day
  }

  /// The increases to measure, in any order.
  let increases: [PriceChange]
  /// The day up to which the source is complete.
  let asOf: Day
  /// The distinct dates of the increases; many storefronts have the same dates.
  private(set) var dates: [Dates] = []
  /// For each increase, the index of its dates.
  private(set) var datesOfIncrease: [Int] = []
  /// The length in days of the months in which renewals are counted: METRICS.md section 6.
  static let monthDays = 30
  /// The first month: -3 to -1 are the 90 days before the change.
  static let firstMonth = -3
  /// The days from a period's end until it is decided whether it continued.
  static var undecidedDays: Int { ChainBuilder.toleranceDays + 1 }

  private var increasesOfKey: [PriceKey: [Int]] = [:]
  private var datesOfProduct: [ProductPlan: Set<Int>] = [:]
  private var datesOfCountry: [Symbol: Set<Int>] = [:]

  /// Creates the scope of a run's increases.
  init(_ changes: [PriceChange], asOf: Day) {
    increases = changes.filter { $0.kind == .increase }
    self.asOf = asOf
    for (index, increase) in increases.enumerated() {
      let own = Dates(
        effective: increase.date, existing: increase.effectiveExisting ?? increase.date)
      let datesIndex = dates.firstIndex(of: own) ?? dates.count
      if datesIndex == dates.count { dates.append(own) }
      datesOfIncrease.append(datesIndex)
      increasesOfKey[increase.key, default: []].append(index)
      datesOfProduct[increase.key.productPlan, default: []].insert(datesIndex)
      datesOfCountry[increase.key.country, default: []].insert(datesIndex)
    }
  }

  /// The largest number of months that a comparison can have, from ``firstMonth`` on.
  var monthCount: Int {
    let first = dates.map(\.effective).min() ?? asOf
    let last = Self.month(of: asOf - Self.undecidedDays, from: first)
    return max(0, last) + 1 - Self.firstMonth
  }

  /// Returns the 30-day month of a period's end: 0 for the 30 days from the change on, -1 for the 30 days before it.
  static func month(of end: Day, from effective: Day) -> Int {
    let days = end - effective
    return (days >= 0 ? days : days - (monthDays - 1)) / monthDays
  }

  /// Returns whether a price is treated or may be a control.
  func concerns(_ key: PriceKey) -> Bool {
    datesOfProduct[key.productPlan] != nil || datesOfCountry[key.country] != nil
  }

  /// Returns the indices of a key's increases; empty for most keys.
  func increases(of key: PriceKey) -> [Int] { increasesOfKey[key] ?? [] }

  /// Returns the indices of the dates around which a price is treated or may be a control.
  ///
  /// These are the dates of increases of the same product anywhere, and of any product in the same storefront.
  func dates(of key: PriceKey) -> [Int] {
    (datesOfProduct[key.productPlan] ?? []).union(datesOfCountry[key.country] ?? []).sorted()
  }
}
