/// The true counts, added up while the simulation runs.
///
/// Only the world adds to it. The rules are those of the metrics: a return within 2 days of a period's
/// end is no lapse, one within 60 days is a recovery; months are those of the event.
struct Truth {
  /// The counts of one month, product and country.
  struct Cell {
    var trials = 0
    var converted = 0
    var notConverted = 0
    var churned = 0
    var churnedSeen = 0
    var recovered = 0
    var recoveredSeen = 0
    var active = 0
    var activeSeen = 0
    var starts = 0
    var firstPaid = 0
  }

  /// The key by which charges are added up.
  struct ChargeKey: Hashable {
    let month: Int
    let product: Int
    let storefront: Int
    let currency: Int
  }

  /// The key by which refunds are added up.
  struct RefundKey: Hashable {
    let month: Int
    let saleMonth: Int
    let product: Int
    let storefront: Int
    let currency: Int
    let isFull: Bool
  }

  struct Money {
    var count = 0
    var price = 0
    var proceeds = 0

    mutating func add(_ transaction: Transaction) {
      count += transaction.copies
      price += transaction.amounts.price * transaction.copies
      proceeds += transaction.amounts.proceeds * transaction.copies
    }
  }

  let timeline: Timeline
  private(set) var cells: [Cell]
  private(set) var charges: [ChargeKey: Money] = [:]
  /// The part of ``charges`` at a contingent price.
  private(set) var contingentCharges: [ChargeKey: Money] = [:]
  private(set) var refunds: [RefundKey: Money] = [:]
  var increases: IncreaseTruth

  init(timeline: Timeline, prices: PriceBook) {
    self.timeline = timeline
    increases = IncreaseTruth(timeline: timeline, prices: prices)
    // One month more than the window, because `active` is counted for the month after the last day.
    let count = (timeline.monthCount + 1) * Catalog.products.count * Catalog.storefronts.count
    cells = Array(repeating: Cell(), count: count)
  }

  /// Returns the index of a cell, or nil before the window.
  private func place(_ month: Int, _ product: UInt8, _ storefront: UInt8) -> Int? {
    guard month >= 0 else { return nil }
    return (month * Catalog.products.count + Int(product)) * Catalog.storefronts.count
      + Int(storefront)
  }

  private func place(_ month: Int, _ membership: Membership) -> Int? {
    place(month, membership.product, membership.storefront)
  }

  // MARK: Charges

  /// Adds a charge in the window.
  mutating func addCharge(_ charge: Transaction) {
    let terms = charge.terms
    let month = timeline.month(of: charge.day)
    guard let place = place(month, terms.product, terms.storefront) else { return }
    if charge.amounts.price > 0 {
      let key = ChargeKey(
        month: month, product: Int(terms.product), storefront: Int(terms.storefront),
        currency: charge.amounts.currency)
      charges[key, default: Money()].add(charge)
      if terms.isContingent { contingentCharges[key, default: Money()].add(charge) }
    }
    if Offer.all[Int(terms.offer)].isTrial { cells[place].trials += charge.copies }
  }

  /// Counts a member's first paid charge, and whether it is the member's first charge at all.
  ///
  /// - Parameters:
  ///   - membership: The member with the charge's product, but with the flags of before the charge.
  ///   - isPaid: Whether the charge is paid.
  ///   - day: The day of the charge.
  mutating func addStart(_ membership: Membership, isPaid: Bool, on day: Int) {
    guard isPaid, day >= timeline.firstDay, !membership.flags.contains(.hasPaid),
      let place = place(timeline.month(of: day), membership)
    else { return }
    cells[place].firstPaid += 1
    if !membership.flags.contains(.hasCharge), membership.generation == 0 {
      cells[place].starts += 1
    }
  }

  /// Adds a refund in the window.
  mutating func addRefund(_ refund: Transaction) {
    let key = RefundKey(
      month: timeline.month(of: refund.day), saleMonth: timeline.month(of: refund.purchaseDay),
      product: Int(refund.terms.product), storefront: Int(refund.terms.storefront),
      currency: refund.amounts.currency, isFull: refund.kind == .fullRefund)
    refunds[key, default: Money()].add(refund)
  }

  // MARK: Periods

  /// Counts the outcome of the last period, when another begins.
  ///
  /// - Parameters:
  ///   - membership: The member before the new charge.
  ///   - day: The day of the new charge.
  ///   - isPaid: Whether the new charge is paid.
  mutating func settle(_ membership: Membership, before day: Int, isPaid: Bool) {
    guard membership.flags.contains(.hasCharge) else { return }
    let gap = day - Int(membership.end)
    if Offer.all[Int(membership.offer)].isTrial {
      settleTrial(membership, isConverted: isPaid && gap <= 60)
    }
    guard membership.flags.contains(.isPaid) else { return }
    if gap > membership.retryDays {
      addLapse(membership, isRecovered: false)
    } else if gap > 2 {
      addLapse(membership, isRecovered: true)
    } else if gap > 0 {
      addActive(membership, between: day)
    }
  }

  /// Counts the outcome of the last period at the end of the reports.
  mutating func close(_ membership: Membership) {
    guard membership.flags.contains(.hasCharge) else { return }
    let gap = timeline.lastDay - Int(membership.end)
    if Offer.all[Int(membership.offer)].isTrial, gap >= 60 {
      settleTrial(membership, isConverted: false)
    }
    guard membership.flags.contains(.isPaid), gap >= 0 else { return }
    if gap > 2 || membership.flags.contains(.endedByRefund) {
      addLapse(membership, isRecovered: false)
    } else {
      addActive(membership, between: timeline.lastDay)
    }
  }

  private mutating func settleTrial(_ membership: Membership, isConverted: Bool) {
    let day = Int(membership.start)
    guard day >= timeline.firstDay, let place = place(timeline.month(of: day), membership)
    else { return }
    if isConverted {
      cells[place].converted += 1
    } else {
      cells[place].notConverted += 1
    }
  }

  private mutating func addLapse(_ membership: Membership, isRecovered: Bool) {
    let end = Int(membership.end)
    guard end >= timeline.firstDay, let place = place(timeline.month(of: end), membership)
    else { return }
    let isSeen = Int(membership.start) >= timeline.firstDay
    if isRecovered {
      cells[place].recovered += 1
      if isSeen { cells[place].recoveredSeen += 1 }
    } else {
      cells[place].churned += 1
      if isSeen { cells[place].churnedSeen += 1 }
    }
  }

  // MARK: Active

  /// Adds a member who is in a paid period on the last day of a month.
  mutating func addActive(_ membership: Membership, on day: Int) {
    guard let place = place(timeline.month(of: day) + 1, membership) else { return }
    cells[place].active += 1
    if Int(membership.start) >= timeline.firstDay { cells[place].activeSeen += 1 }
  }

  /// Adds a member whose next period begins a day or two late, to each month that ends in between.
  private mutating func addActive(_ membership: Membership, between day: Int) {
    for missed in Int(membership.end)..<max(day, Int(membership.end))
    where timeline.endsMonth(missed) && missed + 1 >= timeline.firstDay {
      addActive(membership, on: missed)
    }
  }
}
