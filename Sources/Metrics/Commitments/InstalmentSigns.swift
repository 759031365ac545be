public import SubscriptionModel

/// What shows that products of one year are sold in monthly instalments.
///
/// For each price: how many subscriptions paid it, and how many paid it twice about a month apart. METRICS.md 10.1.
/// Signs of parts of the input add up. A subscription is a subscriber and a group.
public struct InstalmentSigns: Sendable {
  /// A standard price of a product of one year.
  public struct Price: Hashable, Sendable {
    /// The product, storefront and customer currency.
    public var key: StorefrontKey
    /// The price: 9.99 is 9,990.
    public var milliunits: Int64
  }

  /// The subscriptions that paid a price.
  struct Counts: Sendable {
    /// Those that paid it twice, 25 to 35 days apart, and got neither back in full.
    var pairs = 0
    /// Those with a charge at it of which no column says the plan.
    var unstated = 0
    /// All, by the day on which they paid it first.
    var firstDays = DayCounts()
    /// Charges of which a column says that they are upfront: no signs of instalments, but a price of the product.
    var statedUpfront = 0

    /// Whether any charge at the price may be an instalment.
    var mayBeInstalments: Bool { firstDays.first != nil }
  }

  /// Days between two instalments that follow each other.
  static let days = 25...35
  /// Days after which a subscription must have paid the second instalment.
  static let daysUntilSecond = 35
  /// Subscriptions that it takes: one or two pairs may be a slip of Apple's.
  static let fewestPairs = 3
  /// An instalment costs at most this part of the dearest price, because a term costs at most 1.5 times the upfront price.
  static let partOfDearest: Int64 = 6

  private(set) var prices: [Price: Counts] = [:]
  /// Paid charges that a column calls instalments, by product.
  private(set) var stated: [Symbol: Int] = [:]

  /// Of subscriptions that paid two instalments at several prices of a product: the first days of all but the first.
  private(set) var repeats: [Symbol: DayCounts] = [:]

  /// Creates signs of nothing.
  public init() {}

  /// States the counts of a price; none when nobody paid it.
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

  /// Adds the signs of another part, or takes them back.
  ///
  /// - Parameters:
  ///   - other: The other part's.
  ///   - sign: Whether they are added.
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

  /// Codes the signs, in no order.
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

  /// Returns how many subscriptions paid the price first so long ago that the second instalment must have followed.
  func old(on asOf: Day) -> Int { firstDays.old(on: asOf) }

  /// How many subscriptions paid it.
  var subscriptions: Int { firstDays.sum { _ in true } }
}

extension DayCounts {
  /// Returns how many of the days are so long ago that a second instalment must have followed.
  func old(on asOf: Day) -> Int { sum { $0 + InstalmentSigns.daysUntilSecond <= asOf } }

  /// Returns what was counted on some days.
  func sum(where isCounted: (Day) -> Bool) -> Int {
    var sum = 0
    forEach { if isCounted($0) { sum += $1 } }
    return sum
  }
}
