import SubscriptionModel

/// A stretch of time during which a price was charged: METRICS.md section 6, step 2.
struct PriceSpell {
  var history: PriceHistory
  private(set) var first: Day
  private(set) var last: Day
  private(set) var charges = 0
  private(set) var days = 0
  private(set) var newCharges = 0
  private(set) var continuingCharges = 0

  /// Fewer days than this make a price a glitch.
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

  /// Extends the spell by a later one of the same price.
  mutating func append(_ later: PriceSpell) {
    last = later.last
    charges += later.charges
    days += later.days
    newCharges += later.newCharges
    continuingCharges += later.continuingCharges
  }

  /// Returns the spells of a price.
  ///
  /// A new spell begins after a pause with at least 7 days on which one of the other prices was charged.
  ///
  /// - Parameters:
  ///   - history: The price's charges, at least one.
  ///   - others: The key's other prices, without glitches.
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

  /// Returns the number of days strictly between two days on which any of the prices was charged.
  private static func daysCharged(
    _ prices: [PriceHistory], after first: Day, before last: Day
  ) -> Int {
    Set(prices.flatMap(\.days).map(\.day).filter { first < $0 && $0 < last }).count
  }

  /// Returns the class of a spell that is too small to count as a price.
  ///
  /// - Parameters:
  ///   - firstDay: The first day of the data.
  ///   - asOf: The last day of the data.
  /// - Returns: The class; `nil` if the spell is large enough.
  func smallKind(firstDay: Day, asOf: Day) -> PriceChange.Kind? {
    let isShort =
      last - first < Self.minimumDays && asOf - first >= Self.minimumDays
      && first - firstDay > Self.minimumDays
    guard charges < 3 || days < 2 || isShort else { return nil }
    if first > asOf - Self.minimumDays { return .unconfirmed }
    return last < firstDay + Self.minimumDays ? .atDataEdge : .glitch
  }
}
