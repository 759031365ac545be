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

extension PriceTally {
  /// The histories of all prices, by key; a key's in the order of prices.
  var histories: [PriceKey: [PriceHistory]] {
    var days = points.map { _ in [Day: PriceHistory.DayOfCharges]() }
    var outgoing = points.map { _ in [Day: PriceHistory.DayOfRenewals]() }
    var histories = points.map { PriceHistory(milliunits: $0.milliunits) }
    for point in points.indices {
      for (day, count) in renewals[point].counted {
        days[point][day, default: .init(day: day)].charges += count
        days[point][day, default: .init(day: day)].continuing += count
        outgoing[point][day, default: .init(day: day)].charges += count
        outgoing[point][day, default: .init(day: day)].staying += count
      }
    }
    for (arrival, count) in arrivals {
      let (point, day) = (arrival.point, arrival.day)
      guard !arrival.isPreserved else {
        histories[point].kept[day, default: 0] += count
        continue
      }
      var charges = days[point][day] ?? .init(day: day)
      charges.charges += count
      switch arrival.origin {
      case .new: charges.new += count
      case .elsewhere: break
      case .unknownPeriod:
        charges.continuing += count
        histories[point].unlinkedRenewals[day, default: 0] += count
      case .period(let before, let isPreserved):
        charges.continuing += count
        guard !isPreserved else { break }
        outgoing[before][day, default: .init(day: day)].charges += count
        guard points[before].key == points[point].key else { break }
        let price = points[point].milliunits
        outgoing[before][day, default: .init(day: day)].moving[price, default: 0] += count
      }
      days[point][day] = charges
    }
    for point in points.indices {
      histories[point].days = days[point].values.sorted { $0.day < $1.day }
      histories[point].renewals = outgoing[point].values.sorted { $0.day < $1.day }
    }
    var byKey: [PriceKey: [PriceHistory]] = [:]
    for (point, history) in zip(points, histories) where !history.days.isEmpty {
      byKey[point.key, default: []].append(history)
    }
    return byKey.mapValues { $0.sorted { $0.milliunits < $1.milliunits } }
  }
}
