package import Storage
package import SubscriptionModel

/// The subscriptions in SUBSCRIPTION reports by cohort, day and value: METRICS.md 11.2 and 11.4.
package struct SnapshotGrid: Sendable {
  package struct Key: Hashable, Sendable {
    package var cohort: Int32
    package var day: Day
    package var column: SnapshotColumn
    /// What a subscription pays; `nil` if the report does not say.
    package var value: ChargeValue?
    /// The storefront; blank unless the product may be sold in instalments.
    package var country = Symbol.blank

    /// Creates the key of a column of a row.
    package init(_ column: SnapshotColumn, _ terms: SnapshotTerms, on day: Day, cohort: Int) {
      (self.cohort, self.day, self.column) = (Int32(cohort), day, column)
      guard column.hasPrice, let (price, proceeds) = terms.money, price.milliunits > 0 else {
        return
      }
      let mayBeInstalment = terms.standardTerm == .year && column == .standard
      value = ChargeValue(
        price: price, proceeds: proceeds, term: terms.standardTerm,
        product: mayBeInstalment ? terms.attributes.product : .blank, kind: .standard)
      if mayBeInstalment { country = terms.attributes.country }
    }
  }

  package private(set) var counts: [Key: Int] = [:]

  /// Adds the subscriptions of a row.
  mutating func add(
    _ count: Int, _ column: SnapshotColumn, _ terms: SnapshotTerms, on day: Day, cohort: Int
  ) {
    counts[Key(column, terms, on: day, cohort: cohort), default: 0] += count
  }

  /// Adds the counts of other reports.
  mutating func merge(_ other: SnapshotGrid, cohorts: [Int], _ sign: MergeSign) {
    for (key, count) in other.counts {
      var own = key
      own.cohort = Int32(cohorts[Int(key.cohort)])
      counts[own, default: 0] += sign.factor * count
    }
  }
}
