package import Storage
package import SubscriptionModel

/// What the rows of a SALES report count in.
package enum SalesUse: Sendable {
  /// In `proceeds` and, day by day, among prices.
  case proceedsAndPrices
  /// Only in `proceeds`: the report is of a week or a month.
  case proceeds
  /// Only among prices: a report of a week or a month has the day in `proceeds`.
  case prices
}

/// Adds up subscription rows of SALES reports: METRICS.md section 5, proceeds.
package struct SalesFold {
  /// The counts so far.
  package var tally: Tally { counts.total }

  private var counts: FinerTally

  /// Creates a fold with an empty tally of `sales`.
  package init(tally: Tally) { counts = FinerTally(tally) }

  /// Adds units; a row with Units 0 counts 1.
  package mutating func add(
    _ key: SalesRowKey, count: Int, terms: SalesTerms, _ use: SalesUse = .proceedsAndPrices
  ) {
    let isRefund = key.isNegative || terms.isPriceNegative
    guard isRefund || terms.price.milliunits > 0 else { return }
    if use != .proceeds, !isRefund, !key.isZero, terms.isStandard {
      counts.tally.prices?.add(count, terms, on: key.day)
    }
    guard use != .prices else { return }
    let month = counts.tally.monthSystem.month(of: key.day)
    counts.forEach { view in
      let cohort = view.index.cohort(
        terms: Int(key.terms), attributes: terms.attributes, chainPart: 0)
      guard let cohort else { return }
      if isRefund {
        view.money.addRefund(
          price: terms.price, proceeds: terms.proceeds, isFull: !key.isZero, count: count,
          cohort: cohort, month: month, saleMonth: nil)
      } else {
        view.money.addCharge(
          price: terms.price, proceeds: terms.proceeds, count: count, cohort: cohort, month: month)
      }
    }
  }

  // MARK: A fold of one view

  /// The cohorts of the only view; a fold of several views keeps theirs elsewhere.
  package var cohorts: [[DimensionValue]] { counts.tally.views[0].index.cohorts }

  /// Returns the cohort of units in the only view, whatever they count as; `nil` if the filter leaves them out.
  package mutating func cohort(_ key: SalesRowKey, _ terms: SalesTerms) -> Int? {
    counts.tally.views[0].index.cohort(
      terms: Int(key.terms), attributes: terms.attributes, chainPart: 0)
  }

  /// Returns the money that has been added for a cohort, a currency and a month of the only view.
  package func money(cohort: Int, currency: Symbol, month: Month) -> MoneyCell {
    counts.tally.views[0].money.cell(cohort: cohort, currency: currency, month: month)
  }
}

/// A key for counting subscription rows of SALES reports that differ only in their number of units.
package struct SalesRowKey: QuickHashable, BitwiseCopyable {
  /// The index of the rows' terms.
  package var terms: UInt32
  /// The Begin Date.
  package var day: Day
  /// Whether the rows' units are negative, which makes them refunds.
  package var isNegative: Bool
  /// Whether the rows' units are 0: a refund of a part of the price.
  package var isZero: Bool

  /// Creates the key of a row.
  package init(terms: UInt32, day: Day, units: Int) {
    self.terms = terms
    self.day = day
    isNegative = units < 0
    isZero = units == 0
  }

  /// Hashes all fields in one 64-bit word.
  package var quickHash: UInt32 {
    let sign: UInt64 = isNegative ? 2 : isZero ? 1 : 0
    return (UInt64(terms) << 32 | UInt64(UInt32(bitPattern: day.number)) << 2 | sign).quickHash
  }
}
