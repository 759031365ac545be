package import Storage
package import SubscriptionModel

/// The charges at one price of one key by day, from which price changes are found.
package struct PriceHistory {
  /// The charges of one day at the price, without preserved ones.
  package struct DayOfCharges {
    package var day: Day
    /// All these charges, with those that are neither new nor continuing, such as a return after a
    /// lapse.
    package var charges = 0
    /// The first paid charges of chains with a known start.
    package var new = 0
    /// Charges that continue a paid standard period of the product, at any price.
    package var continuing = 0

    package init(day: Day, charges: Int = 0, new: Int = 0, continuing: Int = 0) {
      self.day = day
      self.charges = charges
      self.new = new
      self.continuing = continuing
    }
  }

  /// The charges of one day that continue a period at the price, without preserved ones.
  package struct DayOfRenewals {
    package var day: Day
    /// All these charges, at any price.
    package var charges = 0
    /// Those at the same price.
    package var staying = 0
    /// Those at another price of the key, by price.
    package var moving: [Int64: Int] = [:]

    package init(day: Day, charges: Int = 0, staying: Int = 0, moving: [Int64: Int] = [:]) {
      self.day = day
      self.charges = charges
      self.staying = staying
      self.moving = moving
    }
  }

  /// The price.
  package var milliunits: Int64
  /// Sorted by day.
  package var days: [DayOfCharges] = []
  /// Sorted by day; empty for SALES.
  package var renewals: [DayOfRenewals] = []
  /// By day, the preserved charges at the price that continue a period at the price.
  package var kept: [Day: Int] = [:]
  /// SALES only: by day, the renewals at the price; the price before is unknown.
  package var unlinkedRenewals: [Day: Int] = [:]

  package init(
    milliunits: Int64, days: [DayOfCharges] = [], renewals: [DayOfRenewals] = [],
    kept: [Day: Int] = [:], unlinkedRenewals: [Day: Int] = [:]
  ) {
    self.milliunits = milliunits
    self.days = days
    self.renewals = renewals
    self.kept = kept
    self.unlinkedRenewals = unlinkedRenewals
  }

  /// Returns the number of charges on the days that pass a test.
  package func charges(where admits: (Day) -> Bool) -> Int {
    days.filter { admits($0.day) }.map(\.charges).reduce(0, +)
  }

  package func newCharges(in range: ClosedRange<Day>) -> Int {
    days.filter { range.contains($0.day) }.map(\.new).reduce(0, +)
  }
}

/// A product with its billing plan, storefront and customer currency: each key has its own standard price.
///
/// Example: a one-year product that is sold in Germany upfront at 59.99 EUR and in twelve instalments of 5.99 EUR
/// has two keys there. METRICS.md sections 6 and 10.6.
package struct PriceKey: Hashable, Sendable {
  /// The product, storefront and currency.
  package var storefront: StorefrontKey
  /// The billing plan; `unknown` for SALES, whose rows have no plan.
  package var plan: BillingPlan

  package init(_ storefront: StorefrontKey, plan: BillingPlan = .upfront) {
    self.storefront = storefront
    self.plan = plan
  }

  /// Creates the key of a charge.
  package init(_ terms: ChargeTerms) { self.init(StorefrontKey(terms), plan: terms.plan) }

  /// The product's id.
  package var product: Symbol { storefront.product }
  /// The storefront's code.
  package var country: Symbol { storefront.country }
  /// The customer's currency.
  package var currency: Symbol { storefront.currency }

  /// The product and plan; price changes treat each plan as a product: METRICS.md section 10.
  package var productPlan: ProductPlan { ProductPlan(product: product, plan: plan) }

  /// The plan as tables print it; blank if it is unknown.
  package var planName: String { plan == .unknown ? "" : plan.name }
}

/// A product with its billing plan.
package struct ProductPlan: Hashable {
  var product: Symbol
  var plan: BillingPlan
}

extension PriceKey {
  package static let blank = PriceKey(.blank)

  package mutating func code(with coder: inout some ValueCoder) {
    storefront.code(with: &coder)
    coder.word(&plan)
  }
}

/// A product in a storefront, with the currency in which its customers pay.
package struct StorefrontKey: Hashable, Sendable {
  /// The product's Apple ID; for receipts, the product id.
  package var product: Symbol
  /// The 2-letter storefront code.
  package var country: Symbol
  /// The customer's currency.
  package var currency: Symbol

  package init(product: Symbol, country: Symbol, currency: Symbol) {
    self.product = product
    self.country = country
    self.currency = currency
  }

  /// Creates the key of a charge.
  package init(_ terms: ChargeTerms) { self.init(terms.attributes, terms.price) }

  init(_ attributes: Attributes, _ price: Amount) {
    self.init(product: attributes.product, country: attributes.country, currency: price.currency)
  }
}

/// A price of a product in a storefront.
package struct StorefrontPrice: Hashable, Sendable {
  /// The product, storefront and customer currency.
  package var key: StorefrontKey
  /// The price: 9.99 is 9,990.
  package var milliunits: Int64
}

extension StorefrontPrice {
  init(_ attributes: Attributes, _ price: Amount) {
    self.init(key: StorefrontKey(attributes, price), milliunits: price.milliunits)
  }

  init(_ terms: ChargeTerms) { self.init(terms.attributes, terms.price) }
}

extension StorefrontKey {
  static let blank = StorefrontKey(product: .blank, country: .blank, currency: .blank)

  /// Writes or reads the key.
  package mutating func code(with coder: inout some ValueCoder) {
    coder.symbol(&product)
    coder.symbol(&country)
    coder.symbol(&currency)
  }
}
