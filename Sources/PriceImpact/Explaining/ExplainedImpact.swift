import Counting
import SubscriptionModel
package import Tables

/// A row of `price_impact.csv` with the renewals that it counts, for explanations.
package struct ExplainedImpact: Sendable {
  /// The row.
  package let impact: PriceImpact
  /// All cells of the row, its keys first.
  package internal(set) var cells: [ReportTable.Cell] = []
  private let view: ImpactView
  private let scope: ImpactScope
  /// Indices in ``ImpactScope/increases``.
  private let increases: Set<Int>
  /// How often the row counts each group of renewals.
  private let treated: [RenewalGrid.GroupKey: Int]
  private let control: [RenewalGrid.GroupKey: Int]

  init(
    _ impact: PriceImpact, view: ImpactView, _ scope: ImpactScope, _ increases: [Int],
    treated: [RenewalGrid.GroupKey], control: ImpactControl?
  ) {
    (self.impact, self.view, self.scope) = (impact, view, scope)
    self.increases = Set(increases)
    self.treated = treated.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    self.control = (control?.members ?? []).reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// The old price of the increase in milliunits; `nil` in a pooled row.
  package var oldPrice: Int64? { impact.isPooled ? nil : impact.changes.first?.oldPrice }

  /// Returns what a renewal adds to the row.
  package func additions(of heard: HeardRenewal) -> [ImpactAddition] {
    switch heard.addition {
    case .exposure(let key, let exposure):
      return isOfRow(key) ? [addition(.exposed, heard, key, exposure)] : []
    case .notDue(let key):
      return isOfRow(key) ? [addition(.notDue, heard, key)] : []
    case .renewal(let key, let isBefore):
      let compared: [(ImpactAddition.Group, Int?)] =
        isBefore
        ? [(.baseline, treated[key]), (.controlBefore, control[key])]
        : [(.controlAfter, control[key])]
      return compared.compactMap { group, times in
        times.map { addition(group, heard, dates: key.dates, times: $0) }
      }
    }
  }

  private func isOfRow(_ key: ExposureKey) -> Bool {
    increases.contains(key.increase) && view.cohort(key) == impact.cohort
  }

  private func addition(
    _ group: ImpactAddition.Group, _ heard: HeardRenewal, _ key: ExposureKey,
    _ exposure: ChainExposure = ChainExposure()
  ) -> ImpactAddition {
    addition(
      group, heard, dates: scope.datesOfIncrease[key.increase],
      change: scope.increases[key.increase], exposure)
  }

  private func addition(
    _ group: ImpactAddition.Group, _ heard: HeardRenewal, dates: Int, times: Int = 1,
    change: PriceChange? = nil, _ exposure: ChainExposure = ChainExposure()
  ) -> ImpactAddition {
    let own = scope.dates[dates]
    return ImpactAddition(
      group: group, charge: heard.charge, ordinal: heard.ordinal,
      isMatched: impact.comparison.matched.contains(heard.ordinal.rawValue), times: times,
      dates: (own.effective, own.existing), change: change, exposure: exposure)
  }

  /// Returns the row once more, made from the renewals that it counts.
  ///
  /// Its months are empty, so its verdict is never that the groups moved apart before.
  ///
  /// - Parameter sums: The sums of these renewals.
  /// - Returns: The row.
  package func impact(from sums: ImpactSums) -> PriceImpact {
    let control = impact.comparison.control.map {
      ImpactControl(kind: $0, group: sums.control, members: [])
    }
    return PriceImpact(
      of: impact.source, impact.changes, impact.cohort, sums.exposure,
      ImpactComparison(reached: sums.reached, treated: sums.treated, control: control),
      state: impact.state)
  }
}

/// The sums of the renewals that a row counts.
package struct ImpactSums: Sendable {
  private(set) var exposure = Exposure()
  /// The renewals of the reached, by ordinal.
  private(set) var reached = RenewalGroup(monthCount: 0).after
  private(set) var treated = RenewalGroup(monthCount: 0)
  private(set) var control = RenewalGroup(monthCount: 0)

  package init() {}

  /// Adds a renewal.
  ///
  /// - Parameters:
  ///   - addition: The amount that it adds to the row.
  ///   - isRenewed: Whether the next charge continued the period.
  package mutating func add(_ addition: ImpactAddition, isRenewed: Bool) {
    let counts = RenewalCounts(
      due: addition.times, renewed: isRenewed ? addition.times : 0)
    switch addition.group {
    case .exposed:
      exposure.add(addition.exposure)
      guard ExposureFact.reached.contains(where: addition.has) else { return }
      let isContinued = ExposureFact.continued.contains(where: addition.has)
      reached[addition.ordinal.rawValue].merge(
        RenewalCounts(due: 1, renewed: isContinued ? 1 : 0), .plus)
    case .notDue: break
    case .baseline: treated.add(counts, to: .before(addition.ordinal))
    case .controlBefore: control.add(counts, to: .before(addition.ordinal))
    case .controlAfter: control.add(counts, to: .after(addition.ordinal))
    }
  }

  /// Adds the sums of other renewals.
  package mutating func merge(_ other: ImpactSums) {
    exposure.merge(other.exposure)
    for index in reached.indices { reached[index].merge(other.reached[index], .plus) }
    treated.merge(other.treated)
    control.merge(other.control)
  }

  /// The compared renewals of one age.
  package struct Stratum: Sendable {
    /// The age.
    package let ordinal: RenewalOrdinal
    /// The reached of this age, and those of them that continued.
    package let reached: (due: Int, renewed: Int)
    package let baseline: (due: Int, renewed: Int)
    package let controlBefore: (due: Int, renewed: Int)
    package let controlAfter: (due: Int, renewed: Int)
  }

  /// Returns the renewals that a comparison of these sums weighs, by age.
  package func strata(_ comparison: ImpactComparison) -> [Stratum] {
    comparison.matched.compactMap { index in
      guard let ordinal = RenewalOrdinal(rawValue: index) else { return nil }
      let counts = { (all: [RenewalCounts]) in (due: all[index].due, renewed: all[index].renewed) }
      return Stratum(
        ordinal: ordinal, reached: counts(reached), baseline: counts(treated.before),
        controlBefore: counts(control.before), controlAfter: counts(control.after))
    }
  }
}
