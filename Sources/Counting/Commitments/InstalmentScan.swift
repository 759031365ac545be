import Storage
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
  ///
  /// - Parameters:
  ///   - terms: The terms that records refer to by index.
  ///   - completeness: The days that the data cover.
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

  /// Returns whether any of the terms can be of an instalment.
  ///
  /// - Parameter terms: The terms.
  /// - Returns: Whether any terms are of a paid charge of a one-year product.
  package static func isNeeded(_ terms: [ChargeTerms]) -> Bool {
    terms.contains { $0.standardTerm == .year && $0.isPaid }
  }

  /// Adds a subscriber.
  ///
  /// - Parameter records: The subscriber's records of products of one year, sorted by day and order.
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
      addCharge(
        period.terms, on: period.start, units: 1, isRefunded: refunded.contains(index))
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

  /// Ends the scan.
  ///
  /// - Returns: The evidence found.
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
