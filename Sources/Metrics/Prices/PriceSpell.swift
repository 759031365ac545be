import SubscriptionModel

/// A stretch of time in which a price was charged: METRICS.md section 6, step 2.
struct PriceSpell {
  var history: PriceHistory
  private(set) var first: Day
  private(set) var last: Day
  private(set) var charges = 0
  private(set) var days = 0
  private(set) var newCharges = 0
  private(set) var continuingCharges = 0

  /// Days that make a price more than a glitch.
  static let minimumDays = 7

  private init(_ history: PriceHistory, _ day: PriceHistory.DayOfCharges) {
    self.history = history
    first = day.day
    last = day.day
    add(day)
  }

  private mutating func add(_ day: PriceHistory.DayOfCharges) {
    last = day.day
    charges += day.charges
    days += 1
    newCharges += day.new
    continuingCharges += day.continuing
  }

  /// Adds a later spell of the same price.
  mutating func append(_ later: PriceSpell) {
    last = later.last
    charges += later.charges
    days += later.days
    newCharges += later.newCharges
    continuingCharges += later.continuingCharges
  }

  /// Returns the spells of a price.
  ///
  /// A new one begins after 7 or more days on each of which the price was not charged and another was.
  ///
  /// - Parameters:
  ///   - history: The price's charges, at least one.
  ///   - others: Other prices of the key that are no glitches.
  /// - Returns: The spells in order.
  static func spells(of history: PriceHistory, among others: [PriceHistory]) -> [PriceSpell] {
    var spells: [PriceSpell] = []
    for day in history.days {
      guard let before = spells.last else {
        spells.append(PriceSpell(history, day))
        continue
      }
      let isNew =
        day.day - before.last > minimumDays
        && daysCharged(others, after: before.last, before: day.day) >= minimumDays
      if isNew {
        spells.append(PriceSpell(history, day))
      } else {
        spells[spells.count - 1].add(day)
      }
    }
    return spells
  }

  /// Returns on how many days between two any of some prices was charged.
  private static func daysCharged(
    _ prices: [PriceHistory], after first: Day, before last: Day
  ) -> Int {
    Set(prices.flatMap(\.days).map(\.day).filter { first < $0 && $0 < last }).count
  }

  /// What the spell is when it is too small to be a price of its own; `nil` when it is one.
  ///
  /// - Parameters:
  ///   - firstDay: The first day of the data.
  ///   - asOf: The last day of the data.
  /// - Returns: The class.
  func smallKind(firstDay: Day, asOf: Day) -> PriceChange.Kind? {
    let isShort =
      last - first < Self.minimumDays && asOf - first >= Self.minimumDays
      && first - firstDay > Self.minimumDays
    guard charges < 3 || days < 2 || isShort else { return nil }
    if first > asOf - Self.minimumDays { return .unconfirmed }
    return last < firstDay + Self.minimumDays ? .atDataEdge : .glitch
  }
}
