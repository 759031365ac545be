package import Storage
import SubscriptionModel

/// Evidence that one-year products are sold in monthly instalments.
///
/// The evidence is, for each price, the number of subscriptions that paid it, and of those that paid it twice 25 to 35
/// days apart: METRICS.md 10.1. Here a subscription is a subscriber and a group. Evidence of parts of the input merges.
package struct InstalmentEvidence: Sendable {
  /// Counts of the subscriptions that paid a price.
  struct Counts: Sendable {
    /// The subscriptions that paid it twice, 25 to 35 days apart, with neither charge refunded in full.
    var pairs = 0
    /// The subscriptions with a charge at this price whose plan no column names.
    var unstated = 0
    /// All subscriptions, by the day of their first charge at this price.
    var firstDays = DayCounts()
    /// Charges that a column calls upfront; only needed to find the highest price of the product.
    var statedUpfront = 0

    /// Whether any charge at the price may be an instalment.
    var mayBeInstalments: Bool { firstDays.first != nil }

    /// Returns the number of subscriptions that first paid the price 35 or more days before as-of.
    func old(on asOf: Day) -> Int { firstDays.old(on: asOf) }

    mutating func addSubscription(firstDay: Day, hasPair: Bool, isUnstated: Bool) {
      firstDays.add(on: firstDay)
      if hasPair { pairs += 1 }
      if isUnstated { unstated += 1 }
    }
  }

  /// The days between two consecutive instalments.
  static let days = 25...35
  /// The days within which a subscription pays the second instalment.
  static let daysUntilSecond = 35
  /// The smallest number of pairs that counts: one or two may be errors of Apple's.
  static let minimumPairs = 3
  /// An instalment costs at most the highest price divided by this number.
  ///
  /// Apple allows a term to cost at most 1.5 times the upfront price, so an instalment costs at most an eighth of it.
  static let highestPriceDivisor: Int64 = 6

  /// The counts of the standard prices of one-year products.
  private(set) var prices: [StorefrontPrice: Counts] = [:]
  /// Paid charges that a column calls instalments, by product.
  var stated: [Symbol: Int] = [:]
  /// By product, the first days of each subscription's second and further prices with a pair.
  private(set) var repeats: [Symbol: DayCounts] = [:]

  /// Creates empty evidence.
  package init() {}

  /// Sets the counts of a price; removes the price if it has no charge.
  mutating func set(_ counts: Counts, of price: StorefrontPrice) {
    prices[price] = counts.mayBeInstalments || counts.statedUpfront != 0 ? counts : nil
  }

  mutating func addRepeats(_ days: DayCounts, _ sign: MergeSign = .plus, of product: Symbol) {
    var own = repeats[product] ?? DayCounts()
    own.merge(days, sign)
    repeats[product] = own.first == nil ? nil : own
  }

  /// Adds the evidence of another part, or subtracts it.
  ///
  /// - Parameters:
  ///   - other: The evidence from the other part.
  ///   - sign: Add or subtract.
  package mutating func merge(_ other: InstalmentEvidence, _ sign: MergeSign = .plus) {
    for (price, counts) in other.prices {
      var own = prices[price] ?? Counts()
      own.pairs += sign.factor * counts.pairs
      own.unstated += sign.factor * counts.unstated
      own.statedUpfront += sign.factor * counts.statedUpfront
      own.firstDays.merge(counts.firstDays, sign)
      set(own, of: price)
    }
    for (product, days) in other.repeats { addRepeats(days, sign, of: product) }
    stated.merge(other.stated, sign)
  }

  /// Writes or reads the evidence.
  ///
  /// - Parameter coder: Writes or reads.
  package mutating func code(with coder: inout some ValueCoder) {
    coder.buffered { codeParts(with: &$0) }
  }

  private mutating func codeParts(with coder: inout ValueBuffer) {
    let blank = StorefrontPrice(key: .blank, milliunits: 0)
    coder.dictionary(&prices, blank: (blank, Counts())) { price, counts, coder in
      price.key.code(with: &coder)
      coder.integer(&price.milliunits)
      coder.count(&counts.pairs)
      coder.count(&counts.unstated)
      coder.count(&counts.statedUpfront)
      counts.firstDays.code(with: &coder)
    }
    coder.dictionary(&stated, blank: (.blank, 0)) { product, count, coder in
      coder.symbol(&product)
      coder.count(&count)
    }
    coder.dictionary(&repeats, blank: (.blank, DayCounts())) { product, days, coder in
      coder.symbol(&product)
      days.code(with: &coder)
    }
  }
}

extension DayCounts {
  /// Returns the sum of the counts 35 or more days before as-of.
  func old(on asOf: Day) -> Int { sum { $0 + InstalmentEvidence.daysUntilSecond <= asOf } }

  /// Returns the sum of the counts on some days.
  func sum(where isCounted: (Day) -> Bool) -> Int {
    var sum = 0
    forEach { if isCounted($0) { sum += $1 } }
    return sum
  }
}
