import SubscriptionModel

/// How many paid charges there are of each terms, by month.
///
/// In views whose cohorts rows decide alone, terms say all of a charge's money. So it is added up once a terms
/// and month in the end, not once a view for each chain.
struct ChargeCounts: Sendable {
  private struct Key: Hashable {
    var terms: Int
    var month: Month
  }

  private let firstMonth: Month
  private let monthCount: Int
  /// Terms after terms, and month after month from the first.
  private var counts: [UInt32]
  /// Of months outside the data: rows may be dated before or after all reports.
  private var elsewhere: [Key: UInt32] = [:]

  /// Creates counts of 0.
  ///
  /// - Parameters:
  ///   - terms: How many terms there are.
  ///   - completeness: Which days of the data are there.
  init(terms: Int, _ completeness: Completeness) {
    firstMonth = completeness.firstMonth
    monthCount = max(0, completeness.lastMonth - firstMonth + 1)
    counts = [UInt32](repeating: 0, count: terms * monthCount)
  }

  /// Counts a paid charge.
  @inline(__always)
  mutating func add(terms: Int, month: Month) {
    let offset = month - firstMonth
    if offset >= 0, offset < monthCount {
      counts[terms &* monthCount &+ offset] &+= 1
    } else {
      elsewhere[Key(terms: terms, month: month), default: 0] &+= 1
    }
  }

  /// Hands out what is not 0.
  func forEach(_ body: (_ count: Int, _ terms: Int, _ month: Month) -> Void) {
    for (index, count) in counts.enumerated() where count != 0 {
      body(Int(count), index / monthCount, firstMonth + index % monthCount)
    }
    for (key, count) in elsewhere { body(Int(count), key.terms, key.month) }
  }
}

extension ViewTally {
  /// Adds paid charges to a view whose cohorts rows decide alone.
  mutating func add(_ charges: ChargeCounts, _ terms: [ChargeTerms]) {
    charges.forEach { count, number, month in
      let own = terms[number]
      let cohort = index.cohort(terms: number, attributes: own.attributes, chainPart: 0)
      guard let cohort else { return }
      money.addCharge(
        price: own.price, proceeds: own.proceeds, count: count, cohort: cohort, month: month)
    }
  }
}
