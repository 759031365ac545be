package import Counting
package import SubscriptionModel

/// Counts the renewals at which running subscriptions would meet planned prices.
///
/// METRICS.md section 6, "Before a change".
package struct PlanFold: Sendable {
  /// The counts so far.
  package private(set) var tally: PlanTally

  /// Apple may check a renewal up to this number of days before it, so a price set later may not apply to it.
  private static let preflightDays = 10

  /// The planned prices.
  package let planned: [PlannedPrice]
  private let indicesOfKey: [StorefrontKey: [Int]]

  /// Creates a fold without counts.
  ///
  /// - Parameter planned: The planned prices.
  package init(_ planned: [PlannedPrice]) {
    self.planned = planned
    indicesOfKey = Dictionary(grouping: planned.indices) { planned[$0].key }
    tally = PlanTally(count: planned.count)
  }

  /// Returns whether charges with these terms matter for any planned price.
  ///
  /// A chain without such a charge need not be added.
  ///
  /// - Parameter terms: The terms.
  /// - Returns: Whether they are standard paid terms of the product, storefront, currency and plan of
  ///   a planned price.
  package func concerns(_ terms: ChargeTerms) -> Bool {
    terms.isStandardPaid && !indices(of: terms).isEmpty
  }

  /// Returns the indices of the planned prices for a charge's product, storefront, currency and plan.
  private func indices(of terms: ChargeTerms) -> [Int] {
    (indicesOfKey[StorefrontKey(terms)] ?? []).filter {
      planned[$0].plan.map { $0 == terms.plan } ?? true
    }
  }

  /// Adds a chain; a commitment meets the price at the end of its term.
  ///
  /// - Parameters:
  ///   - chain: The chain.
  ///   - terms: The terms that its charges refer to by index.
  package mutating func add(_ chain: PricedChain, _ terms: [ChargeTerms]) {
    for charge in chain.charges
    where concerns(terms[Int(charge.terms)]) && !charge.hasNoPlaceInTerm {
      let own = terms[Int(charge.terms)]
      guard !own.isPreserved else { continue }
      let charged = PlanTally.CurrentPrice(
        plan: own.plan, day: charge.start, price: own.price.milliunits, term: charge.term(own))
      for index in indices(of: own) { tally.updateCurrent(charged, planned: index) }
    }
    guard let last = chain.charges.last, last.fate == .running, last.ending != .transferred,
      !last.hasNoPlaceInTerm, concerns(terms[Int(last.terms)])
    else { return }
    let own = terms[Int(last.terms)]
    for index in indices(of: own)
    where own.price.milliunits < planned[index].newPrice {
      let renewal = last.renewal(onOrAfter: planned[index].date, every: last.term(own))
      let daysLeft = renewal - chain.asOf
      tally.add(
        PlanTally.Week(due: 1, preflight: daysLeft <= Self.preflightDays ? 1 : 0),
        on: renewal - renewal.weekday, planned: index)
    }
  }
}

extension PricedCharge {
  /// Returns the first renewal on a day or later, if the subscription renews until then.
  fileprivate func renewal(onOrAfter day: Day, every term: Term) -> Day {
    var renewal = end
    var count: Int16 = 0
    while renewal < day, term.days + term.months > 0 {
      count += 1
      // Add all months to the first end at once: month by month, 31 January would become the 28th of later months.
      let whole =
        term.months > 0 ? Term(months: term.months * count) : Term(days: term.days * count)
      renewal = end.adding(whole)
    }
    return renewal
  }
}
