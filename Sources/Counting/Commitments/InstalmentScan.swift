package import Storage
package import SubscriptionModel

/// Collects evidence of instalments from the charges of one-year products: METRICS.md 10.1.
///
/// Subscribers are added one by one. A *pair* is two charges at the same price, 25 to 35 days
/// apart: both may be instalments. As in ``InstalmentEvidence``, a subscription is a subscriber and
/// a group.
package struct InstalmentScan: ~Copyable {
  /// A charge that may be an instalment.
  private struct PaidCharge {
    /// The number of its price in `prices`.
    var price: Int
    var group: Symbol
    var day: Day
    /// Whether its row has no column for the plan, or a blank one.
    var isUnstated: Bool
    var isRefunded: Bool

    func isSamePrice(_ other: PaidCharge) -> Bool { price == other.price && group == other.group }
  }

  /// The properties of terms that decide how a charge is counted.
  private struct Kind {
    var group: Symbol
    /// The number of its price in `prices`; `nil` unless it is a standard price of a one-year product.
    var price: Int?
    /// Whether a column says that the charge is paid upfront.
    var isStatedUpfront: Bool
    /// Whether no column says which it is.
    var isUnstated: Bool
    /// Whether a column says that the charge is an instalment.
    var isStatedInstalment: Bool
  }

  /// For each of the terms, whether it is of a one-year product; the scan needs only records with such terms.
  package let isOfYear: [Bool]
  private let kinds: [Kind]
  private let products: [Symbol]
  private let prices: [StorefrontPrice]
  /// Counts of the subscriptions that paid each price.
  private var counts: [InstalmentEvidence.Counts]
  /// For each of the terms, the number of charges that a column calls instalments.
  private var statedCharges: [Int]
  private var builder: ChainBuilder
  private var refunded: Set<Int> = []
  private var paid: [PaidCharge] = []
  /// The first charge of each price and group of the subscriber that has a pair.
  private var withPair: [PaidCharge] = []
  /// As in ``InstalmentEvidence/repeats``.
  private var repeats: [Symbol: DayCounts] = [:]

  /// Creates a scan.
  package init(terms: [ChargeTerms], _ completeness: Completeness) {
    var numbers = NumberedValues<StorefrontPrice>()
    let isOfYear = terms.map { $0.standardTerm == .year }
    self.isOfYear = isOfYear
    kinds = terms.indices.map { index in
      let own = terms[index]
      let hasPrice = isOfYear[index] && own.isStandardPaid
      return Kind(
        group: own.attributes.group,
        price: hasPrice ? numbers.number(of: StorefrontPrice(own)) : nil,
        isStatedUpfront: own.statedPlan == .upfront,
        isUnstated: own.statedPlan == nil,
        isStatedInstalment: isOfYear[index] && own.isPaid && own.statedPlan == .commitment)
    }
    products = terms.map(\.attributes.product)
    prices = numbers.values
    counts = Array(repeating: InstalmentEvidence.Counts(), count: prices.count)
    statedCharges = Array(repeating: 0, count: terms.count)
    builder = ChainBuilder(terms, completeness)
  }

  /// Returns whether any of the terms are of a paid charge of a one-year product, so that it can be an instalment.
  package static func isNeeded(_ terms: [ChargeTerms]) -> Bool {
    terms.contains { $0.standardTerm == .year && $0.isPaid }
  }

  /// Adds a subscriber's records of products of one year, sorted by day and order.
  package mutating func add(_ records: ArraySlice<ChargeRecord>) {
    paid.removeAll(keepingCapacity: true)
    if records.contains(where: \.isRefund) {
      addChargesAndRefunds(records)
    } else {
      for record in records {
        addCharge(
          record.terms, on: Day(number: record.day), units: Int(record.units), isRefunded: false)
      }
    }
    countSubscriptions()
  }

  /// Adds the charges of a subscriber with refunds; chains are built to find which charges were refunded.
  private mutating func addChargesAndRefunds(_ records: ArraySlice<ChargeRecord>) {
    builder.build(records)
    refunded.removeAll(keepingCapacity: true)
    for refund in builder.refunds where refund.isFull {
      if let charge = refund.charge { refunded.insert(charge.period) }
    }
    for index in builder.periods.indices {
      let period = builder.periods[index]
      addCharge(period.terms, on: period.start, units: 1, isRefunded: refunded.contains(index))
    }
  }

  @inline(__always)
  private mutating func addCharge(_ terms: UInt32, on day: Day, units: Int, isRefunded: Bool) {
    let kind = kinds[Int(terms)]
    if kind.isStatedInstalment { statedCharges[Int(terms)] += units }
    guard let price = kind.price else { return }
    if kind.isStatedUpfront {
      counts[price].statedUpfront += units
      return
    }
    paid.append(
      PaidCharge(
        price: price, group: kind.group, day: day, isUnstated: kind.isUnstated,
        isRefunded: isRefunded))
  }

  /// Adds the subscriber's subscriptions to the counts of each price that they paid.
  private mutating func countSubscriptions() {
    if paid.count == 1 {
      let charge = paid[0]
      counts[charge.price].addSubscription(
        firstDay: charge.day, hasPair: false, isUnstated: charge.isUnstated)
      return
    }
    withPair.removeAll(keepingCapacity: true)
    // A subscription pays few prices, so a linear search is enough.
    for first in paid.indices {
      let charge = paid[first]
      if paid[..<first].contains(where: { charge.isSamePrice($0) }) { continue }
      let others = paid[(first + 1)...].filter { charge.isSamePrice($0) }
      let hasPair = Self.hasPair([charge] + others)
      counts[charge.price].addSubscription(
        firstDay: charge.day, hasPair: hasPair,
        isUnstated: charge.isUnstated || others.contains(where: \.isUnstated))
      if hasPair { countRepeat(charge) }
    }
  }

  /// Counts a pair as a repeat if the subscription has a pair at another price of the product.
  ///
  /// Such a subscription counts once for the product.
  private mutating func countRepeat(_ charge: PaidCharge) {
    let product = prices[charge.price].key.product
    let isRepeat = withPair.contains {
      $0.group == charge.group && prices[$0.price].key.product == product
    }
    if isRepeat { repeats[product, default: DayCounts()].add(on: charge.day) }
    withPair.append(charge)
  }

  /// Returns whether two charges without a full refund are 25 to 35 days apart.
  private static func hasPair(_ charges: [PaidCharge]) -> Bool {
    let days = charges.filter { !$0.isRefunded }.map(\.day)
    return days.indices.contains { first in
      days[first...].contains { InstalmentEvidence.days.contains($0 - days[first]) }
    }
  }

  /// Ends the scan, and returns the evidence found.
  package consuming func found() -> InstalmentEvidence {
    var evidence = InstalmentEvidence()
    for (number, price) in prices.enumerated() { evidence.set(counts[number], of: price) }
    for (number, count) in statedCharges.enumerated() where count > 0 {
      evidence.stated.add(count, to: products[number])
    }
    for (product, days) in repeats { evidence.addRepeats(days, of: product) }
    return evidence
  }
}

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

  func sum(where isCounted: (Day) -> Bool) -> Int {
    var sum = 0
    forEach { if isCounted($0) { sum += $1 } }
    return sum
  }
}
