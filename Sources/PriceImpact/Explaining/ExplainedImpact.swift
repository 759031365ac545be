package import Counting
package import SubscriptionModel
package import Tables

/// A row of `price_impact.csv` with the renewals that it counts, for explanations.
package struct ExplainedImpact: Sendable {
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
    let counts = RenewalCounts(due: addition.times, renewed: isRenewed ? addition.times : 0)
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

  package mutating func merge(_ other: ImpactSums) {
    exposure.merge(other.exposure)
    for index in reached.indices { reached[index].merge(other.reached[index], .plus) }
    treated.merge(other.treated)
    control.merge(other.control)
  }

  /// The compared renewals of one age.
  package struct Stratum: Sendable {
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

/// What a renewal adds to a row of `price_impact.csv`.
package struct ImpactAddition: Sendable {
  /// The group that the renewal belongs to.
  package enum Group: Hashable, Sendable {
    /// The subscriptions that met the increase, or keep the old price.
    case exposed
    /// A subscription whose period would have met the increase, but was not due to renew; the row does not count it.
    case notDue
    /// Periods of the same price that ended in the 90 days before.
    case baseline
    /// The control's periods of the same days.
    case controlBefore
    /// The control's first period of each subscription after the change.
    case controlAfter
  }

  package let group: Group
  /// The index of the charge among those of its chain.
  package let charge: Int
  /// The age of the subscription at the renewal.
  package let ordinal: RenewalOrdinal
  /// Whether all groups have renewals of this age, so that it is compared.
  package let isMatched: Bool
  /// How often the row counts the renewal: twice where two of its increases have the same control.
  package let times: Int
  /// E and E_x: the days from which new and existing subscribers paid the new price.
  package let dates: (effective: Day, existing: Day)
  /// The increase that the subscription met; `nil` for the other groups.
  package internal(set) var change: PriceChange?
  /// The outcome of the renewal; empty for the other groups.
  var exposure = ChainExposure()

  /// Returns whether a fact holds for a subscription that met the increase.
  package func has(_ fact: ExposureFact) -> Bool { exposure.contains(fact) }

  /// What the subscription did; `nil` for the other groups.
  package var outcome: ExposureFact? {
    ([.notReached, .preserved] + ExposureFact.reached).first(where: has)
  }

  /// Returns the records of consent that decide whether the customer was asked, and the answer.
  ///
  /// They are indices in ``PricedChain/consents``, oldest first; none for the other groups.
  package func consents(of chain: PricedChain) -> [Int] {
    change.map { ExposedRenewal.consents(of: chain, at: chain.charges[charge], $0) } ?? []
  }

  /// The proceeds before and after, in milliunits.
  package var proceeds: (old: Int128, new: Int128) { (exposure.money.old, exposure.money.actual) }
}

/// What a column of `price_impact.csv`, or an input of its formulas, adds up.
package enum ImpactPart: Hashable, Sendable {
  /// Subscriptions for which one of some facts holds.
  case facts([ExposureFact])
  /// Compared periods of a group.
  case periods(ImpactAddition.Group)
  /// Reached subscriptions of an age that another group lacks.
  case unmatched
  /// Proceeds of the charges that continued.
  case actual
  /// The last proceeds at the old price.
  case oldProceeds
  /// New less old proceeds of those who renewed the product, without the effect of another share.
  case priceEffect
  /// New less old proceeds of those who changed the product.
  case mixEffect
  /// The effect of another share of the price.
  case shareEffect

  package static let exposed = ImpactPart.facts([.notReached] + ExposureFact.reached)
  package static let reached = ImpactPart.facts(ExposureFact.reached)

  /// Whether it adds up amounts.
  package var isMoney: Bool {
    switch self {
    case .facts, .periods, .unmatched: false
    case .actual, .oldProceeds, .priceEffect, .mixEffect, .shareEffect: true
    }
  }

  /// Returns whether an addition is of those that the part chooses from, whether or not it counts there.
  package func considers(_ addition: ImpactAddition) -> Bool {
    if case .periods(let group) = self { return addition.group == group }
    return addition.group == .exposed || addition.group == .notDue
  }

  /// Returns what an addition adds; `nil` if it does not belong here.
  package func value(of addition: ImpactAddition) -> ImpactValue? {
    let money = addition.exposure.money
    let has = { (facts: [ExposureFact]) in facts.contains(where: addition.has) }
    let value =
      switch self {
      case .facts(let facts): ImpactValue(has(facts) ? 1 : 0)
      case .periods(let group):
        ImpactValue(group == addition.group && addition.isMatched ? Int128(addition.times) : 0)
      case .unmatched: ImpactValue(!addition.isMatched && has(ExposureFact.reached) ? 1 : 0)
      case .actual: ImpactValue(money.actual)
      case .oldProceeds: ImpactValue(money.old)
      case .priceEffect: ImpactValue(money.renewed, withoutShare: money.shareTimesOldPrice)
      case .mixEffect: ImpactValue(money.changed)
      case .shareEffect: ImpactValue(0, withoutShare: -money.shareTimesOldPrice)
      }
    return value == .zero ? nil : value
  }
}

/// A count, or an amount in milliunits of which a part is known as a fraction.
package struct ImpactValue: Equatable, Sendable {
  private var whole: Int128
  /// The effect of another share, times the old price.
  private var shareTimesOldPrice: Int128

  package static let zero = ImpactValue(0)

  init(_ whole: Int128, withoutShare shareTimesOldPrice: Int128 = 0) {
    self.whole = whole
    self.shareTimesOldPrice = shareTimesOldPrice
  }

  package static func += (left: inout ImpactValue, right: ImpactValue) {
    left.whole += right.whole
    left.shareTimesOldPrice += right.shareTimesOldPrice
  }

  /// Returns the number, its fraction rounded half to even to the milliunit; `nil` is the old price without money.
  package func rounded(_ oldPrice: Int64?) -> Int128 {
    guard shareTimesOldPrice != 0, let oldPrice else { return whole }
    return whole - shareTimesOldPrice.dividedHalfToEven(by: Int128(oldPrice))
  }
}
