extension World {
  /// Plans the next charge, or a cancellation if a price increase drives the member away.
  mutating func planCharge(_ member: Int, _ next: Membership.Plan, on day: Int, _ odds: Odds) {
    let membership = memberships[member]
    guard let increase = increase(ahead: membership), increase.step.day <= day,
      isLost(increase, among: chances(odds, membership))
    else {
      plan(member, next, on: day)
      return
    }
    plan(
      member, increase.step.needsConsent ? .cancelForPrice : .cancel, on: Int(membership.end))
  }

  /// Adds to the truth the probability that a period that has just begun is the last.
  mutating func noteIncrease(_ member: Int, _ odds: Odds) {
    let membership = memberships[member]
    guard let increase = increase(ahead: membership), let extra = increase.step.extraLoss
    else { return }
    let chances = chances(odds, membership)
    let quick = Self.quickRecovery * odds.fail
    let usual = ((odds.cancel + odds.fail) * 1_000_000 - quick) / chances.all
    let planted = usual + min(extra, chances.staying * 1_000_000 / chances.all)
    truth.increases.add(increase, membership, usualLoss: usual, plantedLoss: planted)
  }

  private func increase(ahead membership: Membership) -> Increase? {
    prices.increase(membership.terms, from: Int(membership.start), to: Int(membership.end))
  }

  /// Chances, per mille, that a period reaches its scheduled end, and that another one then follows.
  private struct Chances {
    let all: Int
    let staying: Int
  }

  private func chances(_ odds: Odds, _ membership: Membership) -> Chances {
    let all = 1_000 - (canUpgrade(membership) ? odds.upgrade : 0)
    return Chances(all: all, staying: all - odds.cancel - odds.fail)
  }

  /// Draws whether an increase drives away a member that would stay.
  ///
  /// The extra loss is a share of all members, so it is a larger share of those that would stay.
  private mutating func isLost(_ increase: Increase, among chances: Chances) -> Bool {
    guard let extra = increase.step.extraLoss else { return false }
    return random.below(1_000_000 * chances.staying) < extra * chances.all
  }

  /// The share of failed payments collected within two days, which is no lapse, in millionths.
  ///
  /// 0.55 × (1 - (57/59)²), see ``failToPay(_:on:)``.
  private static let quickRecovery = 36_656
}
