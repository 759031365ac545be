/// All prices in all storefronts, computed once.
struct PriceBook {
  private let amounts: [Amounts]
  /// The planted prices by product and storefront; nil where there are none.
  private let schedules: [PriceSchedule?]
  /// The amounts of the planted prices, by product and storefront.
  private let plantedAmounts: [[Amounts]]
  /// The products with a planted price in some storefront; they have no rise of their own.
  let plantedProducts: Set<Int>
  /// The largest number of successive prices of a product in a storefront.
  let stepCount: Int

  /// The sum of twelve instalments, in per cent of the yearly price, by product and storefront.
  let instalmentPercents: [Int]
  /// The developer's shares by storefront; nil if they are the usual ones everywhere.
  private let commissions: CommissionTable?

  private static let percents = [70, 85]

  init(options: WorldOptions, timeline: Timeline) {
    let steps = options.priceSteps.map { step in
      var step = step
      step.day -= timeline.base
      return step
    }
    let planted = Set(steps.map(\.product))
    plantedProducts = planted
    var amounts: [Amounts] = []
    var schedules: [PriceSchedule?] = []
    for (index, product) in Catalog.products.enumerated() {
      let earlierPrices = planted.contains(index) ? nil : product.earlierPrices
      for (place, storefront) in Catalog.storefronts.enumerated() {
        let currency = storefront.currency
        for offer in Offer.all {
          for pricing in [Pricing.current, .earlier, .preserved] {
            let prices = pricing == .current ? product.prices : earlierPrices ?? product.prices
            let price = Self.price(prices[currency], percent: offer.percent, currency)
            amounts += Self.amounts(price, currency, storefront)
          }
        }
        let own = steps.filter { $0.product == index && $0.storefront == place }
        schedules.append(own.isEmpty ? nil : PriceSchedule(steps: own))
      }
    }
    self.amounts = amounts
    self.schedules = schedules
    plantedAmounts = schedules.map { schedule in
      (schedule?.steps ?? []).flatMap { step in
        Offer.all.flatMap { offer in
          Self.amounts(
            Self.price(step.price, percent: offer.percent, step.currency), step.currency,
            Catalog.storefronts[step.storefront])
        }
      }
    }
    instalmentPercents = Self.instalmentPercents(seed: options.seed)
    commissions = options.plans.hasCommissions ? CommissionTable(timeline: timeline) : nil
    stepCount = 1 + (schedules.compactMap { $0?.steps.count }.max() ?? 0)
  }

  func amounts(_ terms: ChargeTerms) -> Amounts {
    guard !terms.isSpecial else { return specialAmounts(terms) }
    let rate = terms.isAfterOneYear ? 1 : 0
    guard terms.step == 0 else {
      let offer = (Int(terms.step) - 1) * Offer.all.count + Int(terms.offer)
      return plantedAmounts[Self.key(terms)][offer * Self.percents.count + rate]
    }
    var index = Self.key(terms) * Offer.all.count + Int(terms.offer)
    index = index * 3 + Int(terms.pricing.rawValue)
    return amounts[index * Self.percents.count + rate]
  }

  /// Returns the number of the developer's shares in a storefront on a day.
  func commission(of storefront: UInt8, on day: Int) -> UInt8 {
    commissions?.number(of: storefront, on: day) ?? 0
  }

  /// Returns the planted prices of a product in a storefront, if there are any.
  func schedule(_ terms: ChargeTerms) -> PriceSchedule? {
    schedules[Self.key(terms)]
  }

  /// All planted prices, with their numbers, in the order of product, storefront and day.
  var plantedSteps: [(key: Int, number: Int, step: PriceStep)] {
    schedules.enumerated().flatMap { key, schedule in
      (schedule?.steps ?? []).enumerated().map { (key, $0.offset + 1, $0.element) }
    }
  }

  /// Returns the index of a product and storefront among all such pairs.
  static func key(_ terms: ChargeTerms) -> Int {
    Int(terms.product) * Catalog.storefronts.count + Int(terms.storefront)
  }

  /// Returns the increase that takes effect by the end of a period; `end` is the day after it.
  ///
  /// It is nil unless the period is a standard one at the price before the increase.
  func increase(_ terms: ChargeTerms, from start: Int, to end: Int) -> Increase? {
    guard Int(terms.offer) == Offer.standard, terms.pricing == .current, terms.instalment == 0,
      !terms.isContingent, let schedule = schedule(terms),
      let number = schedule.increase(after: Int(terms.step), from: start, to: end)
    else { return nil }
    return Increase(key: Self.key(terms), number: number, step: schedule.steps[number - 1])
  }

  /// Returns the part of a charge that an upgrade refunds, when `days` of `length` days are left.
  static func share(of amounts: Amounts, days: Int, length: Int) -> Amounts {
    let unit = Catalog.coin(of: amounts.currency)
    let price = max(unit, amounts.price * days / length / unit * unit)
    let proceeds = amounts.proceeds * days / length / unit * unit
    return Amounts(price: price, proceeds: max(unit, proceeds), currency: amounts.currency)
  }

  /// Returns a part of a price that ends in 9 like most prices: 599 at 50 per cent is 289.
  static func price(_ price: Int, percent: Int, _ currency: Int) -> Int {
    guard percent != 100 else { return price }
    let unit = 10 * Catalog.coin(of: currency)
    let reduced = price * percent / 100 / unit * unit
    return reduced == 0 || !Catalog.hasDecimals(currency: currency) ? reduced : reduced - 1
  }

  /// Returns the amounts at both usual rates.
  private static func amounts(
    _ price: Int, _ currency: Int, _ storefront: Storefront
  ) -> [Amounts] {
    percents.map { amounts(price, currency, storefront, percent: $0) }
  }

  /// Returns the amounts of a price; the developer gets `percent` of the price without tax.
  static func amounts(
    _ price: Int, _ currency: Int, _ storefront: Storefront, percent: Int
  ) -> Amounts {
    let unit = Catalog.coin(of: currency)
    let whole = (1_000 + storefront.taxPerMille) * 100 * unit
    let proceeds = (price * 1_000 * percent + whole / 2) / whole * unit
    return Amounts(price: price, proceeds: proceeds, currency: currency)
  }
}

/// An increase that applies to a period.
struct Increase {
  /// The index of its product and storefront, as ``PriceBook/key(_:)``.
  let key: Int
  /// The number of its price in the ``PriceSchedule``.
  let number: Int
  let step: PriceStep
}

/// Prices of instalments, contingent prices, and amounts at a storefront's own shares.
extension PriceBook {
  /// A contingent price, per cent of the price without the other app.
  private static let contingentPercent = 75

  /// Draws the sum of twelve instalments by product and storefront: 108 to 144 per cent of the yearly price.
  static func instalmentPercents(seed: UInt64) -> [Int] {
    var random = SeededRandom(seed: seed, stream: 42)
    return (0..<Catalog.products.count * Catalog.storefronts.count).map { _ in
      108 + random.below(37)
    }
  }

  func specialAmounts(_ terms: ChargeTerms) -> Amounts {
    var listed = terms
    listed.instalment = 0
    listed.isContingent = false
    listed.commission = 0
    let amounts = amounts(listed)
    var price = amounts.price
    if terms.instalment > 0 {
      price = Self.instalment(
        of: price, percent: instalmentPercents[Self.key(terms)], amounts.currency)
    }
    if terms.isContingent {
      let reduced = Self.price(price, percent: Self.contingentPercent, amounts.currency)
      price = max(reduced, Catalog.coin(of: amounts.currency))
    }
    let shares: CommissionTable.Shares = terms.commission > 0 ? .new : .usual
    return Self.amounts(
      price, amounts.currency, Catalog.storefronts[Int(terms.storefront)],
      percent: terms.isAfterOneYear ? shares.afterOneYear : shares.standard)
  }

  /// Returns the price of one instalment; twelve of them cost 1.0 to 1.5 times the yearly price.
  private static func instalment(of year: Int, percent: Int, _ currency: Int) -> Int {
    let coin = Catalog.coin(of: currency)
    let least = (year + 12 * coin - 1) / (12 * coin) * coin
    let most = max(least, year * 3 / (24 * coin) * coin)
    let exact = year * percent / 1_200
    let rounded = (exact + 5 * coin) / (10 * coin) * 10 * coin
    let usual = coin == 1 ? rounded - 1 : rounded
    return min(max(usual, least), most)
  }
}

extension ChargeTerms {
  /// Whether the amounts differ from the listed ones at the usual shares.
  var isSpecial: Bool { instalment > 0 || isContingent || commission > 0 }
}
