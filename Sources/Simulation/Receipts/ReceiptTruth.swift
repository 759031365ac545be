/// The true counts of customers' purchases, by month and product, with times to the second.
///
/// Months are in UTC. A purchase within an hour after a period's end continues the period.
struct ReceiptTruth {
  struct Cell {
    var charges = 0
    var freeCharges = 0
    var refunds = 0
    var active = 0
    var recovered = 0
    var voluntary = 0
    var billing = 0
    var price = 0
    var refunded = 0
    var unknown = 0
  }

  struct Key: Hashable {
    let month: Int
    let product: Int
  }

  private(set) var cells: [Key: Cell] = [:]
  /// The customers with at least one purchase.
  private(set) var customerCount = 0
  /// All purchases, free ones included.
  private(set) var purchaseCount = 0
  /// The seconds of service of all customers, counted to the end of every period.
  private(set) var coveredSeconds = 0
  /// The commitments of all customers.
  private(set) var commitments: [CommitmentRecord] = []

  private let timeline: Timeline
  private let prices: PriceBook

  private static let tolerance = 3_600_000

  init(timeline: Timeline, prices: PriceBook) {
    self.timeline = timeline
    self.prices = prices
  }

  /// Adds all purchases and events of a customer.
  mutating func add(_ history: CustomerHistory) {
    guard !history.purchases.isEmpty else { return }
    customerCount += 1
    purchaseCount += history.purchases.count
    commitments += CommitmentRecord.records(of: history, timeline: timeline, prices: prices)
    var covered = Int.min
    for (place, purchase) in history.purchases.enumerated() {
      let isPaid = prices.amounts(purchase.terms).price > 0
      count(purchase, at: purchase.purchased) { cell in
        if isPaid { cell.charges += 1 } else { cell.freeCharges += 1 }
      }
      if let refunded = purchase.refunded {
        count(purchase, at: refunded) { $0.refunds += 1 }
      }
      let begin = max(purchase.purchased / 1_000, covered)
      let end = purchase.end / 1_000
      coveredSeconds += max(0, end - begin)
      covered = max(covered, end)
      guard isPaid else { continue }
      let next = history.purchases.dropFirst(place + 1).first
      addActive(purchase, next)
      addLapse(purchase, next, history)
    }
  }

  /// Adds the customer to each month before which a paid period runs, in the last second before it.
  private mutating func addActive(_ purchase: Purchase, _ next: Purchase?) {
    let isContinued = next.map { $0.purchased - purchase.end <= Self.tolerance } ?? false
    let end = isContinued ? next?.purchased ?? purchase.end : purchase.end
    let first = timeline.month(at: purchase.purchased)
    for month in (first + 1)..<timeline.monthCount {
      let instant = timeline.begin(ofMonth: month) - 1_000
      guard instant < end else { return }
      cells[Key(month: month, product: Int(purchase.terms.product)), default: Cell()].active += 1
    }
  }

  /// Adds the lapse at the end of a paid period, if no purchase continues it.
  private mutating func addLapse(
    _ purchase: Purchase, _ next: Purchase?, _ history: CustomerHistory
  ) {
    let gap = (next?.purchased ?? .max / 2) - purchase.end
    let known = timeline.instant(timeline.lastDay, Timeline.closingTime)
    guard gap > Self.tolerance, purchase.end <= known else { return }
    let limit = next?.purchased ?? .max
    let reason = history.events.filter { purchase.end <= $0.date && $0.date < limit }
      .compactMap(\.reason).last
    guard purchase.end + Self.tolerance < known || reason != nil || purchase.refunded != nil
    else { return }
    count(purchase, at: purchase.end) { cell in
      if gap <= purchase.retryDays * Timeline.dayLength {
        cell.recovered += 1
      } else if purchase.refunded != nil {
        cell.refunded += 1
      } else {
        switch reason {
        case .canceled: cell.voluntary += 1
        case .billingIssue: cell.billing += 1
        case .priceConsent: cell.price += 1
        case .none?, .other, nil: cell.unknown += 1
        }
      }
    }
  }

  private mutating func count(
    _ purchase: Purchase, at instant: Instant, _ change: (inout Cell) -> Void
  ) {
    let key = Key(month: timeline.month(at: instant), product: Int(purchase.terms.product))
    change(&cells[key, default: Cell()])
  }
}

extension CustomerEvent {
  /// The reason for which the subscription ended, or will end if it is not paid.
  fileprivate var reason: CancellationReason? {
    switch kind {
    case .expired(let reason): reason
    case .paymentFailed: .billingIssue
    default: nil
    }
  }
}
