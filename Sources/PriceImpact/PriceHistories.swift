import Counting
import Storage
import SubscriptionModel

/// The price histories of all keys, built for one key at a time.
///
/// All histories at once would need more memory than the charges.
struct PriceHistories {
  private let tally: PriceTally
  private var pointsOfKey: [PriceKey: [Int]] = [:]
  /// The first day of each key's excluded charges; they count only for the first day of the key.
  private var otherDaysOfKey: [PriceKey: Day] = [:]
  /// For each price, the transitions to it.
  private var incoming: [[PriceTally.Transition]]
  /// For each price, the transitions from it to any price, without preserved ones.
  private var outgoing: [[PriceTally.Transition]]

  /// Creates the histories of a tally.
  ///
  /// Prices of instalments are given only for SALES, whose rows do not say the place in a term. They are left out too,
  /// but count for the first day of their key.
  init(
    _ tally: PriceTally, without contingent: MarkedPrices? = nil,
    instalments: MarkedPrices? = nil
  ) {
    self.tally = tally
    incoming = [[PriceTally.Transition]](repeating: [], count: tally.points.count)
    outgoing = incoming
    for transition in tally.transitions.keys {
      incoming[Int(transition.point)].append(transition)
      if case .period(let before, let wasPreserved) = transition.origin, !wasPreserved,
        !transition.isPreserved
      {
        outgoing[Int(before)].append(transition)
      }
    }
    for (number, point) in tally.points.enumerated() {
      let isInstalment = instalments?.contains(point.key.storefront, point.milliunits) == true
      if !isInstalment, contingent?.contains(point.key.storefront, point.milliunits) != true {
        pointsOfKey[point.key, default: []].append(number)
      }
      let charged = isInstalment ? daysOfCharges(number).map { Day(number: $0.lowerBound) } : nil
      let days = [tally.days[number].withoutPlace.first, charged].compactMap { $0 }
      guard let first = days.min() else { continue }
      otherDaysOfKey[point.key] = min(first, otherDaysOfKey[point.key] ?? first)
    }
  }

  /// The keys with a price that is not left out.
  var keys: [PriceKey] { Array(pointsOfKey.keys) }

  /// All keys with charges, including keys whose charges are all excluded.
  var allKeys: Set<PriceKey> { Set(pointsOfKey.keys).union(otherDaysOfKey.keys) }

  /// Returns the first day with any charge of a key, excluded or not; `nil` without charges.
  func firstDay(of key: PriceKey) -> Day? {
    let charged = prices(of: key).compactMap(\.days.first?.day)
    return (charged + [otherDaysOfKey[key]].compactMap { $0 }).min()
  }

  /// Returns the first day of a key's excluded charges; `nil` if there are none.
  func firstDayWithoutPart(of key: PriceKey) -> Day? { otherDaysOfKey[key] }

  /// Returns the histories of a key's prices, lowest price first.
  func prices(of key: PriceKey) -> [PriceHistory] {
    (pointsOfKey[key] ?? []).map(history).filter { !$0.days.isEmpty }
      .sorted { $0.milliunits < $1.milliunits }
  }

  private func count(_ transition: PriceTally.Transition) -> Int {
    tally.transitions[transition] ?? 0
  }

  private func history(_ point: Int) -> PriceHistory {
    var history = PriceHistory(milliunits: tally.points[point].milliunits)
    guard let range = daysOfCharges(point) else { return history }
    var days = range.map { PriceHistory.DayOfCharges(day: Day(number: $0)) }
    var renewals = range.map { PriceHistory.DayOfRenewals(day: Day(number: $0)) }
    let place = { (day: Day) in Int(day.number - range.lowerBound) }
    let counted = tally.days[point]
    counted.renewals.forEach { day, count in
      days[place(day)].charges = count
      days[place(day)].continuing = count
      renewals[place(day)].charges = count
      renewals[place(day)].staying = count
    }
    counted.new.forEach { day, count in
      days[place(day)].charges += count
      days[place(day)].new = count
    }
    counted.otherCharges.forEach { days[place($0)].charges += $1 }
    for transition in incoming[point] {
      let (day, count) = (transition.day, count(transition))
      guard !transition.isPreserved else {
        history.kept[day, default: 0] += count
        continue
      }
      days[place(day)].charges += count
      days[place(day)].continuing += count
      if transition.origin == .unknownPeriod { history.unlinkedRenewals[day, default: 0] += count }
    }
    for transition in outgoing[point] {
      let (day, count) = (transition.day, count(transition))
      let next = tally.points[Int(transition.point)]
      renewals[place(day)].charges += count
      guard next.key == tally.points[point].key else { continue }
      renewals[place(day)].moving[next.milliunits, default: 0] += count
    }
    history.days = days.filter { $0.charges != 0 }
    history.renewals = renewals.filter { $0.charges != 0 }
    return history
  }

  /// Returns the range from the first to the last day with a charge at or from a price; `nil` without charges.
  private func daysOfCharges(_ point: Int) -> ClosedRange<Int32>? {
    let counted = tally.days[point]
    let ends = [counted.renewals, counted.new, counted.otherCharges].flatMap {
      [$0.first, $0.last]
    }
    let days = ends.compactMap { $0 } + (incoming[point] + outgoing[point]).map(\.day)
    guard let first = days.min(), let last = days.max() else { return nil }
    return first.number...last.number
  }
}

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
  /// `days` are those on which a price of the key was charged, in order, without glitches.
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

  /// Returns the class of a spell that is too small to count as a price, given the first and the last day of the data;
  /// `nil` if it is large enough.
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
