import SubscriptionModel

/// Counts what existing subscribers paid after a change: METRICS.md section 6, steps 7 and 9.
extension PriceFinder {
  /// Step 7: counts the charges that continue a period at the old price and pay the new price.
  ///
  /// SALES rows do not name the period that they continue. A renewal within one standard duration from E must
  /// continue a period from before E, so it counts as moved.
  func moved(from old: PriceHistory, to new: PriceHistory, since day: Day) -> Int {
    let linked = old.renewals.filter { $0.day >= day }
      .map { $0.moving[new.milliunits] ?? 0 }.reduce(0, +)
    let end = endOfFirstRenewals(since: day)
    return linked
      + new.unlinkedRenewals.filter { day <= $0.key && $0.key < end }.values.reduce(0, +)
  }

  /// Step 7: counts the preserved charges that continue a period at the old price and still pay it.
  func kept(_ old: PriceHistory, since day: Day) -> Int {
    let end = duration == nil ? nil : endOfFirstRenewals(since: day)
    return old.kept.filter { day <= $0.key && end.map { [key = $0.key] in key < $0 } ?? true }
      .values.reduce(0, +)
  }

  private func endOfFirstRenewals(since day: Day) -> Day {
    duration.map(day.adding) ?? day + Self.windowDays
  }

  /// Step 9: returns E_x, the day from which existing subscribers meet the new price.
  func effectiveExisting(
    from old: PriceHistory, to price: Int64, since effective: Day
  ) -> Day {
    let renewals = old.renewals.filter { $0.day >= effective }
    let inWindow = renewals.prefix { $0.day <= effective + Self.windowDays - 1 }
    let staying = inWindow.map(\.staying).reduce(0, +)
    guard staying * 2 > inWindow.map(\.charges).reduce(0, +) else { return effective }
    let day = renewals.indices.first { index in
      guard renewals[index].moving[price] != nil else { return false }
      let window = renewals[index...].prefix {
        $0.day <= renewals[index].day + Self.windowDays - 1
      }
      let moving = window.map { $0.moving[price] ?? 0 }.reduce(0, +)
      return moving * 10 >= window.map(\.charges).reduce(0, +) * 9
    }
    return day.map { renewals[$0].day } ?? effective
  }
}
