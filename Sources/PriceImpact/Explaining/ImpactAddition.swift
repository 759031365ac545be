package import Counting
package import SubscriptionModel

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

  /// The group.
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

  /// Returns the number, with the fraction rounded half to even to the milliunit as in the table; `nil` is the old price
  /// of rows without money.
  package func rounded(_ oldPrice: Int64?) -> Int128 {
    guard shareTimesOldPrice != 0, let oldPrice else { return whole }
    return whole - shareTimesOldPrice.dividedHalfToEven(by: Int128(oldPrice))
  }
}
