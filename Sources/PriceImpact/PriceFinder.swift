package import Counting
import Storage
package import SubscriptionModel

extension PriceTally {
  /// Returns every change of a standard price with its class: METRICS.md section 6, steps 2 to 9.
  ///
  /// Contingent prices are left out. Prices of instalments are given only for SALES, whose rows have no plan. For the
  /// keys of the user's increases, at most one per key, no other changes are searched for. The changes are in no order.
  package func changes(
    firstDay: Day, asOf: Day, contingent: MarkedPrices? = nil, instalments: MarkedPrices? = nil,
    given: [PriceChange] = []
  ) -> [PriceChange] {
    let histories = PriceHistories(self, without: contingent, instalments: instalments)
    let givenKeys = Set(given.map(\.key))
    let siblings = Dictionary(grouping: histories.allKeys) { $0.withoutCurrencyAndPlan }
    let finder = { (key: PriceKey) in
      let prices = histories.prices(of: key)
      return PriceFinder(
        key: key, prices: prices, totals: DayTotals(prices), histories: histories,
        siblings: siblings[key.withoutCurrencyAndPlan] ?? [],
        firstDay: firstDay, asOf: asOf, duration: durations[key.product])
    }
    var changes = given.map { finder($0.key).completed($0) }
    for key in histories.keys where !givenKeys.contains(key) { changes += finder(key).changes() }
    let admitted = admitted
    for index in changes.indices { changes[index].isAdmitted = admitted[changes[index].key] != nil }
    return changes
  }
}

extension PriceKey {
  /// The product and storefront alone: the same for all currencies and plans.
  fileprivate var withoutCurrencyAndPlan: StorefrontKey {
    StorefrontKey(product: product, country: country, currency: .blank)
  }
}

/// Finds the changes of one key's price.
struct PriceFinder {
  let key: PriceKey
  /// The histories of the key's prices.
  var prices: [PriceHistory]
  /// The charges at all of these.
  var totals: DayTotals
  let histories: PriceHistories
  /// The key, and those of other currencies and plans of the same product and storefront.
  let siblings: [PriceKey]
  let firstDay: Day
  let asOf: Day
  /// The product's standard duration; only for SALES.
  let duration: Term?

  /// The length of the window after E in which charges are compared, in days.
  ///
  /// The old price must have been charged at least this number of days before E.
  static let windowDays = 28
  /// A price first charged at most this number of days after the first file does not count as new.
  private static let edgeDays = 35
  /// The smallest number of charges that shows that existing subscribers pay the new price.
  private static let minimumMoves = 3

  func changes() -> [PriceChange] {
    let parallel = prices.filter(isParallel)
    var others = self
    if !parallel.isEmpty {
      let leftOut = Set(parallel.map(\.milliunits))
      others.prices.removeAll { leftOut.contains($0.milliunits) }
      others.totals = DayTotals(others.prices)
    }
    return others.changesOfLastingPrices()
      + parallel.map { change(.parallel, to: PriceSpell(history: $0, days: $0.days), from: nil) }
  }

  /// Returns whether a price was charged over 28 days or more and had less than a third of the key's charges then, unless
  /// nine tenths of the new customers pay it: METRICS.md 10.7.
  private func isParallel(_ price: PriceHistory) -> Bool {
    guard let first = price.days.first?.day, let last = price.days.last?.day,
      last - first >= Self.windowDays
    else { return false }
    let all = totals.charges(in: first...last)
    let new = newCharges(from: first)
    let isOfNewCustomers =
      new.all >= Self.minimumMoves && price.newCharges(in: new.window) * 10 >= new.all * 9
    return price.charges { _ in true } * 3 < all && !isOfNewCustomers
  }

  /// Returns the days from 2 to 27 days after a price's first, because a charge may be dated a day early, and the number of
  /// new charges in them at all prices.
  private func newCharges(from first: Day) -> (window: ClosedRange<Day>, all: Int) {
    let window = (first + 2)...(first + Self.windowDays - 1)
    return (window, totals.new(in: window))
  }

  private func changesOfLastingPrices() -> [PriceChange] {
    var changes: [PriceChange] = []
    // Spells with too few charges or days to count as a price.
    var small: [(spell: PriceSpell, kind: PriceChange.Kind)] = []
    var lasting: [PriceSpell] = []
    for spell in spells() {
      if let kind = spell.smallKind(firstDay: firstDay, asOf: asOf) {
        small.append((spell, kind))
      } else if lasting.last?.history.milliunits == spell.history.milliunits {
        lasting[lasting.count - 1].days += spell.days
      } else {
        lasting.append(spell)
      }
    }
    if let earliest = lasting.first.flatMap(firstAppearance) { changes.append(earliest) }
    for (old, new) in zip(lasting, lasting.dropFirst()) {
      changes.append(change(from: old, to: new))
    }
    for (spell, kind) in small {
      let (charges, days) = (spell.charges, spell.days.count)
      let note = "\(charges) charge\(charges == 1 ? "" : "s") on \(days) day\(days == 1 ? "" : "s")"
      let before = lasting[..<lasting.partitionPoint { $0.first <= spell.first }].last
      var row = change(kind, to: spell, from: before?.history.milliunits, note)
      if kind == .atDataEdge { (row.oldPrice, row.newPrice) = (row.newPrice, nil) }
      changes.append(row)
    }
    return changes
  }

  /// Returns the spells of all prices, sorted by their first days.
  private func spells() -> [PriceSpell] {
    // Decide which prices are glitches before there are spells: the spells of two prices depend on each other.
    let lasting = prices.filter {
      PriceSpell(history: $0, days: $0.days).smallKind(firstDay: firstDay, asOf: asOf) == nil
    }
    // In a pause of a price only others are charged.
    let charged = Set(lasting.flatMap(\.days).map(\.day)).sorted()
    let spells = prices.flatMap { PriceSpell.spells(of: $0, among: charged) }
    return spells.sorted {
      ($0.first, $0.last, $0.history.milliunits) < ($1.first, $1.last, $1.history.milliunits)
    }
  }

  private func change(
    _ kind: PriceChange.Kind, to spell: PriceSpell, from old: Int64?, _ note: String = ""
  ) -> PriceChange {
    var change = PriceChange(
      kind, key, date: spell.first, oldPrice: old, newPrice: spell.history.milliunits)
    change.count(spell.days)
    change.note = note
    return change
  }

  /// Returns the row of a key's earliest price if it is new: step 3 and METRICS.md 10.6.
  ///
  /// `nil` if the price was charged within 35 days of the first file.
  private func firstAppearance(_ earliest: PriceSpell) -> PriceChange? {
    let first = min(earliest.first, histories.firstDayWithoutPart(of: key) ?? earliest.first)
    guard first > firstDay + Self.edgeDays else { return nil }
    let hasOtherPlan = siblings.contains { other in
      other.plan != key.plan && histories.firstDay(of: other).map { $0 < first } == true
    }
    let replacesCurrency = siblings.contains { other in
      guard other.plan == key.plan, other != key else { return false }
      let prices = histories.prices(of: other)
      let before = prices.map { $0.charges { $0 < first } }.reduce(0, +)
      let after = prices.map { $0.charges { $0 > first + 7 } }.reduce(0, +)
      return before > 0 && after < 3
    }
    var row = change(
      hasOtherPlan ? .newPlan : replacesCurrency ? .currencyChange : .newStorefront, to: earliest,
      from: nil, hasOtherPlan || replacesCurrency ? "" : "or no sale before")
    row.date = first
    return row
  }

  /// Returns the change from one spell to the next with its class: steps 3 to 9.
  private func change(from old: PriceSpell, to new: PriceSpell) -> PriceChange {
    let price = old.history.milliunits
    let effective = new.first
    if new.history.milliunits < price { return change(.decrease, to: new, from: price) }
    if old.first > effective - Self.windowDays {
      return change(.atDataEdge, to: new, from: price, "old price first seen on \(old.first)")
    }
    if asOf < effective + PriceSpell.minimumDays {
      return change(.unconfirmed, to: new, from: price, "less than 7 days before the data end")
    }
    let ofNew = newCharges(from: effective)
    if new.history.newCharges(in: ofNew.window) * 10 < ofNew.all * 9 {
      return change(.overlap, to: new, from: price, "needs --price-changes")
    }
    let moved = moved(from: old.history, to: new.history, since: effective)
    let kept = kept(old.history, since: effective)
    if moved < Self.minimumMoves || kept >= moved {
      return change(
        kept > moved ? .newCustomersOnly : .unconfirmed, to: new, from: price,
        "\(moved) renewed at the new price, \(kept) keep the old one")
    }
    var change = change(.increase, to: new, from: price)
    change.effectiveExisting = effectiveExisting(
      from: old.history, to: new.history.milliunits, since: effective)
    return change
  }

  // MARK: Charges of existing subscribers

  /// Returns the number of charges at the new price that continue a period at the old price: step 7.
  ///
  /// SALES rows do not name the period that they continue. A renewal within one standard duration from E must
  /// continue a period from before E, so it counts as moved.
  private func moved(from old: PriceHistory, to new: PriceHistory, since day: Day) -> Int {
    let linked = old.renewals.filter { $0.day >= day }
      .map { $0.moving[new.milliunits] ?? 0 }.reduce(0, +)
    let end = duration.map(day.adding) ?? day + Self.windowDays
    return linked
      + new.unlinkedRenewals.filter { day <= $0.key && $0.key < end }.values.reduce(0, +)
  }

  /// Returns the number of preserved charges that continue a period at the old price and pay it again: step 7.
  private func kept(_ old: PriceHistory, since day: Day) -> Int {
    let end = duration.map(day.adding)
    return old.kept.filter { day <= $0.key && end.map { [key = $0.key] in key < $0 } ?? true }
      .values.reduce(0, +)
  }

  /// Returns E_x, the day from which existing subscribers meet the new price: step 9.
  private func effectiveExisting(
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

  /// Returns an increase from `--price-changes` with its charges and E_x: step 8.
  func completed(_ given: PriceChange) -> PriceChange {
    var change = given
    change.origin = .file
    change.effectiveExisting = given.date
    for price in prices where price.milliunits == given.newPrice {
      change.count(price.days.filter { $0.day >= given.date })
    }
    if let old = prices.first(where: { $0.milliunits == given.oldPrice }),
      let newPrice = given.newPrice
    {
      change.effectiveExisting = effectiveExisting(from: old, to: newPrice, since: given.date)
    }
    return change
  }
}

/// The charges at several prices up to each day.
struct DayTotals {
  private var days: [Day] = []
  /// Before each of the days and after the last one.
  private var sums: [(charges: Int, new: Int)] = [(0, 0)]

  init(_ prices: [PriceHistory]) {
    var found: [Day: (charges: Int, new: Int)] = [:]
    for day in prices.lazy.flatMap(\.days) {
      found[day.day, default: (0, 0)].charges += day.charges
      found[day.day]?.new += day.new
    }
    for (day, own) in found.sorted(by: { $0.key < $1.key }) {
      let last = sums[days.count]
      days.append(day)
      sums.append((last.charges + own.charges, last.new + own.new))
    }
  }

  func charges(in window: ClosedRange<Day>) -> Int {
    let (first, end) = places(window)
    return sums[end].charges - sums[first].charges
  }

  func new(in window: ClosedRange<Day>) -> Int {
    let (first, end) = places(window)
    return sums[end].new - sums[first].new
  }

  private func places(_ window: ClosedRange<Day>) -> (first: Int, end: Int) {
    (
      days.partitionPoint { $0 < window.lowerBound },
      days.partitionPoint { $0 <= window.upperBound }
    )
  }
}

extension PriceChange {
  fileprivate mutating func count(_ days: [PriceHistory.DayOfCharges]) {
    newCharges += days.reduce(0) { $0 + $1.new }
    continuingCharges += days.reduce(0) { $0 + $1.continuing }
  }
}
