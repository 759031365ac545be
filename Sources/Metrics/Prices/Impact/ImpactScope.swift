import SubscriptionModel

/// What the second pass over the chains looks for: the increases, and where their controls may be.
struct ImpactScope: Sendable {
  /// When a new price came, to new customers and to old ones.
  struct Dates: Hashable, Sendable {
    /// E: the first day on which it was charged.
    var effective: Day
    /// E_x: the first day on which existing subscribers met it.
    var existing: Day
  }

  /// The increases to measure, in any order.
  let increases: [PriceChange]
  /// The day up to which the source is complete.
  let asOf: Day
  /// The distinct dates of the increases: in many storefronts they are mostly the same.
  let dates: [Dates]
  /// For each increase the index of its dates.
  let datesOfIncrease: [Int]
  /// Calendar distance of the months that renewals are counted by: METRICS.md section 6, pre-trend.
  static let monthDays = 30
  /// The first month, so that -3 to -1 are the 90 days before the change.
  static let firstMonth = -3
  /// Days after which it is known whether a period continued.
  static let undecidedDays = ChainBuilder.toleranceDays + 1

  private let increasesOfKey: [PriceKey: [Int]]
  private let datesOfProduct: [PlannedProduct: Set<Int>]
  private let datesOfCountry: [Symbol: Set<Int>]

  /// Creates the scope of a run's increases.
  ///
  /// - Parameters:
  ///   - changes: The changes of the source; those that are no increase are left out.
  ///   - asOf: The day up to which the source is complete.
  init(_ changes: [PriceChange], asOf: Day) {
    increases = changes.filter { $0.kind == .increase }
    self.asOf = asOf
    var dates: [Dates] = []
    var datesOfIncrease: [Int] = []
    var increasesOfKey: [PriceKey: [Int]] = [:]
    var datesOfProduct: [PlannedProduct: Set<Int>] = [:]
    var datesOfCountry: [Symbol: Set<Int>] = [:]
    for (index, increase) in increases.enumerated() {
      let own = Dates(
        effective: increase.date, existing: increase.effectiveExisting ?? increase.date)
      let place = dates.firstIndex(of: own) ?? dates.count
      if place == dates.count { dates.append(own) }
      datesOfIncrease.append(place)
      increasesOfKey[increase.key, default: []].append(index)
      datesOfProduct[increase.key.plannedProduct, default: []].insert(place)
      datesOfCountry[increase.key.country, default: []].insert(place)
    }
    self.dates = dates
    self.datesOfIncrease = datesOfIncrease
    self.increasesOfKey = increasesOfKey
    self.datesOfProduct = datesOfProduct
    self.datesOfCountry = datesOfCountry
  }

  /// How many months a comparison can have, from ``firstMonth`` on.
  var monthCount: Int {
    let first = dates.map(\.effective).min() ?? asOf
    let last = Self.month(of: asOf - Self.undecidedDays, from: first)
    return max(0, last) + 1 - Self.firstMonth
  }

  /// Returns the number of 30 days that lie between a change and a period's end, rounded down.
  static func month(of end: Day, from effective: Day) -> Int {
    let days = end - effective
    return (days >= 0 ? days : days - (monthDays - 1)) / monthDays
  }

  /// Returns whether a product in a storefront is treated or may be control.
  func concerns(_ key: PriceKey) -> Bool {
    datesOfProduct[key.plannedProduct] != nil || datesOfCountry[key.country] != nil
  }

  /// Returns the increases of a price; none for most.
  func increases(of key: PriceKey) -> [Int] { increasesOfKey[key] ?? [] }

  /// Returns the dates of the increases for which a product in a storefront is treated or may be control:
  /// those of the same product anywhere, and of any product in the same storefront.
  func dates(of key: PriceKey) -> [Int] {
    (datesOfProduct[key.plannedProduct] ?? []).union(datesOfCountry[key.country] ?? []).sorted()
  }
}
