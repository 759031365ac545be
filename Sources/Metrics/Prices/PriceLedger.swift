import SubscriptionModel

/// Gives the histories of prices, key by key: all of them at once would take more room than the charges.
struct PriceLedger {
  private let tally: PriceTally
  private var pointsOfKey: [PriceKey: [Int]] = [:]
  /// The arrivals at each price.
  private var incoming: [[PriceTally.Arrival]]
  /// The arrivals that come from each price, unless they are preserved.
  private var outgoing: [[PriceTally.Arrival]]

  /// Collects the prices of a tally, but for contingent ones.
  init(_ tally: PriceTally, without contingent: ContingentPrices? = nil) {
    self.tally = tally
    incoming = [[PriceTally.Arrival]](repeating: [], count: tally.points.count)
    outgoing = incoming
    for (number, point) in tally.points.enumerated()
    where contingent?.contains(point.key, point.milliunits) != true {
      pointsOfKey[point.key, default: []].append(number)
    }
    for arrival in tally.arrivals.keys {
      incoming[Int(arrival.point)].append(arrival)
      if case .period(let before, let wasPreserved) = arrival.origin, !wasPreserved,
        !arrival.isPreserved
      {
        outgoing[Int(before)].append(arrival)
      }
    }
  }

  /// The keys that have a price.
  var keys: [PriceKey] { Array(pointsOfKey.keys) }

  /// Returns the histories of a key's prices, in the order of prices.
  func prices(of key: PriceKey) -> [PriceHistory] {
    (pointsOfKey[key] ?? []).map(history).filter { !$0.days.isEmpty }
      .sorted { $0.milliunits < $1.milliunits }
  }

  private func count(_ arrival: PriceTally.Arrival) -> Int { tally.arrivals[arrival] ?? 0 }

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
    counted.elsewhere.forEach { days[place($0)].charges += $1 }
    for arrival in incoming[point] {
      let (day, count) = (arrival.day, count(arrival))
      guard !arrival.isPreserved else {
        history.kept[day, default: 0] += count
        continue
      }
      days[place(day)].charges += count
      days[place(day)].continuing += count
      if arrival.origin == .unknownPeriod { history.unlinkedRenewals[day, default: 0] += count }
    }
    for arrival in outgoing[point] {
      let (day, count) = (arrival.day, count(arrival))
      let next = tally.points[Int(arrival.point)]
      renewals[place(day)].charges += count
      guard next.key == tally.points[point].key else { continue }
      renewals[place(day)].moving[next.milliunits, default: 0] += count
    }
    history.days = days.filter { $0.charges != 0 }
    history.renewals = renewals.filter { $0.charges != 0 }
    return history
  }

  /// Returns the numbers of the first to the last day of which something is known; `nil` without one.
  private func daysOfCharges(_ point: Int) -> ClosedRange<Int32>? {
    let counted = tally.days[point]
    let ends = [counted.renewals, counted.new, counted.elsewhere].flatMap { [$0.first, $0.last] }
    let days = ends.compactMap { $0 } + (incoming[point] + outgoing[point]).map(\.day)
    guard let first = days.min(), let last = days.max() else { return nil }
    return first.number...last.number
  }
}
