import Counting
import Storage
import SubscriptionModel
import Tables

/// Makes the rows of `price_impact.csv` from the tally: METRICS.md section 6.
struct ImpactReport: Sendable {
  /// The increases of one row, with their treated and control groups.
  private struct Subject {
    /// Indices in ``ImpactScope/increases``; several in a pooled row.
    var increases: [Int]
    var treated: RenewalGroup
    /// The groups that ``treated`` adds up.
    var treatedMembers: [RenewalGrid.GroupKey]
    var control: ImpactControl?
    var lastReachedEnd: Day?
  }

  /// Increases of a product up to this number of days after the first one belong to the same pooled row.
  private static let pooledDays = 14

  private let report: SourceReport
  private let scope: ImpactScope
  private var subjects: [Subject] = []
  /// The exposures of each increase, by its index.
  private let exposures: [Int: [(key: ExposureKey, value: Exposure)]]

  /// Prepares the rows of a source with all its changes: prices with a change are no control.
  init(_ tally: ImpactTally, of prices: PriceReport) {
    report = prices.report
    scope = tally.scope
    let exposures = Dictionary(grouping: tally.exposures, by: \.key.increase)
    self.exposures = exposures
    let finder = ControlFinder(tally, prices.changes)
    let shown = scope.increases.indices.filter { scope.increases[$0].isAdmitted }
    subjects = (shown.map { [$0] } + Self.pooled(shown, scope)).map { increases in
      let own = increases.flatMap { exposures[$0] ?? [] }
      let lastEnd = own.compactMap(\.value.lastReachedEnd).max()
      let treated = finder.treated(increases)
      return Subject(
        increases: increases, treated: treated.group, treatedMembers: treated.members,
        control: finder.control(of: increases, until: lastEnd), lastReachedEnd: lastEnd)
    }
  }

  /// Returns the groups of increases of one product within 14 days: usually one decision for many storefronts.
  private static func pooled(_ increases: [Int], _ scope: ImpactScope) -> [[Int]] {
    let byProduct = Dictionary(grouping: increases) { scope.increases[$0].key.productPlan }
    return byProduct.values.flatMap { increases in
      var groups: [[Int]] = []
      for increase in increases.sorted(by: { scope.order(of: $0) < scope.order(of: $1) }) {
        let date = scope.increases[increase].date
        if let first = groups.last?.first, date - scope.increases[first].date <= pooledDays {
          groups[groups.count - 1].append(increase)
        } else {
          groups.append([increase])
        }
      }
      return groups.filter { $0.count > 1 }
    }
  }

  /// Returns a row for each increase and non-empty cohort of a view, in no order; for the whole population, a row for
  /// each increase.
  func impacts(by view: ImpactView) -> [PriceImpact] {
    subjects.flatMap { subject in
      cohorts(of: subject, by: view).map { impact(of: subject, $0, $1) }
    }
  }

  /// Returns the rows of ``impacts(by:)`` with the renewals that they count.
  func explained(by view: ImpactView) -> [ExplainedImpact] {
    subjects.flatMap { subject in
      cohorts(of: subject, by: view).map { cohort, byOrdinal in
        ExplainedImpact(
          impact(of: subject, cohort, byOrdinal), view: view, scope, subject.increases,
          treated: subject.treatedMembers, control: subject.control)
      }
    }
  }

  /// The source of the rows.
  var source: Source { report.source }

  private func cohorts(
    of subject: Subject, by view: ImpactView
  ) -> [ImpactCohort?: [RenewalOrdinal: Exposure]] {
    var cohorts: [ImpactCohort?: [RenewalOrdinal: Exposure]] = view == .whole ? [nil: [:]] : [:]
    for (key, exposure) in subject.increases.flatMap({ exposures[$0] ?? [] }) {
      cohorts[view.cohort(key), default: [:]][key.ordinal, default: Exposure()].merge(exposure)
    }
    return cohorts
  }

  private func impact(
    of subject: Subject, _ cohort: ImpactCohort?, _ byOrdinal: [RenewalOrdinal: Exposure]
  ) -> PriceImpact {
    let exposure = byOrdinal.values.reduce(into: Exposure()) { $0.merge($1) }
    let reached = RenewalOrdinal.allCases.map { ordinal in
      let own = byOrdinal[ordinal]
      return RenewalCounts(due: own?.reached ?? 0, renewed: own?.continued ?? 0)
    }
    let comparison = ImpactComparison(
      reached: reached, treated: subject.treated, control: subject.control)
    return PriceImpact(
      of: report.source, subject.increases.map { scope.increases[$0] }, cohort, exposure,
      comparison,
      treatedMonths: cohort == nil ? Self.months(subject.treated) : [],
      controlMonths: cohort == nil ? Self.months(subject.control?.group) : [],
      state: state(subject, exposure))
  }

  /// Returns the state of a row; `partial` if a month from 90 days before the first increase to the last reached end
  /// lacks data.
  private func state(_ subject: Subject, _ exposure: Exposure) -> SourceReport.State {
    let dates = subject.increases.map { scope.increases[$0].date }
    guard let first = dates.min(), let last = dates.max() else { return .final }
    let monthSystem = report.completeness.monthSystem
    let firstMonth = monthSystem.month(of: first + ImpactScope.firstMonth * ImpactScope.monthDays)
    let lastMonth = monthSystem.month(of: max(last - 1, subject.lastReachedEnd ?? last - 1))
    let months = (firstMonth.number...lastMonth.number).map(Month.init(number:))
    let isPartial = months.contains { report.state(of: $0, isUndecided: false) == .partial }
    if isPartial { return .partial }
    let isUndecided = exposure[.notReached] + exposure[.pending] + exposure[.refundUndecided] > 0
    return isUndecided ? .provisional : .final
  }

  /// Returns the 30-day months with a due renewal.
  private static func months(_ group: RenewalGroup?) -> [ImpactMonth] {
    (group?.months ?? []).enumerated().filter { $1.due > 0 }.map { index, counts in
      ImpactMonth(month: index + ImpactScope.firstMonth, due: counts.due, renewed: counts.renewed)
    }
  }
}

extension ImpactScope {
  /// Returns E, E_x, storefront and currency of an increase, by which increases are sorted.
  fileprivate func order(of increase: Int) -> (Day, Day, Symbol, Symbol) {
    let own = dates[datesOfIncrease[increase]]
    let key = increases[increase].key
    return (own.effective, own.existing, key.country, key.currency)
  }
}
