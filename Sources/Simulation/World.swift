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
  ///
  /// - Throws: ``SimulationError/cannotWrite(path:code:)`` or
  ///   ``SimulationError/cannotCompress(path:code:)``.
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
