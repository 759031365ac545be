/// Writes Server API data and notifications for a few customers, spread evenly.
///
/// Each event takes three signatures, which is too slow for all customers of a large world.
struct SignedFiles {
  private let timeline: Timeline
  private let ids: ReceiptID
  private let prices: PriceBook
  private let chain: TestChain
  private let hasBillingPlans: Bool
  private let customerCount: Int
  /// The number of customers with signed data.
  private let notifiedCount: Int
  /// The time of the history pages and decoded transactions: the end of the last day.
  private let date: Instant
  private var notifications: DumpFile
  private var history: DumpFile
  private var decoded: DumpFile

  /// The largest number of transactions on a history page.
  private static let pageSize = 20

  /// Writes the root certificate and opens the files.
  init(
    options: WorldOptions, timeline: Timeline, prices: PriceBook, folder: ReportFolder
  ) throws(SimulationError) {
    self.timeline = timeline
    self.prices = prices
    ids = ReceiptID(seed: options.seed)
    hasBillingPlans = options.plans.commitments != .none
    customerCount = options.subscribers
    notifiedCount = min(options.notified, options.subscribers)
    date = timeline.instant(timeline.lastDay, Timeline.closingTime)
    chain = try TestChain(options: options, timeline: timeline)
    notifications = DumpFile("notifications-v2", in: folder)
    history = DumpFile("api-history", in: folder)
    decoded = DumpFile("decoded", in: folder)
    try folder.write(chain.root, to: "receipts/root.cer")
  }

  /// Adds a customer, if it is one of those with signed data.
  mutating func add(_ customer: CustomerHistory) throws(SimulationError) {
    guard isNotified(customer.customer), !customer.purchases.isEmpty else { return }
    let content = SignedContent(
      history: customer, ids: ids, prices: prices, timeline: timeline,
      hasBillingPlans: hasBillingPlans)
    for (number, event) in customer.events.enumerated()
    where event.date >= timeline.instant(timeline.firstDay, 0) {
      let notification = Notification(event: event, content: content, chain: chain)
      let text = try chain.signed(notification.payload(number: number))
      try notifications.addLine { json in json.object { $0.member("signedPayload", text) } }
    }
    try addPages(customer, content)
    for purchase in customer.purchases {
      let transaction = content.transaction(purchase, at: date)
      try decoded.addLine { $0.text.append(transaction.text.bytes) }
    }
    let renewal = content.renewal(RenewalState(customer, at: date), at: date)
    try decoded.addLine { $0.text.append(renewal.text.bytes) }
  }

  /// Returns whether a customer is one of those with signed data, spread evenly.
  private func isNotified(_ customer: Int) -> Bool {
    customer * notifiedCount / customerCount < (customer + 1) * notifiedCount / customerCount
  }

  /// Writes the remaining lines.
  mutating func finish() throws(SimulationError) {
    try notifications.finish()
    try history.finish()
    try decoded.finish()
  }

  private mutating func addPages(
    _ customer: CustomerHistory, _ content: SignedContent
  ) throws(SimulationError) {
    let app = Catalog.apps[customer.purchases[0].product.app]
    var rest = customer.purchases[...]
    while !rest.isEmpty {
      var signed: [String] = []
      for purchase in rest.prefix(Self.pageSize) {
        signed.append(try chain.signed(content.transaction(purchase, at: date)))
      }
      rest = rest.dropFirst(Self.pageSize)
      try history.addLine { json in
        json.object { json in
          json.member("revision", "\(date)_\(customer.customer)_\(customer.purchases.count)")
          json.member("hasMore", !rest.isEmpty)
          json.member("bundleId", app.sku)
          json.member("appAppleId", app.appleID)
          json.member("environment", "Production")
          json.array("signedTransactions") { json in
            for text in signed { json.string(text) }
          }
        }
      }
    }
  }
}
