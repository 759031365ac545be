package import Storage
package import SubscriptionModel

/// The obvious version of METRICS.md 10.1 for SUBSCRIBER reports, to compare with: for each price, every
/// subscription is asked again when it paid it.
package struct ReferencePlans {
  /// A price of a product in a storefront.
  package struct Price: Hashable, Sendable {
    /// The product's Apple ID.
    package let product: Symbol
    /// The storefront.
    package let country: Symbol
    /// The customer's currency.
    package let currency: Symbol
    /// The price in milliunits.
    package let milliunits: Int64
  }

  /// A paid standard charge of a product of one year.
  private struct Charge {
    let price: Price
    let subscription: [UInt64]
    let day: Day
    let isRefundedInFull: Bool
    let stated: BillingPlan?
  }

  /// The prices of instalments.
  package private(set) var instalmentPrices: Set<Price> = []
  /// The products that are sold in instalments.
  package private(set) var soldInInstalments: Set<Symbol> = []
  private var charges: [Charge] = []
  private let world: WorldBuilder
  private let rules: [Symbol: BillingPlanRule]

  /// Finds out how the products of a world are paid.
  ///
  /// - Parameters:
  ///   - world: The world, whose terms have no plans yet.
  ///   - rules: What the config says.
  package init(_ world: WorldBuilder, rules: [Symbol: BillingPlanRule] = [:]) {
    self.world = world
    self.rules = rules
    for subscriber in world.subscribers.indices { add(subscriber) }
    let prices = Set(charges.map(\.price))
    // A price is an instalment price when ...
    instalmentPrices = prices.filter { pairs(at: $0) >= 3 && 2 * pairs(at: $0) >= old(at: $0) }
    soldInInstalments = Set(instalmentPrices.map(\.product))
    // A product is sold in instalments when a price is one, when a column says so, or ...
    for terms in world.terms where terms.standardTerm == .year && terms.price.milliunits > 0 {
      if terms.statedPlan == .commitment { soldInInstalments.insert(terms.attributes.product) }
    }
    // ... its prices with at least one such pair pass the same test together: a subscription counts once.
    for product in Set(prices.map(\.product)) {
      let together = prices.filter { $0.product == product && pairs(at: $0) >= 1 }
      let all = Set(together.flatMap(paidTwice)).count
      let old = Set(together.flatMap(paidLongAgo)).count
      if all >= 3, 2 * all >= old { soldInInstalments.insert(product) }
    }
    // Of such a product a price is one too when ...
    for price in prices where soldInInstalments.contains(price.product) {
      let isPaidSo = pairs(at: price) >= 1 && 2 * pairs(at: price) >= old(at: price)
      let dearest = prices.filter { isSameKey($0, price) }.map(\.milliunits).max() ?? 0
      if isPaidSo || 6 * price.milliunits <= dearest { instalmentPrices.insert(price) }
    }
  }

  private mutating func add(_ subscriber: Int) {
    let history = world.reference(subscriber)
    for (index, period) in history.periods.enumerated() {
      let terms = world.terms[Int(period.terms)]
      guard terms.standardTerm == .year, terms.kind == .standard, terms.price.milliunits > 0
      else { continue }
      charges.append(
        Charge(
          price: price(of: terms),
          subscription: [UInt64(subscriber), UInt64(terms.attributes.group)], day: period.start,
          isRefundedInFull: history.refunds.contains { $0.period == index && $0.isFull },
          stated: terms.statedPlan))
    }
  }

  private func price(of terms: ChargeTerms) -> Price {
    Price(
      product: terms.attributes.product, country: terms.attributes.country,
      currency: terms.price.currency, milliunits: terms.price.milliunits)
  }

  private func isSameKey(_ left: Price, _ right: Price) -> Bool {
    left.product == right.product && left.country == right.country
      && left.currency == right.currency
  }

  /// The charges that show something: a column that calls a charge upfront says that it is none.
  private func evidence(at price: Price) -> [[UInt64]: [Charge]] {
    Dictionary(
      grouping: charges.filter { $0.price == price && $0.stated != .upfront },
      by: \.subscription)
  }

  /// The subscriptions that paid a price twice, neither refunded in full, 25 to 35 days apart.
  private func paidTwice(_ price: Price) -> Set<[UInt64]> {
    let evidence = evidence(at: price).filter { _, charges in
      let kept = charges.filter { !$0.isRefundedInFull }.map(\.day)
      return kept.contains { first in kept.contains { (25...35).contains($0 - first) } }
    }
    return Set(evidence.keys)
  }

  /// The subscriptions that paid a price first 35 or more days before as-of.
  private func paidLongAgo(_ price: Price) -> Set<[UInt64]> {
    let evidence = evidence(at: price).filter { _, charges in
      charges.contains { $0.day <= world.asOf - 35 }
    }
    return Set(evidence.keys)
  }

  private func pairs(at price: Price) -> Int { paidTwice(price).count }

  private func old(at price: Price) -> Int { paidLongAgo(price).count }

  /// Returns the plan of a charge.
  ///
  /// - Parameter terms: All that its row says.
  /// - Returns: The plan.
  package func plan(of terms: ChargeTerms) -> BillingPlan {
    guard terms.standardTerm == .year else { return .upfront }
    let product = terms.attributes.product
    let isPaid = terms.price.milliunits > 0
    // The config decides before all of these; a list names instalment prices of paid charges.
    switch rules[product] {
    case .only(let plan): return plan
    case .instalmentPrices(let list) where isPaid:
      let text = world.symbols[Int(terms.attributes.price)]
      return list.contains(text) ? .commitment : .upfront
    default: break
    }
    if let stated = terms.statedPlan { return stated }
    // The config's list makes a product one that is sold in instalments.
    let isSold = soldInInstalments.contains(product) || rules[product] != nil
    guard isPaid else { return isSold ? .unknown : .upfront }
    let isOne = terms.kind == .standard && instalmentPrices.contains(price(of: terms))
    return isOne ? .commitment : .upfront
  }
}
