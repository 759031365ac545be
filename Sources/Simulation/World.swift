/// Simulates subscribers day by day, and adds their events to the reports and the truth.
///
/// It does not depend on the format of reports, and shares no code with readers of reports.
struct World {
  let options: WorldOptions
  let timeline: Timeline
  let prices: PriceBook
  /// The day on which each product's price rises.
  let riseDays: [Int]
  var random: SeededRandom
  var memberships: [Membership] = []
  /// The members with a planned action, by day.
  var queue: DueQueue<Int32>
  var refunds: DueQueue<PlannedRefund>
  var truth: Truth
  /// The daily reports; nil when the world is simulated again for its receipts.
  var reports: ReportSet?
  /// The events from which receipts are made.
  var journal: Journal?
  /// The commitments, in a world that sells instalments.
  var commitments: Commitments?

  init(
    options: WorldOptions, timeline: Timeline, reports: ReportSet? = nil, journal: Journal? = nil
  ) {
    self.options = options
    self.timeline = timeline
    self.reports = reports
    self.journal = journal
    random = SeededRandom(seed: options.seed, stream: 1)
    queue = DueQueue(dayCount: timeline.lastDay + 1)
    refunds = DueQueue(dayCount: timeline.lastDay + 1)
    commitments = Commitments(options: options, timeline: timeline)
    let prices = PriceBook(options: options, timeline: timeline)
    self.prices = prices
    truth = Truth(timeline: timeline, prices: prices)
    riseDays = Catalog.products.enumerated().map { index, product in
      guard product.earlierPrices != nil, !prices.plantedProducts.contains(index) else { return 0 }
      // A preserved price rises before the window, other prices in the middle of it.
      return product.preservesPrice
        ? timeline.firstDay - 120 : (timeline.firstDay + timeline.lastDay) / 2
    }
    populate()
  }

  /// Simulates all days and writes their reports.
  mutating func run() throws(SimulationError) {
    for day in 0...timeline.lastDay {
      for refund in refunds.take(day) {
        make(refund, on: day)
      }
      for member in queue.take(day) where memberships[Int(member)].due == day {
        act(Int(member), on: day)
        reports?.snapshot?.update(Int(member), memberships[Int(member)])
      }
      if timeline.endsMonth(day), day + 1 >= timeline.firstDay, day < timeline.lastDay {
        countActive(on: day)
      }
      if day >= timeline.firstDay { try reports?.endDay(day) }
    }
    for membership in memberships {
      truth.close(membership)
      truth.increases.close(membership)
    }
  }

  private mutating func countActive(on day: Int) {
    for membership in memberships {
      guard membership.flags.contains(.isPaid), membership.start <= day, day < membership.end
      else { continue }
      truth.addActive(membership, on: day)
    }
  }

  // MARK: Subscribers

  private mutating func populate() {
    memberships.reserveCapacity(options.subscribers)
    let storefronts = Catalog.storefronts.map(\.weight)
    let surfaces = Catalog.surfaces.map(\.weight)
    let products = Catalog.products.map(\.weight)
    for index in 0..<options.subscribers {
      let (storefront, surface) = (random.pick(storefronts), random.pick(surfaces))
      let state = random.below(4)
      let terms = ChargeTerms(
        product: UInt8(random.pick(products)), storefront: UInt8(storefront),
        surface: UInt8(surface))
      var membership = Membership(person: Int32(index), state: UInt8(state), terms: terms)
      if index > 0, random.chance(60) { share(&membership, with: index - 1) }
      membership.due = Int32(joinDay())
      memberships.append(membership)
      queue.add(Int32(index), on: Int(membership.due))
    }
  }

  /// Assigns a membership to the person before, if that person is only in the other group.
  private mutating func share(_ membership: inout Membership, with other: Int) {
    let known = memberships[other]
    let group = Catalog.group(of: Int(known.terms.product))
    guard !known.flags.contains(.isShared), !group.contains(Int(membership.terms.product))
    else { return }
    memberships[other].flags.insert(.isShared)
    membership.flags.insert(.isShared)
    membership.person = known.person
    membership.terms.storefront = known.terms.storefront
    membership.terms.surface = known.terms.surface
    membership.state = known.state
  }

  /// Draws the day of joining: 42 % before the first report, the others on any day of the window.
  private mutating func joinDay() -> Int {
    if random.chance(420) { return random.below(timeline.firstDay) }
    return timeline.firstDay + random.below(timeline.lastDay - timeline.firstDay + 1)
  }

  /// Returns the Subscriber ID: 15 digits, one for each person and generation.
  func subscriberID(_ membership: Membership) -> Int {
    let key = UInt64(membership.person) * 8 + UInt64(membership.generation & 7)
    // An odd factor modulo a power of two: different keys give different numbers.
    let mixed = (key &* 0x1_5D58_8B65_6C07 &+ options.seed) & ((1 << 49) - 1)
    return 100_000_000_000_000 + Int(mixed)
  }

  // MARK: Actions

  private mutating func act(_ member: Int, on day: Int) {
    switch memberships[member].plan {
    case .join: join(member, on: day)
    case .renew: renew(member, on: day)
    case .cancel: cancel(member, on: day, reason: .canceled)
    case .cancelForPrice: cancel(member, on: day, reason: .priceConsent)
    case .failToPay: failToPay(member, on: day)
    case .upgrade: upgrade(member, on: day)
    case .change: changeProduct(member, on: day)
    case .promote: promote(member, on: day)
    case .recover: recover(member, on: day)
    case .recoverInGrace: recoverInGrace(member, on: day)
    case .graceRunsOut: endGrace(member, on: day)
    case .giveUp: giveUp(member, on: day)
    case .comeBack: comeBack(member, on: day)
    case .stayAway: break
    }
  }

  /// Sets a member's next action and its day.
  mutating func plan(_ member: Int, _ plan: Membership.Plan, on day: Int) {
    memberships[member].plan = plan
    memberships[member].due = Int32(day)
    queue.add(Int32(member), on: day)
  }
}

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

/// Elements by the day on which they are due, such as members with a planned action.
struct DueQueue<Element> {
  private var days: [[Element]]

  init(dayCount: Int) {
    days = Array(repeating: [], count: dayCount)
  }

  /// Adds an element on a day; ignores days after the last.
  mutating func add(_ element: Element, on day: Int) {
    if day < days.count { days[day].append(element) }
  }

  /// Returns and removes a day's elements, in the order they were added.
  mutating func take(_ day: Int) -> [Element] {
    let due = days[day]
    days[day] = []
    return due
  }
}

/// A full refund that is planned but not made yet.
struct PlannedRefund {
  let member: Int
  /// The membership as it was after the charge.
  let sale: Membership
  /// The number of equal charges that are refunded at once.
  let copies: Int
}
