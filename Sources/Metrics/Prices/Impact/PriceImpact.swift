public import SubscriptionModel

/// What an increase, or several that are pooled, did to a cohort: a row of `price_impact.csv`.
public struct PriceImpact: Sendable {
  /// Where the numbers come from.
  public let source: Source
  /// The increases, in order of their dates; several in a pooled row.
  public let changes: [PriceChange]
  /// The cohort's value of the view's dimension; `nil` for the whole population.
  public let cohort: ImpactCohort?
  /// What became of the cohort.
  let exposure: Exposure
  /// The rates and what can be said about them.
  public let comparison: ImpactComparison
  /// The proceeds; `nil` where they are not known, in pooled rows, and without a control.
  public let money: ImpactMoney?
  /// What loss the increase could bear; `nil` in pooled rows and where too few were reached.
  public let breakEven: BreakEven?
  /// Renewals of the same price by month around the change; empty in views.
  public let treatedMonths: [ImpactMonth]
  /// Those of the control; none where there is no control.
  public let controlMonths: [ImpactMonth]
  /// Whether the numbers can change.
  let state: SourceReport.State

  /// How many there are of something; of `refunded` only while nobody is ``ExposureFact/refundUndecided``.
  ///
  /// - Parameter fact: What to count.
  /// - Returns: The number of subscriptions.
  public func count(_ fact: ExposureFact) -> Int { exposure[fact] }

  /// Those whose renewal came, long enough before as-of to know whether it continued.
  public var reached: Int { exposure.reached }
  /// Those of them that continued.
  public var continued: Int { exposure.continued }
  /// Those who met the price, or will.
  public var exposed: Int { exposure.reached + exposure[.notReached] }

  /// Whether it is about several increases of one product.
  public var isPooled: Bool { changes.count > 1 }
  /// The product.
  public var product: Symbol { changes[0].key.product }
  /// How the product is paid.
  public var plan: BillingPlan { changes[0].key.plan }
  /// E, the first of several.
  public var effective: Day { changes[0].date }
  /// E_x, the first of several.
  public var effectiveExisting: Day {
    changes.map { $0.effectiveExisting ?? $0.date }.min() ?? effective
  }
  /// The word of the column `state`.
  public var stateName: String { state.rawValue }
}

/// A value of the dimension of a view of impacts.
public enum ImpactCohort: Hashable, Sendable {
  /// A start or an offer.
  case value(DimensionValue)
  /// The age in paid periods.
  case tenure(RenewalOrdinal)

  func text(_ names: Names) -> String {
    switch self {
    case .value(let value): value.text(names)
    case .tenure(let ordinal): ordinal.name
    }
  }
}

/// What impacts are shown by; each is a file.
public enum ImpactView: String, CaseIterable, Sendable {
  /// One row an increase.
  case whole = ""
  case startMonth = "start_month"
  case tenure, offer

  /// The name of the dimension; none for the whole population.
  public var dimensions: [String] { self == .whole ? [] : [rawValue] }

  func cohort(_ key: ExposureKey) -> ImpactCohort? {
    switch self {
    case .whole: nil
    case .startMonth: .value(key.startMonth)
    case .tenure: .tenure(key.ordinal)
    case .offer: .value(key.offer)
    }
  }
}

/// Renewals of the treated, or of their control, in a month of 30 days around a change; at least one due.
public struct ImpactMonth: Sendable {
  /// The month; -1 ends on the day before the change.
  public let month: Int
  /// Periods that ended.
  public let due: Int
  /// Those that continued.
  public let renewed: Int

  /// The 95 % Wilson interval of the rate.
  public var interval: Interval? { Statistics.wilson(renewed, of: due) }
}
