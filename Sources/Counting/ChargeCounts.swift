import SubscriptionModel

/// Numbers of paid charges by terms and month.
///
/// Views without chain dimensions use them: there a charge's cohort and money depend only on its terms. So money is
/// added at the end, once per set of terms and month, not once per view and chain.
struct ChargeCounts: Sendable {
  private struct Key: Hashable {
    var terms: Int
    package var month: Month
  }

  private let firstMonth: Month
  private let monthCount: Int
  /// The index of the first count of each set of terms; -1 for terms without a charge so far.
  private var starts: [Int32]
  /// For each set of terms with charges, one count per month from the first month on.
  private var counts: [UInt32] = []
  /// Counts of months outside the data; if `counts` would be too long, all counts.
  ///
  /// Rows may be dated before or after all reports.
  private var sparseCounts: [Key: UInt32] = [:]

  /// The largest number of counts: 8 MiB, three times as much as 30 million simulated rows of two years need.
  private static let longestList = 1 << 21

  /// Creates counts of 0.
  ///
  /// - Parameters:
  ///   - terms: The number of sets of terms.
  ///   - completeness: The days that the data cover.
  init(terms: Int, _ completeness: Completeness) {
    firstMonth = completeness.firstMonth
    let months = max(0, completeness.lastMonth - firstMonth + 1)
    monthCount = terms * months <= Self.longestList ? months : 0
    starts = Array(repeating: -1, count: terms)
  }

  /// Counts a paid charge.
  @inline(__always)
  mutating func add(terms: Int, month: Month) {
    let offset = month - firstMonth
    if offset >= 0, offset < monthCount {
      if starts[terms] < 0 { begin(terms) }
      counts[Int(starts[terms]) &+ offset] &+= 1
    } else {
      sparseCounts[Key(terms: terms, month: month), default: 0] &+= 1
    }
  }

  private mutating func begin(_ terms: Int) {
    starts[terms] = Int32(counts.count)
    counts.append(contentsOf: repeatElement(0, count: monthCount))
  }

  /// Calls `body` for every count other than 0.
  func forEach(_ body: (_ count: Int, _ terms: Int, _ month: Month) -> Void) {
    for (terms, start) in starts.enumerated() where start >= 0 {
      for offset in 0..<monthCount where counts[Int(start) + offset] != 0 {
        body(Int(counts[Int(start) + offset]), terms, firstMonth + offset)
      }
    }
    for (key, count) in sparseCounts { body(Int(count), key.terms, key.month) }
  }
}

extension ViewTally {
  /// Adds paid charges to a view without chain dimensions.
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
