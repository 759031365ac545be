import SubscriptionModel

/// The place of an instalment in its term: what a `Period.Instalment` must say.
package struct ReferenceInstalment: Equatable, Sendable {
  /// 1 for the first instalment; `nil` when it is not known.
  package let number: Int?
  /// Whether it is the first of its term that the reports have.
  package let beginsTerm: Bool
}

extension ReferenceInstalment {
  /// Creates a copy of what the program found.
  init?(_ instalment: Period.Instalment) {
    guard let position = instalment.position else { return nil }
    self.init(number: position.number, beginsTerm: instalment.beginsTerm)
  }
}

/// METRICS.md 10.2, to compare with: from the first charge of a chain to the last, each asks what the one
/// before it was.
extension ReferenceChains {
  /// Before this day Apple sold no instalments.
  static let firstSaleOfInstalments = day("2026-04-27")

  /// The charge before another one, as far as that one asks.
  struct Before {
    let charge: Charge
    let period: ReferencePeriod
    /// The charges of its run so far, itself the last; empty for one that is in no run.
    let run: [Charge]
  }

  /// Returns the periods of one chain.
  ///
  /// - Parameters:
  ///   - chain: Its charges in order.
  ///   - isBeginningKnown: Whether an instalment that opens the chain is the first of a term.
  ///   - asOf: The day up to which the data are complete.
  /// - Returns: A period for each charge.
  static func periods(
    of chain: [Charge], isBeginningKnown: Bool, asOf: Day
  ) -> [ReferencePeriod] {
    var periods: [ReferencePeriod] = []
    // The charge before, unless that is an instalment of no length.
    var isFirst = true
    var before: Before?
    // The charge before, unless that is an instalment of no length.
    var beforeInRun: Before?
    for (index, charge) in chain.enumerated() {
      let next = index + 1 < chain.count ? chain[index + 1] : nil
      var place: ReferenceInstalment?
      if charge.isInstalment {
        place = isFirst && !isBeginningKnown ? opening(charge) : self.place(charge, before)
      }
      let hasNoLength = isBoughtAgain(charge, next)
      let isUnnumbered = charge.isInstalment && hasNoLength
      let run = isUnnumbered ? [] : run(of: charge, after: beforeInRun)
      let fullEnd = run.isEmpty ? charge.end : end(of: run)
      let (end, ending) = ending(charge, fullEnd: fullEnd, next: next)
      var fate = fate(end, ending, next: next, retryDays: charge.retryDays, asOf: asOf)
      if let next, ending == .fullEnd, next.isSameProduct(charge),
        hasLaterBillingDay(run, next.day)
      {
        fate = .continued
      }
      let period = ReferencePeriod(
        terms: charge.record.terms, start: charge.day, fullEnd: fullEnd, end: end, ending: ending,
        fate: fate, nextStart: next?.day, instalment: hasNoLength ? nil : place)
      periods.append(period)
      let own = Before(charge: charge, period: period, run: run)
      // An instalment of no length has no number.
      if isUnnumbered { continue }
      beforeInRun = own
      isFirst = false
      before = own
    }
    return periods
  }

  /// Returns the place of an instalment that opens a chain which may have begun earlier.
  private static func opening(_ charge: Charge) -> ReferenceInstalment {
    let stated = Int(charge.terms.statedPosition)
    return ReferenceInstalment(number: stated > 0 ? stated : nil, beginsTerm: true)
  }

  /// Returns the place of any other instalment.
  private static func place(_ charge: Charge, _ before: Before?) -> ReferenceInstalment {
    let stated = Int(charge.terms.statedPosition)
    let first = ReferenceInstalment(number: stated > 0 ? stated : 1, beginsTerm: true)
    // It opens the chain, or the charge before it is no instalment of the same product.
    guard let before, before.charge.isInstalment,
      before.charge.terms.attributes.product == charge.terms.attributes.product
    else { return first }
    let number = before.period.instalment?.number
    // The instalment before it was a 12th, ended its term by a refund, or was followed by a long gap.
    if number == 12 || before.period.ending == .refunded || charge.day - before.period.end > 90 {
      return first
    }
    // A column says its position.
    if stated > 0 {
      return ReferenceInstalment(number: stated, beginsTerm: stated == 1)
    }
    // A price holds for a term.
    let old = before.charge.terms.price
    let new = charge.terms.price
    if old.currency == new.currency, old.milliunits != new.milliunits { return first }
    return ReferenceInstalment(number: number.map { $0 + 1 }, beginsTerm: false)
  }
}
