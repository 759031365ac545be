extension World {
  /// Plans the next charge, or a cancellation if a price increase drives the member away.
  ///
  /// A charge a day before the period's end may be too early to meet the increase.
  mutating func planCharge(_ member: Int, _ next: Membership.Plan, on day: Int, _ odds: Odds) {
    let membership = memberships[member]
    guard let increase = increase(within: membership), increase.step.day <= day,
      isLost(increase, among: chances(odds, membership))
    else {
      plan(member, next, on: day)
      return
    }
    plan(
      member, increase.step.needsConsent ? .cancelForPrice : .cancel,
      on: Int(membership.renewal))
  }

  /// Adds to the truth the probabilities, in millionths, that no charge follows a period that meets an increase: without
  /// the increase and with it.
  mutating func noteIncrease(_ member: Int, _ odds: Odds) {
    let membership = memberships[member]
    guard let increase = increase(within: membership), let extra = increase.step.extraLoss
    else { return }
    let chances = chances(odds, membership)
    let quick = Self.quickRecovery * odds.fail
    let usual = ((odds.cancel + odds.fail) * 1_000_000 - quick) / chances.complete
    let planted = usual + min(extra, chances.continued * 1_000_000 / chances.complete)
    truth.increases.add(increase, membership, usualLoss: usual, plantedLoss: planted)
  }

  /// Returns the increase that takes effect during a period, or on its end; nil if there is none.
  private func increase(within membership: Membership) -> Increase? {
    prices.increase(membership.terms, from: Int(membership.start), to: Int(membership.end))
  }

  /// Chances, per mille, of a period.
  private struct Chances {
    /// The chance that no upgrade cuts it short.
    let complete: Int
    /// The chance that no upgrade cuts it short and another period follows.
    let continued: Int
  }

  private func chances(_ odds: Odds, _ membership: Membership) -> Chances {
    let complete = 1_000 - (canUpgrade(membership) ? odds.upgrade : 0)
    return Chances(complete: complete, continued: complete - odds.cancel - odds.fail)
  }

  /// Draws whether an increase drives away a member that would renew.
  ///
  /// The extra loss is a share of all complete periods, so it is a larger share of those that would be continued.
  private mutating func isLost(_ increase: Increase, among chances: Chances) -> Bool {
    guard let extra = increase.step.extraLoss else { return false }
    return random.below(1_000_000 * chances.continued) < extra * chances.complete
  }

  /// The share of failed payments, in millionths, that are collected within two days, too soon for a lapse.
  ///
  /// 0.55 × (1 - (57/59)²), see ``failToPay(_:on:)``.
  private static let quickRecovery = 36_656
}
