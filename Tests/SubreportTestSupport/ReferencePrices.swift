import Counting
package import PriceImpact
import SubscriptionModel

/// The obvious version of how price changes are found (METRICS.md section 6), to compare with: every
/// step asks its question of the whole list of charges again.
package struct ReferencePrices {
  /// A paid standard charge, and what it continues.
  private struct Charge {
    let key: PriceKey
    let price: Int64
    let day: Day
    let isPreserved: Bool
    /// METRICS.md 10.7: cheaper because of another subscription, left out like a preserved one.
    let isContingent: Bool
    let isNew: Bool
    /// The paid standard period of the same product that it continues.
    let before: (key: PriceKey, price: Int64, isLeftOut: Bool)?

    var isLeftOut: Bool { isPreserved || isContingent }
  }

  /// Charges of one price.
  private struct Spell {
    let price: Int64
    var charges: [Charge]

    var first: Day { charges.map(\.day).min() ?? Day(number: 0) }
    var last: Day { charges.map(\.day).max() ?? Day(number: 0) }
    var days: Int { Set(charges.map(\.day)).count }
  }

  private let firstDay: Day
  private let asOf: Day
  private var charges: [Charge] = []
  /// Days of instalments that take no part, each under its own key: they count for a key's first day.
  private var unknownDays: [(key: PriceKey, day: Day)] = []

  /// Lists the charges of a world.
  ///
  /// - Parameter world: The world.
  package init(_ world: WorldBuilder) {
    firstDay = world.firstFileDay
    asOf = world.asOf
    for subscriber in world.subscribers.indices {
      let history = world.reference(subscriber)
      for chain in history.chains {
        add(
          history.periods[chain.periods].map { ($0, world.terms[Int($0.terms)]) },
          isStartKnown: chain.start == .known)
      }
    }
  }

  /// Lists the charges of a chain.
  ///
  /// METRICS.md 10.6: a term is one period.
  private mutating func add(_ chain: [ReferenceTerm.Charge], isStartKnown: Bool) {
    let ofUnknownPosition = ReferenceTerm.terms(of: chain, asOf: asOf).filter { !$0.isKnown }
      .flatMap(\.instalments)
    for (index, charge) in chain.enumerated() where charge.terms.plan == .commitment {
      guard charge.terms.kind == .standard, charge.terms.price.milliunits > 0,
        ofUnknownPosition.contains(index) || charge.period.ending == .boughtAgainSameDay
      else { continue }
      unknownDays.append((PriceKey(charge.terms), charge.period.start))
    }
    let periods = ReferencePricedPeriod.periods(of: chain, asOf: asOf)
    for (place, period) in periods.enumerated() {
      let terms = period.terms
      guard terms.kind == .standard, terms.price.milliunits > 0 else { continue }
      if period.isOfUnknownPosition { continue }
      let isFirstPaid = !periods[..<place].contains { $0.terms.isPaid }
      var before: (PriceKey, Int64, Bool)?
      if place > 0, periods[place - 1].period.fate == .continued,
        !periods[place - 1].isOfUnknownPosition
      {
        let old = periods[place - 1].terms
        // Another plan counts as another product.
        if old.kind == .standard, old.price.milliunits > 0,
          old.attributes.product == terms.attributes.product, old.plan == terms.plan
        {
          before = (PriceKey(old), old.price.milliunits, old.isPreserved || old.isContingent)
        }
      }
      charges.append(
        Charge(
          key: PriceKey(terms), price: terms.price.milliunits, day: period.period.start,
          isPreserved: terms.isPreserved, isContingent: terms.isContingent,
          isNew: isStartKnown && isFirstPaid, before: before))
    }
  }

  /// Returns every change, in no order.
  ///
  /// - Returns: The changes, all of them found.
  package func changes() -> [PriceChange] {
    Set(charges.filter { !$0.isLeftOut }.map(\.key)).flatMap(changes)
  }

  /// METRICS.md 10.7: what a minority pays for four weeks is no price of the key's, unless new customers pay it.
  private func parallelPrices(of key: PriceKey) -> Set<Int64> {
    let all = charges.filter { $0.key == key && !$0.isLeftOut }
    return Set(all.map(\.price)).filter { price in
      let paying = all.filter { $0.price == price }
      guard let first = paying.map(\.day).min(), let last = paying.map(\.day).max(),
        last >= first + 28
      else { return false }
      let new = all.filter { $0.isNew && ((first + 2)...(first + 27)).contains($0.day) }
      let isOfNew =
        new.count >= 3 && Double(new.count { $0.price == price }) >= 0.9 * Double(new.count)
      return 3 * paying.count < all.count { (first...last).contains($0.day) } && !isOfNew
    }
  }

  private func changes(of key: PriceKey) -> [PriceChange] {
    let all = charges.filter { $0.key == key && !$0.isLeftOut }
    let parallel = parallelPrices(of: key)
    let own = all.filter { !parallel.contains($0.price) }
    var changes = parallel.map { price in
      let spell = Spell(price: price, charges: all.filter { $0.price == price })
      return row(.parallel, key, spell, old: nil, new: price)
    }
    let spells = spells(own).sorted {
      ($0.first, $0.last, $0.price) < ($1.first, $1.last, $1.price)
    }
    var rest: [Spell] = []
    for spell in spells where smallKind(spell) == nil {
      if rest.last?.price == spell.price {
        rest[rest.count - 1].charges += spell.charges
      } else {
        rest.append(spell)
      }
    }
    for spell in spells {
      guard let kind = smallKind(spell) else { continue }
      let before = rest.last { $0.first <= spell.first }?.price
      let isEdge = kind == .atDataEdge
      changes.append(
        row(
          kind, key, spell, old: isEdge ? spell.price : before, new: isEdge ? nil : spell.price))
    }
    if let first = rest.first, let change = opening(key, first) { changes.append(change) }
    for (p, q) in zip(rest, rest.dropFirst()) {
      let kind = kind(key, p, q)
      var change = row(kind, key, q, old: p.price, new: q.price)
      if kind == .increase { change.effectiveExisting = existing(key, p, q) }
      changes.append(change)
    }
    return changes
  }

  private func row(
    _ kind: PriceChange.Kind, _ key: PriceKey, _ spell: Spell, old: Int64?, new: Int64?
  ) -> PriceChange {
    var change = PriceChange(kind, key, date: spell.first, oldPrice: old, newPrice: new)
    change.newCharges = spell.charges.count(where: \.isNew)
    change.continuingCharges = spell.charges.count { $0.before != nil }
    return change
  }

  /// Returns the row of a key's earliest price; `nil` when it has none.
  private func opening(_ key: PriceKey, _ spell: Spell) -> PriceChange? {
    let unknown = unknownDays.filter { $0.key == key }.map(\.day)
    let f = (unknown + [spell.first]).min() ?? spell.first
    guard f > firstDay + 35 else { return nil }
    let others = Set(charges.map(\.key) + unknownDays.map(\.key)).filter {
      $0 != key && $0.product == key.product && $0.country == key.country
    }
    let isNewCurrency = others.contains { other in
      let days = charges.filter { $0.key == other && !$0.isLeftOut }.map(\.day)
      return other.plan == key.plan && days.contains { $0 < f } && days.count { $0 > f + 7 } < 3
    }
    // METRICS.md 10.6: another plan of product and country was charged before.
    let isNewPlan = others.contains { other in
      let days = charges.filter { $0.key == other && !$0.isLeftOut }.map(\.day)
      let unknown = unknownDays.filter { $0.key == other }.map(\.day)
      return other.plan != key.plan && (days + unknown).contains { $0 < f }
    }
    let kind: PriceChange.Kind =
      isNewPlan ? .newPlan : isNewCurrency ? .currencyChange : .newStorefront
    var change = row(kind, key, spell, old: nil, new: spell.price)
    change.date = f
    return change
  }

  // MARK: Step 2

  private func spells(_ own: [Charge]) -> [Spell] {
    let prices = Set(own.map(\.price))
    let whole = prices.map { price in Spell(price: price, charges: own.filter { $0.price == price })
    }
    let lasting = whole.filter { smallKind($0) == nil }
    return whole.flatMap { spell -> [Spell] in
      var spells: [Spell] = []
      for charge in spell.charges.sorted(by: { $0.day < $1.day }) {
        let last = spells.last?.last
        let hasPause =
          last.map { last in
            let others = lasting.filter { $0.price != spell.price }.flatMap(\.charges).map(\.day)
            return Set(others.filter { last < $0 && $0 < charge.day }).count >= 7
          } ?? true
        if hasPause {
          spells.append(Spell(price: spell.price, charges: [charge]))
        } else {
          spells[spells.count - 1].charges.append(charge)
        }
      }
      return spells
    }
  }

  private func smallKind(_ spell: Spell) -> PriceChange.Kind? {
    let isShort =
      spell.last - spell.first < 7 && asOf >= spell.first + 7 && spell.first > firstDay + 7
    guard spell.charges.count < 3 || spell.days < 2 || isShort else { return nil }
    if spell.first > asOf - 7 { return .unconfirmed }
    return spell.last < firstDay + 7 ? .atDataEdge : .glitch
  }

  // MARK: Steps 3 to 9

  private func kind(_ key: PriceKey, _ p: Spell, _ q: Spell) -> PriceChange.Kind {
    let e = q.first
    if q.price < p.price { return .decrease }
    if p.first > e - 28 { return .atDataEdge }
    if asOf < e + 7 { return .unconfirmed }
    let parallel = parallelPrices(of: key)
    let new = charges.filter {
      $0.key == key && !$0.isLeftOut && !parallel.contains($0.price) && $0.isNew
        && ((e + 2)...(e + 27)).contains($0.day)
    }
    if !new.isEmpty, Double(new.count { $0.price == q.price }) < 0.9 * Double(new.count) {
      return .overlap
    }
    let continuing = charges.filter { charge in
      charge.day >= e && charge.before.map { $0.key == key && $0.price == p.price } ?? false
        && charge.before?.isLeftOut == false
    }
    let moved = continuing.count {
      !$0.isLeftOut && $0.key == key && $0.price == q.price
    }
    let kept = continuing.count { $0.isPreserved && $0.key == key && $0.price == p.price }
    if moved < 3 || kept >= moved { return kept > moved ? .newCustomersOnly : .unconfirmed }
    return .increase
  }

  private func existing(_ key: PriceKey, _ p: Spell, _ q: Spell) -> Day {
    let e = q.first
    let continuing = charges.filter { charge in
      charge.day >= e && !charge.isLeftOut && charge.before?.isLeftOut == false
        && charge.before.map { $0.key == key && $0.price == p.price } ?? false
    }
    let early = continuing.filter { $0.day <= e + 27 }
    let staying = early.count { $0.key == key && $0.price == p.price }
    guard Double(staying) > Double(early.count) / 2 else { return e }
    let days = Set(continuing.filter { $0.key == key && $0.price == q.price }.map(\.day)).sorted()
    return days.first { d in
      let window = continuing.filter { (d...(d + 27)).contains($0.day) }
      let moving = window.count { $0.key == key && $0.price == q.price }
      return Double(moving) >= 0.9 * Double(window.count)
    } ?? e
  }
}
