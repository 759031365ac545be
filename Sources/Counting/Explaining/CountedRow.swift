package import Storage
package import SubscriptionModel

/// The row of a table whose counts are explained, in terms of a fold.
package struct CountedRow: Sendable {
  /// The dimensions of the row's view.
  package var dimensions: [Dimension]
  /// Selects the rows that count.
  package var filter: Filter
  /// Returns whether the row is that of a cohort, given its values; called once for each cohort.
  package var isOfCohort: @Sendable ([DimensionValue]) -> Bool
  package var month: Month
  /// The currency of the row; `nil` for a table without currencies.
  package var currency: Symbol?
  /// The number of the paid period, in retention; `nil` in tables with months.
  package var k: Int?
  /// The number of the last paid period, if the row stands for several from ``k`` on.
  package var lastK: Int?
  /// Whether refunds count in the month of the refunded charge, not in their own.
  package var isDatedBySale = false

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - month: The month.
  ///   - dimensions: The dimensions of the row's view.
  ///   - filter: Selects the rows that count.
  ///   - isOfCohort: Returns whether the row is that of a cohort, given its values.
  package init(
    month: Month, dimensions: [Dimension], filter: Filter,
    isOfCohort: @escaping @Sendable ([DimensionValue]) -> Bool
  ) {
    self.month = month
    self.dimensions = dimensions
    self.filter = filter
    self.isOfCohort = isOfCohort
  }
}

/// A period or a refund that a row counts.
package struct CountedPeriod: Equatable, Sendable {
  package var counted: Counted
  /// The number that it adds.
  package var count: Int
  /// The start of its chain, and the kind of the chain's first charge.
  package var key: ChainKey
  /// The index of the chain in the history; `nil` for a refund whose sale is outside the input.
  package var chain: Int?
  /// The index of the period in the history; for a refund that of the refunded charge.
  package var period: Int?
  /// The index of the refund in the history.
  package var refund: Int?
  /// The customer price in milliunits: the price of a charge, or the refunded part of a refund; else 0.
  package var price: Int64 = 0
  /// The developer's proceeds, likewise.
  package var proceeds: Int64 = 0
  /// The currency of a charge or a refund.
  package var currency: Symbol?
  /// The number of the paid period, in retention.
  package var k: Int?

  /// Creates a counted period or refund.
  package init(
    counted: Counted, count: Int, key: ChainKey, chain: Int? = nil, period: Int? = nil,
    refund: Int? = nil, price: Int64 = 0, proceeds: Int64 = 0, currency: Symbol? = nil,
    k: Int? = nil
  ) {
    (self.counted, self.count, self.key) = (counted, count, key)
    (self.chain, self.period, self.refund) = (chain, period, refund)
    (self.price, self.proceeds, self.currency, self.k) = (price, proceeds, currency, k)
  }
}

/// What a column of a table counts.
package enum Counted: Hashable, Sendable {
  /// A fact of the row's month.
  case fact(Fact)
  /// Chains that are active on the last day before the month.
  case activeBefore
  /// Chains that are active on the last day of the month.
  case activeAtEnd
  /// Paid charges of the month.
  case charge
  /// Chains whose paid period k is decided, in retention; those of them that were kept, and those lost.
  case atRisk, kept, lost
  /// Refunds of the month, full or partial.
  case refund(isFull: Bool)
}

extension ExplainingFold {
  /// Returns the key of a chain if a charge of the chain is of the row's cohort, whatever the row counts of it.
  ///
  /// - Parameters:
  ///   - number: The index of the terms of the charge.
  ///   - chain: The index of the chain.
  ///   - history: A builder that has built the subscriber's chains.
  /// - Returns: The key; `nil` for a charge of another cohort.
  package mutating func keyOfRow(
    terms number: UInt32, ofChain chain: Int, _ history: borrowing ChainBuilder
  ) -> ChainKey? {
    let key = ChainKey(
      history.chains[chain], history.periods, terms, firstDay: history.firstFileDay)
    let cohort = index.cohort(
      terms: Int(number), attributes: terms[Int(number)].attributes,
      chainPart: index.chainPart(key))
    return cohort.map { isAsked($0) } == true ? key : nil
  }

  /// Returns whether retention counts the current chain in the row's cohort.
  mutating func isOfRowInRetention() -> Bool {
    let chainPart = index.chainPart(fold.derived.key)
    let first = fold.derived.segments[0].terms
    let ofFirst = index.cohort(
      terms: first, attributes: terms[first].attributes, chainPart: chainPart)
    return isAsked(
      ViewTally.cohortOfSurvival(
        of: fold.derived, terms, &index, chainPart, ofFirst: ofFirst ?? ViewTally.leftOut))
  }
}
