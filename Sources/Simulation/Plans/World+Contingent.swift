/// Prices that are lower for subscribers of another publisher's app.
extension World {
  /// Returns whether a charge at the standard price gets the contingent price.
  ///
  /// A share of the members subscribes to the other app from the beginning. One in four of them leaves it
  /// on some day of the reports, and pays the usual price from then on.
  func isContingent(_ membership: Membership, on day: Int) -> Bool {
    guard options.plans.contingent != .none, Int(membership.terms.offer) == Offer.standard,
      membership.terms.instalment == 0, membership.terms.pricing != .preserved
    else { return false }
    // A generator of its own gives the same result at each of a member's charges.
    let app = Catalog.products[Int(membership.terms.product)].app
    let key = UInt64(membership.person) << 1 | UInt64(app)
    var random = SeededRandom(seed: options.seed, stream: 43 << 32 + key)
    guard options.plans.contingent.happens(&random) else { return false }
    let lastDay = timeline.firstDay + random.below(timeline.lastDay - timeline.firstDay + 1)
    return !random.chance(250) || day <= lastDay
  }
}
