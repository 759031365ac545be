/// The commitments of a world: yearly products paid in twelve monthly instalments.
struct Commitments {
  /// A running term.
  private struct Running {
    var commitment: CommitmentHistory
    /// The day of the month on which instalments paid in time end.
    var runDay: UInt8
    /// Whether the customer has turned off the renewal of the term.
    var endsWithTerm = false
  }

  /// The number of days for which the store retries to collect an instalment.
  static let retryDays = 90
  /// The indexes of the storefronts that do not sell instalments.
  private static let excluded = Set(
    Catalog.storefronts.indices.filter { ["US", "SG"].contains(Catalog.storefronts[$0].code) })

  /// The generator for everything about instalments.
  var random: SeededRandom
  private let share: Share
  private let timeline: Timeline
  /// The first day on which instalments were sold.
  private let firstDay: Int
  private var running: [Int: Running] = [:]
  private var ended: [CommitmentHistory] = []

  /// Creates the commitments of a world; nil for a world without commitments.
  init?(options: WorldOptions, timeline: Timeline) {
    guard options.plans.commitments != .none else { return nil }
    share = options.plans.commitments
    self.timeline = timeline
    random = SeededRandom(seed: options.seed, stream: 41)
    firstDay = CalendarDay.number(year: 2026, month: 4, day: 27) - timeline.base
  }

  /// Draws whether a member that starts to pay for a product pays in instalments.
  mutating func isChosen(for product: Int, storefront: UInt8, on day: Int) -> Bool {
    guard Catalog.products[product].term.months == 12, day >= firstDay,
      !Self.excluded.contains(Int(storefront))
    else { return false }
    return share.happens(&random)
  }

  /// Adds a charge, which begins, continues or ends a term; `membership` is the member after it.
  mutating func add(
    _ member: Int, _ membership: Membership, _ amounts: Amounts, subscriberID: Int
  ) {
    let (terms, day) = (membership.terms, Int(membership.start))
    if terms.instalment <= 1, var term = running.removeValue(forKey: member) {
      term.commitment.endBefore(terms, on: day)
      ended.append(term.commitment)
    }
    guard terms.instalment > 0 else { return }
    var term =
      running[member]
      ?? Running(
        commitment: CommitmentHistory(subscriberID: subscriberID, terms: terms, amounts: amounts),
        runDay: 0)
    term.runDay = membership.runDay
    let end = Int(membership.end)
    term.commitment.instalments.append(
      CommitmentHistory.Instalment(
        day: day, end: end, proceeds: amounts.proceeds,
        latest: end + Membership.toleranceDays
          + (membership.flags.contains(.continuesLate) ? 1 : 0)))
    running[member] = term
  }

  /// Ends a member's term, if there is one; a term with twelve paid instalments is complete.
  mutating func end(_ member: Int, _ ending: CommitmentHistory.Ending, on day: Int) {
    guard var term = running.removeValue(forKey: member) else { return }
    if term.commitment.isPaidUp, ending != .refunded {
      term.commitment.end(.complete, on: term.commitment.paidEnd)
    } else {
      term.commitment.end(ending, on: day)
    }
    ended.append(term.commitment)
  }

  /// Returns the day on which a member's term ends if all remaining instalments are paid in time.
  func scheduledEnd(_ member: Int) -> Int? {
    running[member].map { term in
      let left = CommitmentHistory.length - term.commitment.instalments.count
      return timeline.end(ofMonths: left, from: term.commitment.paidEnd, billingDay: term.runDay)
    }
  }

  /// Returns whether the renewal of a member's term is turned off.
  func endsWithTerm(_ member: Int) -> Bool { running[member]?.endsWithTerm ?? false }

  mutating func turnOffRenewal(_ member: Int) { running[member]?.endsWithTerm = true }

  /// All terms as of the last day, sorted by their first day.
  var commitments: [(commitment: CommitmentHistory, scheduledEnd: Int)] {
    var commitments = ended.map { (commitment: $0, scheduledEnd: $0.endDay) }
    for (member, term) in running {
      var commitment = term.commitment
      if commitment.isPaidUp, commitment.paidEnd <= timeline.lastDay {
        commitment.end(.complete, on: commitment.paidEnd)
      }
      commitments.append((commitment: commitment, scheduledEnd: scheduledEnd(member) ?? 0))
    }
    return commitments.sorted { left, right in
      let (first, second) = (
        left.commitment.instalments[0].day, right.commitment.instalments[0].day
      )
      return (first, left.commitment.subscriberID, left.commitment.terms.product)
        < (second, right.commitment.subscriberID, right.commitment.terms.product)
    }
  }
}

extension CommitmentHistory {
  /// Ends the term because of a charge that is not one of its instalments.
  fileprivate mutating func endBefore(_ next: ChargeTerms, on day: Int) {
    guard isPaidUp else {
      end(.changed, on: day)
      return
    }
    if next.product != terms.product, day < paidEnd - 2 {
      end(.complete, on: day)
      renewal = .product
      return
    }
    end(.complete, on: paidEnd)
    if day - paidEnd <= 2 { renewal = renewal(by: next) }
  }
}

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
