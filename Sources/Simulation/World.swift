/// The world: its subscribers, day by day, and what the reports and the truth are told of them.
///
/// Nothing here knows what a report looks like, and nothing that reads reports is known here.
struct World {
  let options: WorldOptions
  let timeline: Timeline
  let prices: PriceBook
  /// The day on which a product's price rises, by product.
  let riseDays: [Int]
  var random: SeededRandom
  var memberships: [Membership] = []
  var queue: DueQueue
  var refunds: [[PlannedRefund]]
  var truth: Truth
  /// What is written day by day; a world that is lived again for its receipts has none.
  var reports: ReportSet?
  /// What receipts are made from.
  var journal: Journal?
  /// Those who pay in instalments, in a world that sells them.
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
    refunds = Array(repeating: [], count: timeline.lastDay + 1)
    commitments = Commitments(options: options, timeline: timeline)
    let prices = PriceBook(options: options, timeline: timeline)
    self.prices = prices
    truth = Truth(timeline: timeline, prices: prices)
    riseDays = Catalog.products.enumerated().map { index, product in
      guard product.earlierPrices != nil, !prices.plantedProducts.contains(index) else { return 0 }
      // A preserved price must have risen before the window, the other rises in the middle of it.
      return product.preservesPrice
        ? timeline.firstDay - 120 : (timeline.firstDay + timeline.lastDay) / 2
    }
    populate()
  }

  /// Lives through all days and writes their reports.
  ///
  /// - Throws: ``SimulationError/cannotWrite(path:code:)`` or
  ///   ``SimulationError/cannotCompress(path:code:)``.
  mutating func run() throws(SimulationError) {
    for day in 0...timeline.lastDay {
      let dueRefunds = refunds[day]
      refunds[day] = []
      for refund in dueRefunds {
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
      var membership = Membership(
        person: Int32(index), storefront: UInt8(random.pick(storefronts)),
        surface: UInt8(random.pick(surfaces)), state: UInt8(random.below(4)),
        product: UInt8(random.pick(products)))
      if index > 0, random.chance(60) { share(&membership, with: index - 1) }
      membership.due = Int32(joinDay())
      memberships.append(membership)
      queue.add(index, on: Int(membership.due))
    }
  }

  /// Makes a membership one of the person before, if that person is only in the other group.
  private mutating func share(_ membership: inout Membership, with other: Int) {
    let known = memberships[other]
    guard !known.flags.contains(.isShared),
      Catalog.products[Int(known.product)].app != Catalog.products[Int(membership.product)].app
    else { return }
    memberships[other].flags.insert(.isShared)
    membership.flags.insert(.isShared)
    membership.person = known.person
    membership.storefront = known.storefront
    membership.surface = known.surface
    membership.state = known.state
  }

  /// Two of five have joined before the first report, the others join at any time after.
  private mutating func joinDay() -> Int {
    if random.chance(420) { return random.below(timeline.firstDay) }
    return timeline.firstDay + random.below(timeline.lastDay - timeline.firstDay + 1)
  }

  /// The number in the column Subscriber ID: 15 digits, one a person and generation.
  func subscriberID(_ membership: Membership) -> Int {
    let key = UInt64(membership.person) * 8 + UInt64(membership.generation & 7)
    // An odd factor and a power of two: different keys have different numbers.
    let mixed = (key &* 0x1_5D58_8B65_6C07 &+ options.seed) & ((1 << 49) - 1)
    return 100_000_000_000_000 + Int(mixed)
  }

  // MARK: What is due

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

  /// Sets what somebody does next.
  mutating func plan(_ member: Int, _ plan: Membership.Plan, on day: Int) {
    memberships[member].plan = plan
    memberships[member].due = Int32(day)
    queue.add(member, on: day)
  }
}
