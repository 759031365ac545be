package import Counting
package import Storage
package import SubscriptionModel

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
  /// - Parameter certain: The prices to leave out.
  /// - Returns: The rises, by product, storefront, currency and price.
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
