public import SubscriptionModel

/// Evidence that one-year products are sold in monthly instalments.
///
/// For each price: how many subscriptions paid it, and how many paid it twice about a month apart. METRICS.md
/// 10.1. Parts of the input can be merged. A subscription is a subscriber and a group.
public struct InstalmentSigns: Sendable {
  /// A standard price of a product of one year.
  public struct Price: Hashable, Sendable {
    /// The product, storefront and customer currency.
    public var key: StorefrontKey
    /// The price: 9.99 is 9,990.
    public var milliunits: Int64
  }

  /// Counts of the subscriptions that paid a price.
  struct Counts: Sendable {
    /// Those that paid it twice, 25 to 35 days apart, with neither charge refunded in full.
    var pairs = 0
    /// Those with a charge at this price whose plan no column states.
    var unstated = 0
    /// All, by the day of their first charge at this price.
    var firstDays = DayCounts()
    /// Charges that a column calls upfront: no evidence of instalments, but a price of the product.
    var statedUpfront = 0

    /// Whether any charge at the price may be an instalment.
    var mayBeInstalments: Bool { firstDays.first != nil }
  }

  /// The days between two consecutive instalments.
  static let days = 25...35
  /// The days after which a subscription must have paid the second instalment.
  static let daysUntilSecond = 35
  /// The fewest subscriptions that count: one or two pairs may be a slip of Apple's.
  static let fewestPairs = 3
  /// An instalment costs at most a sixth of the dearest price: a term costs at most 1.5 times the upfront price.
  static let partOfDearest: Int64 = 6

  private(set) var prices: [Price: Counts] = [:]
  /// Paid charges that a column calls instalments, by product.
  private(set) var stated: [Symbol: Int] = [:]

  /// First days of a subscription's second and further prices with two instalments, by product.
  private(set) var repeats: [Symbol: DayCounts] = [:]

  /// Creates empty evidence.
  public init() {}

  /// Sets the counts of a price; removes the price if it has no charge.
  mutating func set(_ counts: Counts, of price: Price) {
    prices[price] = counts.mayBeInstalments || counts.statedUpfront != 0 ? counts : nil
  }

  mutating func addStated(_ product: Symbol, _ charges: Int) {
    stated[product, default: 0] += charges
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
  public mutating func merge(_ other: InstalmentSigns, _ sign: MergeSign = .plus) {
    for (price, counts) in other.prices {
      var own = prices[price] ?? Counts()
      own.pairs += sign.factor * counts.pairs
      own.unstated += sign.factor * counts.unstated
      own.statedUpfront += sign.factor * counts.statedUpfront
      own.firstDays.merge(counts.firstDays, sign)
      set(own, of: price)
    }
    for (product, days) in other.repeats { addRepeats(days, sign, of: product) }
    for (product, count) in other.stated {
      let sum = (stated[product] ?? 0) + sign.factor * count
      stated[product] = sum == 0 ? nil : sum
    }
  }

  /// Writes or reads the evidence, in no order.
  ///
  /// - Parameter coder: Writes or reads them.
  public mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    var entries = prices.map { (price: $0.key, counts: $0.value) }
    let blank = (price: Price(key: .blank, milliunits: 0), counts: Counts())
    coder.list(&entries, blank: blank) { entry, coder in
      entry.price.key.code(with: &coder)
      coder.integer(&entry.price.milliunits)
      coder.integer(&entry.counts.pairs)
      coder.integer(&entry.counts.unstated)
      coder.integer(&entry.counts.statedUpfront)
      entry.counts.firstDays.code(with: &coder)
    }
    var products = stated.map { (product: $0.key, count: $0.value) }
    coder.list(&products, blank: (.blank, 0)) { entry, coder in
      coder.symbol(&entry.product)
      coder.integer(&entry.count)
    }
    var repeats = repeats.map { (product: $0.key, days: $0.value) }
    coder.list(&repeats, blank: (.blank, DayCounts())) { entry, coder in
      coder.symbol(&entry.product)
      entry.days.code(with: &coder)
    }
    guard coder.isReading else { return }
    self.repeats = Dictionary(repeats.map { ($0.product, $0.days) }) { $1 }
    prices = Dictionary(entries.map { ($0.price, $0.counts) }) { $1 }
    stated = Dictionary(products.map { ($0.product, $0.count) }) { $1 }
  }
}

extension InstalmentSigns.Counts {
  mutating func addSubscription(firstDay: Day, hasPair: Bool, isUnstated: Bool) {
    firstDays.add(on: firstDay)
    if hasPair { pairs += 1 }
    if isUnstated { unstated += 1 }
  }

  /// Returns how many subscriptions first paid the price 35 or more days before as-of.
  func old(on asOf: Day) -> Int { firstDays.old(on: asOf) }

  /// The number of subscriptions that paid it.
  var subscriptions: Int { firstDays.sum { _ in true } }
}

extension DayCounts {
  /// Returns the sum of the counts 35 or more days before as-of.
  func old(on asOf: Day) -> Int { sum { $0 + InstalmentSigns.daysUntilSecond <= asOf } }

  /// Returns the sum of the counts on some days.
  func sum(where isCounted: (Day) -> Bool) -> Int {
    var sum = 0
    forEach { if isCounted($0) { sum += $1 } }
    return sum
  }
}
