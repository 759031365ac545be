package import Storage
package import SubscriptionModel

/// A column of `recurring` that adds up monthly values: METRICS.md 11.2.
package enum RecurringColumn: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
  /// The number of charges that hold a place at the end of the month.
  case active
  case open
  case new, firstSeen, reactivated, recovered
  case expansionProduct, expansionOffer, expansionPrice
  case switchedIn
  case contractionProduct, contractionOffer, contractionPrice
  case churned, enteredRetry, switchedOut
  case mrr

  /// Whether the column adds to recurring revenue.
  package var isGain: Bool { rawValue < Self.contractionProduct.rawValue }
}

extension RecurringFlow {
  /// The column of a charge that comes or goes, and of the two columns of a change the expansion.
  private var column: RecurringColumn {
    switch self {
    case .new: .new
    case .firstSeen: .firstSeen
    case .reactivated: .reactivated
    case .recovered: .recovered
    case .switchedIn: .switchedIn
    case .churned: .churned
    case .enteredRetry: .enteredRetry
    case .switchedOut, .movedOut: .switchedOut
    case .product, .movedInProduct: .expansionProduct
    case .offer, .movedInOffer: .expansionOffer
    case .price, .movedInPrice: .expansionPrice
    }
  }

  private var contraction: RecurringColumn {
    switch column {
    case .expansionProduct: .contractionProduct
    case .expansionOffer: .contractionOffer
    default: .contractionPrice
    }
  }

  /// Calls `body` with what a flow adds to each column and to the stock of charges.
  ///
  /// `old` and `new` are the numbers in `values` of the values that go and come; -1 for none. `body` receives the currency
  /// of the row, the column (`nil`: the stock), the number of a value, and whether it is added (1) or subtracted (-1).
  @inline(__always)
  package func forEachPosting(
    _ old: Int32, _ new: Int32, _ values: [Amount],
    _ body: (Symbol, RecurringColumn?, Int32, Int) -> Void
  ) {
    if old >= 0 {
      let currency = values[Int(old)].currency
      // A charge from another cohort left the stock there.
      if rawValue < RecurringFlow.movedInProduct.rawValue { body(currency, nil, old, -1) }
      if new < 0 || self == .movedOut { return body(currency, column, old, 1) }
    }
    let currency = values[Int(new)].currency
    body(currency, nil, new, 1)
    guard old >= 0 else { return body(currency, column, new, 1) }
    let isOfOtherCohort = rawValue >= RecurringFlow.movedInProduct.rawValue
    let before = values[Int(old)]
    guard before.currency == currency else {
      // Two currencies have no difference.
      if !isOfOtherCohort { body(before.currency, .switchedOut, old, 1) }
      return body(currency, .switchedIn, new, 1)
    }
    if isOfOtherCohort { body(currency, .switchedIn, old, 1) }
    let change = values[Int(new)].milliunits - before.milliunits
    guard change != 0 else { return }
    body(currency, change > 0 ? column : contraction, new, change > 0 ? 1 : -1)
    body(currency, change > 0 ? column : contraction, old, change > 0 ? -1 : 1)
  }
}

extension RecurringGrid.Key {
  /// Whether a charge leaves the stock of the cohort; one that is replaced by a charge of this cohort left another one.
  package var leavesCohort: Bool {
    old >= 0 && flow.rawValue < RecurringFlow.movedInProduct.rawValue
  }
  /// Whether a charge enters it.
  package var entersCohort: Bool { new >= 0 && flow != .movedOut }
}

/// A column of `status`: METRICS.md 11.4.
package enum StatusColumn: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
  case standard, introductory, offers
  case freeTrials, freeOffers
  case grace, billingRetry, suspended, unresolved
}
