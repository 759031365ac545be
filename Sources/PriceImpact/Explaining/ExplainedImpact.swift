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
      guard increases.contains(key.increase), view.cohort(key) == impact.cohort else { return [] }
      var own = addition(
        exposure == nil ? .notDue : .exposed, heard, dates: scope.datesOfIncrease[key.increase])
      own.change = scope.increases[key.increase]
      own.exposure = exposure ?? own.exposure
      return [own]
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

  private func addition(
    _ group: ImpactAddition.Group, _ heard: HeardRenewal, dates: Int, times: Int = 1
  ) -> ImpactAddition {
    let own = scope.dates[dates]
    return ImpactAddition(
      group: group, charge: heard.charge, ordinal: heard.ordinal,
      isMatched: impact.comparison.matched.contains(heard.ordinal.rawValue), times: times,
      dates: (own.effective, own.existing))
  }

  /// Returns the row once more, made from the sums of the renewals that it counts.
  ///
  /// Its months are empty, so its verdict is never that the groups moved apart before.
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

/// A renewal that an ``ImpactFold`` has counted, for explanations.
package struct HeardRenewal: Sendable {
  /// The counts and amounts that it adds to the tally.
  enum Addition: Sendable {
    /// A period of a treated price or of a possible control: one of those before the change, or the first after it.
    case renewal(RenewalGrid.GroupKey, isBefore: Bool)
    /// A chain that met an increase; one without an exposure was not due to renew, and adds nothing.
    case exposure(ExposureKey, ChainExposure?)
  }

  /// The index of the charge among those of its chain.
  let charge: Int
  let ordinal: RenewalOrdinal
  let addition: Addition
}

/// The sums of the renewals that a row counts.
package struct ImpactSums: Sendable {
  private(set) var exposure = Exposure()
  /// The renewals of the reached, by ordinal.
  private(set) var reached = RenewalGroup(monthCount: 0).after
  private(set) var treated = RenewalGroup(monthCount: 0)
  private(set) var control = RenewalGroup(monthCount: 0)

  package init() {}

  /// Adds what a renewal adds to the row; `isRenewed` is whether the next charge continued the period.
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
