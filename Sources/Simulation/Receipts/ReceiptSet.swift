/// The dumps of receipts, written customer by customer.
struct ReceiptSet {
  private var captures: [CaptureFile]
  private var signed: SignedFiles?
  private(set) var truth: ReceiptTruth

  init(
    options: WorldOptions, timeline: Timeline, folder: ReportFolder
  ) throws(SimulationError) {
    let prices = PriceBook(options: options, timeline: timeline)
    captures = Capture.all(of: timeline).map {
      CaptureFile($0, options: options, timeline: timeline, folder: folder)
    }
    if options.notified > 0 {
      signed = try SignedFiles(options: options, timeline: timeline, prices: prices, folder: folder)
    }
    truth = ReceiptTruth(timeline: timeline, prices: prices)
  }

  /// Adds the customers in the journal of a finished world.
  mutating func add(_ world: World) throws(SimulationError) {
    guard let journal = world.journal else { return }
    for member in journal.members {
      let history = HistoryBuilder.history(of: member, in: world, journal)
      truth.add(history)
      for place in captures.indices {
        try captures[place].add(history)
      }
      try signed?.add(history)
    }
  }

  /// Writes the remaining lines.
  mutating func finish() throws(SimulationError) {
    for place in captures.indices {
      try captures[place].finish()
    }
    try signed?.finish()
  }
}

/// The verifyReceipt answers of one capture, one for each customer with a purchase by then.
struct CaptureFile {
  private let capture: Capture
  private let options: WorldOptions
  private let ids: ReceiptID
  private var file: DumpFile

  init(_ capture: Capture, options: WorldOptions, timeline: Timeline, folder: ReportFolder) {
    self.capture = capture
    self.options = options
    ids = ReceiptID(seed: options.seed)
    let day = CalendarDay.compactText(timeline.base + capture.day)
    file = DumpFile("verify-receipt_\(day)", in: folder)
  }

  /// Adds a customer's answer and, if faults are planted, sometimes an error or a family member's answer.
  mutating func add(_ history: CustomerHistory) throws(SimulationError) {
    var random = SeededRandom(seed: options.seed, stream: 2 << 32 + UInt64(history.customer))
    let form = AnswerForm(capture, &random, hasQuirks: options.plantsFaults)
    guard let answer = VerifyReceiptAnswer(history, form, ids) else { return }
    let hasFamily = random.chance(30)
    let failsFirst = random.chance(8)
    if options.plantsFaults, failsFirst {
      try file.addLine { json in json.object { $0.member("status", 21_002) } }
    }
    try file.addLine(answer.append)
    guard options.plantsFaults, hasFamily, history.purchases.allSatisfy({ $0.refunded == nil }),
      let family = VerifyReceiptAnswer(history, form.ofFamilyMember, ids)
    else { return }
    try file.addLine(family.append)
  }

  /// Adds the sandbox testers, if faults are planted, and writes the remaining lines.
  mutating func finish() throws(SimulationError) {
    if options.plantsFaults {
      for number in 0..<3 {
        try addTester(number)
      }
    }
    try file.finish()
  }

  /// Adds a sandbox tester, whose months last five minutes.
  private mutating func addTester(_ number: Int) throws(SimulationError) {
    let month = 5 * 60_000
    let customer = options.subscribers + number
    let terms = ChargeTerms(product: 1, storefront: 0, surface: 0)
    var history = CustomerHistory(customer: customer, storefront: Catalog.storefronts[0])
    let begin = capture.date - (number + 1) * Timeline.dayLength
    for serial in 1...6 {
      let date = begin + serial * month
      history.events.append(CustomerEvent(kind: .purchased, date: date, purchase: serial - 1))
      history.purchases.append(
        Purchase(
          serial: serial, terms: terms, cause: serial == 1 ? .start : .renewal, purchased: date,
          expires: date + month))
    }
    history.events.append(
      CustomerEvent(kind: .expired(.canceled), date: begin + 7 * month, purchase: 5))
    var random = SeededRandom(seed: options.seed, stream: 23)
    var form = AnswerForm(capture, &random, hasQuirks: false)
    form.isSandbox = true
    guard let answer = VerifyReceiptAnswer(history, form, ids) else { return }
    try file.addLine(answer.append)
  }
}

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

/// A dump of JSON values, one per line, in gzip files of bounded size: `name_001.ndjson.gz` and so on.
struct DumpFile {
  private let name: String
  private let folder: ReportFolder
  private var json = JSONText()
  private var lineCount = 0
  private var partCount = 0

  /// The size at which a part is written, before compression: the memory that a dump needs.
  private static let partSize = 32 << 20

  init(_ name: String, in folder: ReportFolder) {
    self.name = name
    self.folder = folder
  }

  /// Adds a line, and writes the part if it is large enough.
  mutating func addLine(_ value: (inout JSONText) -> Void) throws(SimulationError) {
    value(&json)
    json.text.appendNewline()
    lineCount += 1
    if json.text.bytes.count >= Self.partSize { try finish() }
  }

  /// Writes the remaining lines, if there are any.
  mutating func finish() throws(SimulationError) {
    guard lineCount > 0 else { return }
    partCount += 1
    let path = "receipts/\(name)_\(partCount, digits: 3).ndjson.gz"
    try folder.writeCompressed(json.text, rows: lineCount, of: .receipts, to: path)
    json.text.bytes.removeAll(keepingCapacity: true)
    lineCount = 0
  }
}
