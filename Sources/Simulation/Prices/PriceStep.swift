/// A planted price with its product, storefront and currency found in the catalogue.
struct PriceStep: Equatable {
  let product: Int
  let storefront: Int
  /// The number of the calendar day; in a ``PriceBook``, of the day on the timeline.
  var day: Int
  let price: Int
  let currency: Int
  let kind: PlantedPrice.Kind
  /// The price for new subscribers on the day before.
  let oldPrice: Int
  let oldCurrency: Int
  /// Whether the subscription of existing subscribers ends unless they agree.
  let needsConsent: Bool

  var isGlitch: Bool { kind == .glitch }

  /// Whether existing subscribers pay it from their next renewal on.
  var reachesEverybody: Bool { !isGlitch && kind != .preserved }

  /// The probability that the increase adds to that of no renewal, in millionths; nil for other changes.
  var extraLoss: Int? { kind.extraLoss }

  /// Finds planted prices, in any order, in the catalogue; returns them by product, storefront and day.
  static func steps(
    of planted: [PlantedPrice], in days: ClosedRange<Int>
  ) throws(SimulationError) -> [PriceStep] {
    guard planted.count <= PlantedPrice.limit else { throw .tooManyPrices(planted.count) }
    var steps: [PriceStep] = []
    // Days written as 2026-01-31 sort as text.
    for price in planted.sorted(by: { $0.day < $1.day }) {
      steps.append(try PriceStep(price, after: steps, in: days))
    }
    return steps.sorted { left, right in
      (left.product, left.storefront, left.day) < (right.product, right.storefront, right.day)
    }
  }

  private init(
    _ planted: PlantedPrice, after earlier: [PriceStep], in days: ClosedRange<Int>
  ) throws(SimulationError) {
    let product = Catalog.products.firstIndex { $0.name == planted.product }
    let storefront = Catalog.storefronts.firstIndex { $0.code == planted.country }
    guard let product else {
      throw .unknownWord(
        found: planted.product,
        words: Catalog.products.map(\.name))
    }
    guard let storefront else {
      throw .unknownWord(
        found: planted.country,
        words: Catalog.storefronts.map(\.code))
    }
    guard let day = CalendarDay.parsed(planted.day) else { throw .malformedDay(planted.day) }
    guard days.contains(day) else {
      let (first, last) = (CalendarDay.text(days.lowerBound), CalendarDay.text(days.upperBound))
      throw .impossiblePrice(found: planted.day, expected: "a day from \(first) to \(last)")
    }
    let before = earlier.filter { $0.product == product && $0.storefront == storefront }
    guard !before.contains(where: { $0.day == day }) else {
      throw .impossiblePrice(
        found: "\(planted.product),\(planted.country),\(planted.day)",
        expected: "one price a product, country and day")
    }
    let last = before.last { !$0.isGlitch }
    self.product = product
    self.storefront = storefront
    self.day = day
    price = planted.price
    kind = planted.kind
    oldCurrency = last?.currency ?? Catalog.storefronts[storefront].currency
    oldPrice = last?.price ?? Catalog.products[product].prices[oldCurrency]
    if case .currency(let code) = kind, let index = Catalog.currencies.firstIndex(of: code) {
      currency = index
    } else {
      currency = oldCurrency
    }
    let hasRisen = before.contains { $0.extraLoss != nil && day - $0.day < 365 }
    needsConsent =
      kind.extraLoss != nil
      && (hasRisen || Self.isLarge(price - oldPrice, of: oldPrice, product, currency))
    try check()
  }

  /// Returns whether an increase is more than half the price and more than 5 dollars (50 for a year).
  ///
  /// This is the rule of the US storefront. In another currency the limit is scaled by the ratio of the
  /// product's prices.
  private static func isLarge(_ rise: Int, of price: Int, _ product: Int, _ currency: Int) -> Bool {
    let product = Catalog.products[product]
    let dollars = product.term.months == 12 ? 5_000 : 500
    return rise * 2 > price && rise * product.prices[0] > dollars * product.prices[currency]
  }

  private func check() throws(SimulationError) {
    let expected: String? =
      switch kind {
      case .increase, .preserved: price > oldPrice ? nil : "a price above"
      case .decrease: price < oldPrice ? nil : "a price below"
      case .glitch: price != oldPrice ? nil : "another price than"
      case .currency: currency != oldCurrency ? nil : "another currency than that of"
      }
    if let expected {
      throw .impossiblePrice(
        found: "\(hundredths: price) \(Catalog.currencies[currency])",
        expected: "\(expected) \(hundredths: oldPrice) \(Catalog.currencies[oldCurrency])")
    }
    guard Catalog.hasDecimals(currency: currency) || price % 100 == 0 else {
      throw .impossiblePrice(
        found: "\(hundredths: price)",
        expected: "a price without decimals in \(Catalog.currencies[currency])")
    }
  }
}

extension PlantedPrice.Kind {
  fileprivate var extraLoss: Int? {
    guard case .increase(let extraLoss) = self else { return nil }
    return extraLoss
  }
}

/// The planted prices of a product in a storefront, by day.
///
/// Each price has a number: 0 is the catalogue's price, 1 the first planted one.
struct PriceSchedule {
  /// The planted prices, by day.
  let steps: [PriceStep]

  /// Returns the number of the price for new subscribers on a day.
  func listed(on day: Int) -> Int {
    let last = steps.lastIndex { $0.day <= day && (!$0.isGlitch || $0.day == day) }
    return last.map { $0 + 1 } ?? 0
  }

  /// Returns the number of the price of a subscriber's charge, after the number of the price paid before.
  func following(_ number: Int, on day: Int) -> Int {
    var next = lasting(number)
    for place in steps.indices.dropFirst(next)
    where steps[place].day <= day && steps[place].reachesEverybody {
      next = place + 1
    }
    let listed = listed(on: day)
    return next == lasting(listed) ? listed : next
  }

  /// Returns whether a subscriber keeps a price that new subscribers no longer get.
  func isPreserved(_ number: Int, on day: Int) -> Bool {
    lasting(number) < lasting(listed(on: day))
  }

  /// Returns the number of the increase that takes effect by the end of a period; `end` is the day after it.
  ///
  /// It is nil if the next lasting change is no increase or comes later, and after a one-day price.
  func increase(after number: Int, from start: Int, to end: Int) -> Int? {
    guard lasting(number) == number,
      let next = steps.indices.dropFirst(number).first(where: { !steps[$0].isGlitch }),
      steps[next].extraLoss != nil, start < steps[next].day, steps[next].day <= end
    else { return nil }
    return next + 1
  }

  /// Returns a price's number; for a one-day price, the number of the price before it.
  private func lasting(_ number: Int) -> Int {
    var number = number
    while number > 0, steps[number - 1].isGlitch { number -= 1 }
    return number
  }
}
