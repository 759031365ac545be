/// The behaviour of members who pay in monthly instalments.
extension World {
  /// Returns the commitment position of a member's first charge at the standard price.
  ///
  /// The position is 1 for instalments, and 0 for a year paid at once.
  mutating func firstInstalment(_ member: Int, of product: Int, on day: Int) -> Int {
    let storefront = memberships[member].terms.storefront
    return commitments?.isChosen(for: product, storefront: storefront, on: day) == true ? 1 : 0
  }

  /// Returns the commitment position of a member's next charge for the same product, or 0.
  ///
  /// It is 0 for a member without instalments. After position 12 it is 1 again, or 0 if the member
  /// pays the next year at once.
  func nextInstalment(_ membership: Membership) -> Int {
    Int(membership.terms.nextInstalment(isUpfront: membership.target == Self.upfront))
  }

  /// The target of a member who pays the next year at once.
  private static let upfront: UInt8 = 1

  // MARK: Deciding

  /// Plans what follows an instalment that has just been paid.
  mutating func planInstalment(_ member: Int) {
    guard var random = commitments?.random else { return }
    defer { commitments?.random = random }
    let isLast = Int(memberships[member].terms.instalment) == CommitmentHistory.length
    memberships[member].target = 0
    if random.chance(14) {
      planRefund(member, after: 1 + min(random.below(60), random.below(60)), copies: 1)
    }
    let membership = memberships[member]
    let end = Int(membership.renewal)
    if random.chance(8), canUpgrade(membership) {
      let product = random.element(of: Self.higherProducts(membership))
      planUpgrade(member, to: product, after: random.below(Self.daysToUpgrade(membership)))
    } else if isLast {
      planRenewal(member, on: end, &random)
    } else if random.chance(45) {
      plan(member, .failToPay, on: end)
    } else if random.chance(5) {
      plan(member, .change, on: end)
    } else {
      turnOffRenewal(member, &random)
      plan(member, .renew, on: chargeDay(member, &random))
    }
  }

  /// Plans what follows a term's last instalment.
  private mutating func planRenewal(_ member: Int, on end: Int, _ random: inout SeededRandom) {
    if commitments?.endsWithTerm(member) == true {
      plan(member, .cancel, on: end)
      return
    }
    switch random.pick([150, 50, 40, 100, 660]) {
    case 0: plan(member, .cancel, on: end)
    case 1: plan(member, .failToPay, on: end)
    case 2: plan(member, .change, on: end)
    case 3:
      memberships[member].target = Self.upfront
      plan(member, .renew, on: chargeDay(member, &random))
    default: plan(member, .renew, on: chargeDay(member, &random))
    }
  }

  /// Draws the day of a charge: mostly the due day, sometimes a day early or one or two days late.
  private func chargeDay(_ member: Int, _ random: inout SeededRandom) -> Int {
    chargeDay(memberships[member], random.below(1_000), punctual: 850)
  }

  /// Lets a few members turn off renewal in the middle of a term.
  private mutating func turnOffRenewal(_ member: Int, _ random: inout SeededRandom) {
    let membership = memberships[member]
    guard random.chance(25), commitments?.endsWithTerm(member) == false,
      !membership.flags.contains(.willBeRefunded)
    else { return }
    commitments?.turnOffRenewal(member)
    var event = lifeEvent(EventName(.turnOff), membership, on: Int(membership.start))
    event.daysBeforeCanceling = 3 + random.below(Int(membership.end - membership.start) - 5)
    addToJournal(event, of: member)
  }

  // MARK: Missing

  /// Starts 90 days of retries, without service, for an instalment that could not be collected.
  ///
  /// The first instalment of the next term may fail too. The store collects on the third day at the
  /// earliest: reports do not treat an earlier charge as late.
  mutating func missInstalment(_ member: Int, on day: Int) {
    guard var random = commitments?.random else { return }
    defer { commitments?.random = random }
    memberships[member].flags.remove(.isRunning)
    memberships[member].flags.insert(.isInRetry)
    publish(lifeEvent(EventName(.retryFrom), memberships[member], on: day), of: member)
    if random.chance(600) {
      plan(member, .recover, on: day + 3 + min(random.below(88), random.below(88)))
    } else {
      plan(member, .giveUp, on: day + Commitments.retryDays)
    }
  }
}
