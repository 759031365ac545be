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

  /// The key by which charges and refunds are added up.
  struct Key: Hashable {
    let month: Int
    /// The month of the charge that is refunded; for a charge, its own.
    let saleMonth: Int
    let product: Int
    let storefront: Int
    let currency: Int
    let kind: Transaction.Kind

    init(_ transaction: Transaction, on timeline: Timeline) {
      month = timeline.month(of: transaction.day)
      saleMonth = timeline.month(of: transaction.purchaseDay)
      product = Int(transaction.terms.product)
      storefront = Int(transaction.terms.storefront)
      currency = transaction.amounts.currency
      kind = transaction.kind
    }

    /// The numbers by which rows are sorted.
    var order: [Int] {
      [month, saleMonth, product, storefront, currency, kind == .partialRefund ? 1 : 0]
    }
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
  private(set) var charges: [Key: Money] = [:]
  /// The part of ``charges`` at a contingent price.
  private(set) var contingentCharges: [Key: Money] = [:]
  private(set) var refunds: [Key: Money] = [:]
  var increases: IncreaseTruth

  init(timeline: Timeline, prices: PriceBook) {
    self.timeline = timeline
    increases = IncreaseTruth(timeline: timeline, prices: prices)
    // One month more than the window, because `active` is counted for the month after the last day.
    let count = (timeline.monthCount + 1) * Catalog.products.count * Catalog.storefronts.count
    cells = Array(repeating: Cell(), count: count)
  }

  /// Returns the index of a cell.
  private func place(_ month: Int, _ terms: ChargeTerms) -> Int {
    month * Catalog.products.count * Catalog.storefronts.count + PriceBook.key(terms)
  }

  // MARK: Charges

  mutating func addCharge(_ charge: Transaction) {
    let terms = charge.terms
    if charge.amounts.price > 0 {
      let key = Key(charge, on: timeline)
      charges[key, default: Money()].add(charge)
      if terms.isContingent { contingentCharges[key, default: Money()].add(charge) }
    }
    if Offer.all[Int(terms.offer)].isTrial {
      cells[place(timeline.month(of: charge.day), terms)].trials += charge.copies
    }
  }

  /// Counts a member's first paid charge, and whether it is the member's first charge at all.
  ///
  /// The membership has the charge's product, but the flags of before the charge.
  mutating func addStart(_ membership: Membership, isPaid: Bool, on day: Int) {
    guard isPaid, day >= timeline.firstDay, !membership.flags.contains(.hasPaid) else { return }
    let place = place(timeline.month(of: day), membership.terms)
    cells[place].firstPaid += 1
    if !membership.flags.contains(.hasCharge), membership.generation == 0 {
      cells[place].starts += 1
    }
  }

  mutating func addRefund(_ refund: Transaction) {
    refunds[Key(refund, on: timeline), default: Money()].add(refund)
  }

  // MARK: Periods

  /// Counts the outcome of the last period, when another begins; `membership` is the member before the new charge.
  mutating func settle(
    _ membership: Membership, next: ChargeTerms, isPaid: Bool, on day: Int
  ) {
    guard membership.flags.contains(.hasCharge) else { return }
    let gap = day - Int(membership.end)
    if Offer.all[Int(membership.terms.offer)].isTrial {
      settleTrial(membership, isConverted: isPaid && gap <= 60)
    }
    guard membership.flags.contains(.isPaid) else { return }
    if gap > membership.terms.retryDays {
      addLapse(membership, isRecovered: false)
    } else if !membership.isContinued(by: next, on: day) {
      addLapse(membership, isRecovered: true)
    } else if gap > 0 {
      addActive(membership, between: day)
    }
  }

  /// Counts the outcome of the last period at the end of the reports.
  mutating func close(_ membership: Membership) {
    guard membership.flags.contains(.hasCharge) else { return }
    let gap = timeline.lastDay - Int(membership.end)
    if Offer.all[Int(membership.terms.offer)].isTrial, gap >= 60 {
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
    guard day >= timeline.firstDay else { return }
    let place = place(timeline.month(of: day), membership.terms)
    if isConverted { cells[place].converted += 1 } else { cells[place].notConverted += 1 }
  }

  private mutating func addLapse(_ membership: Membership, isRecovered: Bool) {
    let end = Int(membership.end)
    guard end >= timeline.firstDay else { return }
    let place = place(timeline.month(of: end), membership.terms)
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
    let place = place(timeline.month(of: day) + 1, membership.terms)
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

/// The counts of a table in `truth/`, by month and by product or currency.
///
/// The raw values of the columns are their names in the table.
struct CountTable<Column: CaseIterable & Hashable & RawRepresentable>
where Column.RawValue == String {
  private struct Key: Hashable {
    let month: Int
    let item: Int
  }

  private var counts: [Key: [Column: Int]] = [:]

  /// Adds to a column of a month and an item, the index of a product or currency.
  mutating func add(_ count: Int, to column: Column, month: Int, item: Int) {
    counts[Key(month: month, item: item), default: [:]][column, default: 0] += count
  }

  var header: String { Column.allCases.map(\.rawValue).joined(separator: ",") }

  /// The rows in the order of month and item, with a value for each column.
  var rows: [(month: Int, item: Int, values: [Int])] {
    let rows = counts.map { key, columns in
      (month: key.month, item: key.item, values: Column.allCases.map { columns[$0, default: 0] })
    }
    return rows.sorted { ($0.month, $0.item) < ($1.month, $1.item) }
  }
}
