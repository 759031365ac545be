/// The true counts of customers' purchases, by month and product, with times to the second.
///
/// Months are in UTC. A purchase within an hour after a period's end continues the period.
struct ReceiptTruth {
  /// The columns of `truth/receipts.csv`.
  enum Column: String, CaseIterable {
    case charges
    case freeCharges = "free_charges"
    case refunds, active, recovered
    case voluntary = "churned_voluntary"
    case billing = "churned_billing"
    case price = "churned_price"
    case refunded = "churned_refund"
    case unknown = "churned_unknown"
  }

  private(set) var counts = CountTable<Column>()
  /// The customers with at least one purchase.
  private(set) var customerCount = 0
  /// All purchases, free ones included.
  private(set) var purchaseCount = 0
  /// The seconds of service of all customers, counted to the end of every period.
  private(set) var coveredSeconds = 0
  private(set) var commitments: [CommitmentHistory] = []

  private let timeline: Timeline
  private let prices: PriceBook

  init(timeline: Timeline, prices: PriceBook) {
    self.timeline = timeline
    self.prices = prices
  }

  /// Adds all purchases and events of a customer.
  mutating func add(_ history: CustomerHistory) {
    guard !history.purchases.isEmpty else { return }
    customerCount += 1
    purchaseCount += history.purchases.count
    commitments += CommitmentHistory.commitments(of: history, timeline: timeline, prices: prices)
    var covered = Int.min
    for (place, purchase) in history.purchases.enumerated() {
      let isPaid = prices.amounts(purchase.terms).price > 0
      count(isPaid ? .charges : .freeCharges, of: purchase, at: purchase.purchased)
      if let refunded = purchase.refunded { count(.refunds, of: purchase, at: refunded) }
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
    let end = purchase.isContinued(by: next) ? next?.purchased ?? purchase.end : purchase.end
    let first = timeline.month(at: purchase.purchased)
    for month in (first + 1)..<timeline.monthCount {
      let instant = timeline.begin(ofMonth: month) - 1_000
      guard instant < end else { return }
      counts.add(1, to: .active, month: month, item: Int(purchase.terms.product))
    }
  }

  /// Adds the lapse at the end of a paid period, if no purchase continues it.
  private mutating func addLapse(
    _ purchase: Purchase, _ next: Purchase?, _ history: CustomerHistory
  ) {
    let gap = (next?.purchased ?? .max / 2) - purchase.end
    let known = timeline.instant(timeline.lastDay, Timeline.closingTime)
    guard gap > Purchase.tolerance, purchase.end <= known else { return }
    let limit = next?.purchased ?? .max
    let reason = history.events.filter { purchase.end <= $0.date && $0.date < limit }
      .compactMap(\.reason).last
    guard purchase.end + Purchase.tolerance < known || reason != nil || purchase.refunded != nil
    else { return }
    let column: Column =
      switch reason {
      case _ where gap <= purchase.terms.retryDays * Timeline.dayLength: .recovered
      case _ where purchase.refunded != nil: .refunded
      case .canceled: .voluntary
      case .billingIssue: .billing
      case .priceConsent: .price
      case .none?, .other, nil: .unknown
      }
    count(column, of: purchase, at: purchase.end)
  }

  private mutating func count(_ column: Column, of purchase: Purchase, at instant: Instant) {
    counts.add(1, to: column, month: timeline.month(at: instant), item: Int(purchase.terms.product))
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
