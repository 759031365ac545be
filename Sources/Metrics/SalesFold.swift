public import SubscriptionModel

/// Adds up subscription rows of SALES reports: METRICS.md section 5, proceeds.
public struct SalesFold {
  /// What the fold has counted so far.
  public private(set) var tally: Tally

  /// Creates a fold.
  ///
  /// - Parameter tally: An empty tally of source `sales` to add to.
  public init(tally: Tally) {
    self.tally = tally
  }

  /// Adds rows of one day and of the same terms.
  ///
  /// A row is a refund when its price or its units are negative; units 0 count 1.
  ///
  /// - Parameters:
  ///   - units: The row's units with their sign.
  ///   - month: The month of the Begin Date.
  ///   - terms: The row's terms.
  ///   - termsIndex: The index of the terms.
  public mutating func add(units: Int, month: Month, terms: SalesTerms, termsIndex: Int) {
    let isRefund = units < 0 || terms.isPriceNegative
    guard isRefund || terms.price.milliunits > 0 else { return }
    let count = max(1, abs(units))
    for view in tally.views.indices {
      let cohort = tally.views[view].index.cohort(
        terms: termsIndex, attributes: terms.attributes, chainPart: 0)
      guard let cohort else { continue }
      if isRefund {
        tally.views[view].money.addRefund(
          price: terms.price, proceeds: terms.proceeds, isFull: units != 0, count: count,
          cohort: cohort, month: month, saleMonth: nil)
      } else {
        tally.views[view].money.addCharge(
          price: terms.price, proceeds: terms.proceeds, count: count, cohort: cohort, month: month)
      }
    }
  }
}
