package import Counting
package import Storage
package import SubscriptionModel

/// A change of a standard price and its class: a row of `price_changes.csv`, METRICS.md section 6.
package struct PriceChange: Equatable, Sendable {
  /// The class of a change.
  package enum Kind: String, Sendable, CaseIterable {
    /// Existing subscribers pay a higher price from a day on.
    case increase
    case decrease
    /// Too few charges or days to count as a price.
    case glitch
    case currencyChange = "currency_change"
    case newStorefront = "new_storefront"
    /// The first price of a billing plan, after charges for another plan of the product.
    case newPlan = "new_plan"
    /// So close to the start of the data that the earlier price is unknown.
    case atDataEdge = "at_data_edge"
    /// New customers pay both prices.
    case overlap
    /// Existing subscribers keep the old price.
    case newCustomersOnly = "new_customers_only"
    /// Too few charges, or too close to the end of the data.
    case unconfirmed
    /// A price that a minority pays beside other prices for four weeks or more: not a change.
    case parallel
  }

  /// The origin of a change.
  package enum Origin: String, Sendable {
    /// Found in the charges.
    case found
    /// A row of the user's `--price-changes`.
    case file
  }

  /// The product, plan, storefront and currency whose price changed.
  package var key: PriceKey
  /// E: the first day on which the new price was charged, also where it replaced no other price.
  package var date: Day
  /// The price before, in milliunits; `nil` if there was none or it is unknown.
  package var oldPrice: Int64?
  /// The price from that day on, in milliunits; `nil` if it is unknown.
  package var newPrice: Int64?
  /// The class of the change.
  package var kind: Kind
  /// The origin of the change.
  package var origin = Origin.found
  /// The charges at the new price that are a chain's first paid charge.
  package var newCharges = 0
  /// The charges at the new price that continue a standard paid period of the product.
  package var continuingCharges = 0
  /// A remark for the `note` column; often empty.
  package var note = ""
  /// E_x: the first day on which existing subscribers meet the price; only for increases, otherwise `nil`.
  package var effectiveExisting: Day?
  /// Whether the run's filters admit the price; if not, the change is not printed, but excludes the price as a control.
  package var isAdmitted = true

  /// Creates a change, with no charges counted yet.
  package init(_ kind: Kind, _ key: PriceKey, date: Day, oldPrice: Int64?, newPrice: Int64?) {
    self.kind = kind
    self.key = key
    self.date = date
    self.oldPrice = oldPrice
    self.newPrice = newPrice
  }
}

/// A rise of a price that is an increase or may be one, with the names that the tables print: METRICS.md section 6.
package struct PriceRise: Sendable {
  /// A storefront's new price, by names: sources number their products differently.
  package struct Key: Hashable, Sendable {
    /// The name of the product; of one paid in instalments it says so.
    package let product: ExactText
    package let country: String
    package let currency: String
    /// The price from then on, in milliunits.
    package let newPrice: Int64?

    package init(_ change: PriceChange, _ names: Names) {
      let instalments = change.key.plan == .commitment ? " in monthly instalments" : ""
      product = ExactText(names.product(change.key.product) + instalments)
      country = names.text(change.key.country)
      currency = names.text(change.key.currency)
      newPrice = change.newPrice
    }
  }

  /// The source that has the change.
  package let source: Source
  package let change: PriceChange
  package let key: Key

  /// The order in which rises of one price are preferred: the surest class, then the source, then the first day.
  fileprivate var preference: (Int, Int, Int) {
    (
      PriceChange.Kind.risesBySureness.firstIndex(of: change.kind) ?? .max,
      PriceReport.sourcesByPreference.firstIndex(of: source) ?? .max, Int(change.date.number)
    )
  }
}

extension PriceReport {
  /// The sources with prices, first the one that knows most about the customers.
  package static let sourcesByPreference: [Source] = [.subscribers, .receipts, .sales]
}

extension PriceChange.Kind {
  /// The classes that can be increases: a rise in another class is none.
  package static let risesBySureness: [Self] = [
    .increase, .overlap, .atDataEdge, .unconfirmed, .newCustomersOnly,
  ]
}

extension PriceChange {
  /// Whether the price rose, from one that is known, in a class that can be an increase.
  package var isRise: Bool {
    guard isAdmitted, let oldPrice, let newPrice else { return false }
    return newPrice > oldPrice && Kind.risesBySureness.contains(kind)
  }
}

extension PriceTableMaker {
  /// The prices that some source has an increase to.
  package var increasedPrices: Set<PriceRise.Key> {
    Set(rises.filter { $0.change.kind == .increase }.map(\.key))
  }

  /// Returns the rises that may be increases, beside certain ones.
  ///
  /// A price that several sources have is returned once: the surest class, then `subscribers` before `receipts` and `sales`.
  ///
  /// They are in the order of product, storefront, currency and price.
  package func possibleRises(besides certain: Set<PriceRise.Key>) -> [PriceRise] {
    let others = rises.filter { !certain.contains($0.key) }
    let best = Dictionary(grouping: others, by: \.key).values.compactMap { same in
      same.min { $0.preference < $1.preference }
    }
    return best.sorted { left, right in
      let (one, other) = (left.key, right.key)
      return (one.product, one.country, one.currency, one.newPrice ?? 0)
        < (other.product, other.country, other.currency, other.newPrice ?? 0)
    }
  }

  private var rises: [PriceRise] {
    reports.flatMap { report in
      report.changes.filter(\.isRise).map {
        PriceRise(source: report.source, change: $0, key: PriceRise.Key($0, names))
      }
    }
  }
}
