package import Counting
package import Storage
package import SubscriptionModel
package import Tables

/// The impact of one increase, or of several pooled ones, on a cohort: a row of `price_impact.csv`.
package struct PriceImpact: Sendable {
  package let source: Source
  /// The increases, in order of their dates; several in a pooled row.
  package let changes: [PriceChange]
  /// The cohort's value of the view's dimension; `nil` for the whole population.
  package let cohort: ImpactCohort?
  /// The outcomes of the cohort's chains.
  let exposure: Exposure
  /// The compared renewal rates and the verdict.
  package let comparison: ImpactComparison
  /// The proceeds; `nil` if they are unknown, in pooled rows, and without a control.
  package let money: ImpactMoney?
  /// The loss of renewals at which the increase breaks even; `nil` in pooled rows and if too few were reached.
  package let breakEven: BreakEven?
  /// Renewals of the same price by month before and after the change; empty in views.
  package let treatedMonths: [ImpactMonth]
  /// Renewals of the control by month; empty in views and without a control.
  package let controlMonths: [ImpactMonth]
  /// Whether the numbers are final or can still change.
  let state: SourceReport.State

  /// Creates the impact on a cohort, or on the whole population, with the money and the break-even that follow from its
  /// counts.
  ///
  /// The increases are in order of their dates; the months are those of the same price and of the control.
  init(
    of source: Source, _ changes: [PriceChange], _ cohort: ImpactCohort?, _ exposure: Exposure,
    _ comparison: ImpactComparison, treatedMonths: [ImpactMonth] = [],
    controlMonths: [ImpactMonth] = [], state: SourceReport.State
  ) {
    var money: ImpactMoney?
    var breakEven: BreakEven?
    if changes.count == 1, let old = changes[0].oldPrice, let new = changes[0].newPrice,
      comparison.verdict != .tooFew
    {
      breakEven = BreakEven(oldPrice: old, newPrice: new, comparison)
      if source.hasProceeds, let rate = comparison.counterfactual {
        money = ImpactMoney(exposure, oldPrice: old, counterfactual: rate)
      }
    }
    (self.source, self.changes, self.cohort) = (source, changes, cohort)
    (self.exposure, self.comparison) = (exposure, comparison)
    (self.money, self.breakEven, self.state) = (money, breakEven, state)
    (self.treatedMonths, self.controlMonths) = (treatedMonths, controlMonths)
  }

  /// Returns a count; that of `refunded` is only final if ``ExposureFact/refundUndecided`` is 0.
  package func count(_ fact: ExposureFact) -> Int { exposure[fact] }

  /// The number of chains whose period ended more than 2 days before as-of, so that it is decided whether it continued.
  package var reached: Int { exposure.reached }
  /// The number of reached chains that continued.
  package var continued: Int { exposure.continued }
  /// The number of chains that met the price or will meet it.
  package var exposed: Int { exposure.reached + exposure[.notReached] }

  /// Whether the row pools several increases of one product.
  package var isPooled: Bool { changes.count > 1 }
  package var product: Symbol { changes[0].key.product }
  package var plan: BillingPlan { changes[0].key.plan }
  /// E, the first day of the new price; the earliest in a pooled row.
  package var effective: Day { changes[0].date }
  /// E_x, the first day on which existing subscribers met the new price; the earliest in a pooled row.
  package var effectiveExisting: Day {
    changes.map { $0.effectiveExisting ?? $0.date }.min() ?? effective
  }
  /// The value of the column `state`.
  package var stateName: String { state.rawValue }
}

/// A cohort of an impact view: a value of the view's dimension.
package enum ImpactCohort: Hashable, Sendable {
  /// A start month or an offer.
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

/// The dimension that impacts are grouped by; each view is a file.
package enum ImpactView: String, CaseIterable, Sendable {
  /// One row per increase.
  case whole = ""
  case startMonth = "start_month"
  case tenure, offer

  /// The name of the dimension; none for the whole population.
  package var dimensions: [String] { self == .whole ? [] : [rawValue] }

  func cohort(_ key: ExposureKey) -> ImpactCohort? {
    switch self {
    case .whole: nil
    case .startMonth: .value(key.startMonth)
    case .tenure: .tenure(key.ordinal)
    case .offer: .value(key.offer)
    }
  }
}

/// Renewals of the treated or the control in a 30-day month around a change; at least one was due.
package struct ImpactMonth: Sendable {
  /// The month; 0 begins on the day of the change, and -1 ends on the day before.
  package let month: Int
  /// Periods that ended.
  package let due: Int
  /// The periods that continued.
  package let renewed: Int

  /// The 95 % Wilson interval of the rate.
  package var interval: Interval? { Statistics.wilson(renewed, of: due) }
}
