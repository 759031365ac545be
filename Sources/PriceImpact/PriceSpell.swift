import Counting
import Storage
import SubscriptionModel

/// A time during which a price was charged: METRICS.md section 6, step 2.
struct PriceSpell {
  let history: PriceHistory
  /// The days with a charge in the spell, in order; at least one.
  var days: [PriceHistory.DayOfCharges]

  /// A price that is charged for fewer days is a glitch.
  static let minimumDays = 7

  var first: Day { days[0].day }
  var last: Day { days[days.count - 1].day }
  var charges: Int { days.reduce(0) { $0 + $1.charges } }

  /// Returns the spells of a price.
  ///
  /// A new spell begins after a pause with at least 7 days on which one of the other prices was charged.
  ///
  /// - Parameters:
  ///   - history: The price's charges, at least one.
  ///   - days: The days, in order, on which a price of the key was charged, without glitches.
  /// - Returns: The spells in order.
  static func spells(of history: PriceHistory, among days: [Day]) -> [PriceSpell] {
    var spells: [PriceSpell] = []
    for day in history.days {
      if let last = spells.last?.last,
        day.day - last <= minimumDays
          || days.partitionPoint({ $0 < day.day }) - days.partitionPoint({ $0 <= last })
            < minimumDays
      {
        spells[spells.count - 1].days.append(day)
      } else {
        spells.append(PriceSpell(history: history, days: [day]))
      }
    }
    return spells
  }

  /// Returns the class of a spell that is too small to count as a price.
  ///
  /// - Parameters:
  ///   - firstDay: The first day of the data.
  ///   - asOf: The last day of the data.
  /// - Returns: The class; `nil` if the spell is large enough.
  func smallKind(firstDay: Day, asOf: Day) -> PriceChange.Kind? {
    // A spell near either end of the data may only look short.
    let isShort =
      last - first < Self.minimumDays && asOf - first >= Self.minimumDays
      && first - firstDay > Self.minimumDays
    guard charges < 3 || days.count < 2 || isShort else { return nil }
    if first > asOf - Self.minimumDays { return .unconfirmed }
    return last < firstDay + Self.minimumDays ? .atDataEdge : .glitch
  }
}
