package import Storage
package import SubscriptionModel

/// The billing plan of each charge of a run: upfront or instalments.
///
/// The user's list decides first, then a column of the report, then the price: METRICS.md 10.1.
package struct BillingPlans: Sendable {
  /// An instalment price that was inferred from charges.
  package struct InferredPrice: Equatable, Sendable {
    /// The product, storefront, currency and price.
    package var price: StorefrontPrice
    /// The number of subscriptions that paid it.
    package var subscriptions: Int
    /// The number of subscriptions that paid it twice, 25 to 35 days apart.
    package var pairs: Int
  }

  /// The inferred instalment prices of charges without a plan column, in no order.
  package let inferred: [InferredPrice]
  /// The products that are sold in instalments.
  package let soldInInstalments: Set<Symbol>
  /// The products with a price that may be an instalment price but has been charged for too few days to decide.
  package let doubtful: Set<Symbol>
  private let instalmentPrices: Set<StorefrontPrice>
  private let rules: [Symbol: BillingPlanRule]

  /// Decides from the evidence up to as-of which prices are instalment prices; the user's rules are by product id.
  package init(_ signs: InstalmentEvidence, asOf: Day, rules: [Symbol: BillingPlanRule] = [:]) {
    let withPairs = signs.prices.filter { $0.value.pairs > 0 }
    let clear = Set(withPairs.filter { Self.isClear($0.value.pairs, $0.value.old(on: asOf)) }.keys)
    var sold = Set(clear.map(\.key.product)).union(signs.stated.keys)
    for (product, own) in Dictionary(grouping: withPairs, by: \.key.key.product) {
      // A subscription that paid several of these prices counts once.
      let repeats = signs.repeats[product] ?? DayCounts()
      let pairs = own.reduce(0) { $0 + $1.value.pairs } - repeats.sum { _ in true }
      let old = own.reduce(0) { $0 + $1.value.old(on: asOf) } - repeats.old(on: asOf)
      if Self.isClear(pairs, old) { sold.insert(product) }
    }
    let highest = signs.prices.keys.reduce(into: [StorefrontKey: Int64]()) { highest, price in
      highest[price.key] = max(highest[price.key] ?? 0, price.milliunits)
    }
    let isLow = { (price: StorefrontPrice) in
      price.milliunits <= (highest[price.key] ?? 0) / InstalmentEvidence.highestPriceDivisor
    }
    // Only products with a charge: whether the terms of others were read may depend on a cache.
    let charged = Set(signs.prices.keys.map(\.key.product)).union(signs.stated.keys)
    for (product, rule) in rules {
      if rule == .only(.upfront) {
        sold.remove(product)
      } else if charged.contains(product) {
        sold.insert(product)
      }
    }
    let found = signs.prices.filter { price, counts in
      guard counts.mayBeInstalments, sold.contains(price.key.product),
        rules[price.key.product] == nil
      else { return false }
      return clear.contains(price) || isLow(price)
        || (counts.pairs > 0 && counts.pairs * 2 >= counts.old(on: asOf))
    }
    inferred = found.filter { $0.value.unstated > 0 }.map {
      InferredPrice(price: $0, subscriptions: $1.firstDays.sum { _ in true }, pairs: $1.pairs)
    }
    instalmentPrices = Set(found.keys)
    soldInInstalments = sold
    doubtful = Set(
      signs.prices.filter { price, counts in
        counts.mayBeInstalments && !sold.contains(price.key.product)
          && rules[price.key.product] == nil && isLow(price) && counts.old(on: asOf) == 0
      }.map(\.key.key.product))
    self.rules = rules
  }

  /// Returns whether at least 3 subscriptions paid a price twice, and at least half of those old enough to.
  private static func isClear(_ pairs: Int, _ old: Int) -> Bool {
    pairs >= InstalmentEvidence.minimumPairs && pairs * 2 >= old
  }

  /// Returns whether another run's charges have the same plans by these rules, given the evidence of that run.
  package func agree(with other: BillingPlans, on signs: InstalmentEvidence) -> Bool {
    signs.prices.keys.allSatisfy { price in
      instalmentPrices.contains(price) == other.instalmentPrices.contains(price)
    } && soldInInstalments == other.soldInInstalments
  }

  /// Returns whether an instalment price of a product is known.
  package func hasInstalmentPrice(of product: Symbol) -> Bool {
    rules[product] != nil || instalmentPrices.contains { $0.key.product == product }
  }

  /// Returns whether a standard price of a product of one year is that of an instalment.
  package func isInstalment(_ value: ChargeValue, in country: Symbol, _ currency: String) -> Bool {
    var attributes = Attributes()
    (attributes.product, attributes.country) = (value.product, country)
    let terms = ChargeTerms(
      attributes: attributes, kind: .standard, offerMode: .none, standardTerm: .year,
      offerTerm: nil, optInTerm: nil, price: value.price, proceeds: value.proceeds)
    return plan(of: terms) { _ in priceText(value.price.milliunits, currency: currency) }
      == .commitment
  }

  package func plan(of terms: ChargeTerms, text: (Symbol) -> String) -> BillingPlan {
    guard terms.standardTerm == .year else { return .upfront }
    let product = terms.attributes.product
    if let rule = rules[product] {
      return rule.plan(isPaid: terms.isPaid, price: text(terms.attributes.price))
    }
    if let stated = terms.statedPlan { return stated }
    guard terms.isPaid else {
      return soldInInstalments.contains(product) ? .unknown : .upfront
    }
    return terms.isStandardPaid && instalmentPrices.contains(StorefrontPrice(terms))
      ? .commitment : .upfront
  }

  /// Returns terms with their plans, in the same order; `symbol` adds a text that is new.
  package func applied(
    to terms: [ChargeTerms], text: (Symbol) -> String, symbol: (String) -> Symbol
  ) -> [ChargeTerms] {
    let symbols = BillingPlan.allCases.map { symbol($0.name) }
    return terms.map { own in
      var own = own
      own.plan = plan(of: own, text: text)
      own.attributes.plan = symbols[Int(own.plan.rawValue)]
      return own
    }
  }
}

/// The numbers of receipt charges without a billing plan, by product and length of the period.
///
/// A product has one duration. So a product with periods of a month and of a year may be sold in instalments.
/// verifyReceipt records never have a plan.
struct PeriodLengths: Sendable {
  private var months: [Symbol: Int] = [:]
  private var years: [Symbol: Int] = [:]

  private static let daysOfMonth = 25...35
  private static let minimumDaysOfYear = 360
  /// The smallest number of monthly charges that counts: one or two may be errors of Apple's.
  private static let minimumMonths = 3

  /// Adds a charge.
  mutating func add(_ period: ReceiptPeriod) {
    let event = period.event
    guard period.plan == .upfront, !event.flags.contains(.hasBillingPlan), event.isPaid,
      event.kind == .standard, period.refund == nil, !period.isUpgraded,
      let expires = event.expires
    else { return }
    let days = (expires - event.purchase) / 86_400
    if days >= Self.minimumDaysOfYear {
      years[event.product, default: 0] += 1
    } else if Self.daysOfMonth.contains(days), event.purchase.day >= BillingPlan.firstSale {
      months[event.product, default: 0] += 1
    }
  }

  mutating func merge(_ other: PeriodLengths) {
    months.merge(other.months, uniquingKeysWith: +)
    years.merge(other.years, uniquingKeysWith: +)
  }

  /// Writes the counts, or reads them into empty ones.
  mutating func code(with coder: inout some ValueCoder) {
    coder.dictionary(&months, blank: (.blank, 0)) { product, count, coder in
      coder.symbol(&product)
      coder.count(&count)
    }
    coder.dictionary(&years, blank: (.blank, 0)) { product, count, coder in
      coder.symbol(&product)
      coder.count(&count)
    }
  }

  /// The products that may be sold in instalments.
  var doubtful: Set<Symbol> {
    Set(months.filter { $0.value >= Self.minimumMonths && years[$0.key] != nil }.keys)
  }
}
