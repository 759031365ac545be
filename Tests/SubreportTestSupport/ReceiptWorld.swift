package import Storage
package import SubscriptionModel

/// Returns the instant of `2024-01-31` or `2024-01-31T10:00:00`, UTC.
package func instant(_ text: String) -> Instant {
  let parts = text.split(separator: "T")
  let numbers = parts[0].split(separator: "-").compactMap { Int($0) }
  let day = Month(year: numbers[0], month: numbers[1]).firstDay + (numbers[2] - 1)
  let clock = parts.count > 1 ? parts[1].split(separator: ":").compactMap { Int($0) } : [0, 0, 0]
  let seconds = Int(day.number) * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
  return Instant(seconds: UInt32(seconds))
}

/// A purchase as a test wants a response to tell it: one month of `monthly`, complete.
package struct Bought: Sendable {
  /// When it was bought.
  package var start: Instant
  /// When its period ends; `nil` when the response does not say.
  package var expires: Instant?
  /// The product id.
  package var product = "monthly"
  /// The bundle id.
  package var app = "app"
  /// The subscription group.
  package var group = "premium"
  /// The original transaction id.
  package var original = "100"
  /// `nil` for an id made of the original id and the start.
  package var transaction: String?
  /// `nil` for an id made of the original id and the start.
  package var line: String?
  /// The app transaction id; empty for none.
  package var appTransaction = ""
  /// The account token; empty for none.
  package var token = ""
  /// When it was cancelled.
  package var cancellation: Instant?
  /// The original purchase date.
  package var originalPurchase: Instant?
  /// The price in milliunits.
  package var price: Int64?
  /// The currency of the price.
  package var currency = "USD"
  /// The storefront.
  package var country = ""
  /// The revocation percentage.
  package var percentage: Int32?
  /// The refunded part of the price in milliunits, in a snapshot.
  package var refunded: Int64?
  /// Where in the response it is.
  package var origin = TransactionCopy.Origin.latest
  /// The product type.
  package var type = TransactionCopy.ProductType.missing
  /// Who owns it.
  package var ownership = TransactionCopy.Ownership.purchased
  /// What it says with yes or no.
  package var flags: TransactionCopy.Flags = []
  /// Whether it has a `signedDate` of its own, in V2.
  package var isSigned = true
  /// `billingPeriodNumber`; 0 for none.
  package var instalment: UInt8 = 0
  /// `totalBillingPeriods`; 0 for none.
  package var instalmentTotal: UInt8 = 0

  /// Creates a purchase that tells where its chain began, so that the start is known.
  package init(_ start: String, _ expires: String? = nil) {
    self.start = instant(start)
    self.expires = expires.map { instant($0) }
    originalPurchase = self.start
  }

  /// Returns the purchase with changes.
  package func with(_ change: (inout Bought) -> Void) -> Bought {
    var copy = self
    change(&copy)
    return copy
  }
}

/// A renewal info as a test wants a response to tell it.
package struct Info: Sendable {
  /// The original transaction id.
  package var original = "100"
  /// The product id.
  package var product = ""
  /// When the grace period ends.
  package var grace: Instant?
  /// The expiration intent.
  package var intent: UInt8 = 0
  /// Whether it renews.
  package var renews: Bool?
  /// Whether it renews after the term of a commitment.
  package var renewsAfterTerm: Bool?
  /// Whether billing is retried.
  package var retry: Bool?
  /// The status of the Server API.
  package var status: UInt8 = 0
  /// The newest purchase of its original id in the list of the same answer, and when it expires.
  package var newest: (purchase: Instant, expires: Instant)?
  /// Whether the answer has no entry for its original id: it then stands for one that was turned off.
  package var isAbsent = false
  /// The win-back offers.
  package var offers: String?
  /// The app whose notification it is from.
  package var notified: String?

  /// Creates an info that states nothing.
  package init() {}

  /// Returns the info with changes.
  package func with(_ change: (inout Info) -> Void) -> Info {
    var copy = self
    change(&copy)
    return copy
  }
}

/// Responses in the words of a test, and what is made of them.
package struct ReceiptWorld: Sendable {
  /// All that one response holds.
  package struct Response: Sendable {
    /// Its transactions.
    package var copies: [TransactionCopy] = []
    /// Its renewal infos.
    package var infos: [RenewalCopy] = []
  }

  /// The responses, in the order they were added.
  package var responses: [Response] = []
  /// Seconds by which a renewal may come late.
  package var toleranceSeconds = ReceiptSettings.productionTolerance
  /// The user's as-of.
  package var asOf: Instant?
  /// Customers that the user names.
  package var identities = ReceiptIdentities()
  /// The snapshots; the rows of one have its file.
  package private(set) var snapshots = Snapshots()
  /// The config's groups.
  package var groups: [Symbol: Symbol] = [:]
  /// The config's durations.
  package var durations: [Symbol: Term] = [:]
  /// The text of each symbol.
  package private(set) var symbols = [""]
  private var symbolOfText: [String: Symbol] = ["": .blank]

  /// Creates a world without responses.
  package init() {}

  /// Returns the symbol of a text.
  package mutating func symbol(_ text: String) -> Symbol {
    if let symbol = symbolOfText[text] { return symbol }
    let symbol = Symbol(symbols.count)
    symbols.append(text)
    symbolOfText[text] = symbol
    return symbol
  }

  /// Returns an id: a number, or the symbol of a text; none of `""` and of zeros.
  package mutating func id(_ text: String) -> ReceiptID {
    if text.allSatisfy({ $0 == "0" }) { return .none }
    if let number = UInt64(text), text.first != "0" { return ReceiptID(value: number) }
    return ReceiptID(value: ReceiptID.textBit | UInt64(symbol(text)))
  }

  /// Adds a response.
  package mutating func add(_ madeAt: String, _ bought: [Bought], _ infos: [Info] = []) {
    add(instant(madeAt), bought, infos)
  }

  /// Adds a response.
  package mutating func add(_ madeAt: Instant, _ bought: [Bought], _ infos: [Info] = []) {
    let number = UInt32(responses.count)
    var response = Response()
    for (index, bought) in bought.enumerated() {
      response.copies.append(copy(of: bought, madeAt, response: number, index + 1))
    }
    for info in infos {
      var copy = RenewalCopy(response: number, madeAt: madeAt)
      (copy.file, copy.row) = (number, 1)
      copy.originalID = id(info.original)
      copy.product = symbol(info.product)
      copy.graceEnd = info.grace
      copy.expirationIntent = info.intent
      copy.autoRenews = info.renews
      copy.renewsAfterTerm = info.renewsAfterTerm
      copy.isInBillingRetry = info.retry
      copy.status = info.status
      (copy.newestPurchase, copy.newestExpiry) = (info.newest?.purchase, info.newest?.expires)
      if info.isAbsent {
        (copy.isAbsent, copy.expirationIntent, copy.autoRenews) = (true, 1, false)
      }
      copy.winBackOffers = info.offers.map { symbol($0) }
      copy.notifiedApp = info.notified.map { symbol($0) }
      response.infos.append(copy)
    }
    responses.append(response)
  }

  /// Adds the rows of a snapshot, each with its flags.
  package mutating func add(
    snapshot madeAt: Instant, feed: UInt64, _ rows: [(bought: Bought, flags: Info)]
  ) {
    let file = UInt32(responses.count)
    snapshots.add(file: file, Snapshots.Delivery(feed: feed, madeAt: madeAt))
    for (index, row) in rows.enumerated() {
      let bought = row.bought.with {
        $0.origin = .latest
        $0.flags.insert(.ofSnapshot)
      }
      add(madeAt, [bought], [row.flags.with { $0.original = bought.original }])
      let last = responses.count - 1
      (responses[last].copies[0].file, responses[last].copies[0].row) = (file, UInt32(index + 1))
      (responses[last].infos[0].file, responses[last].infos[0].row) = (file, UInt32(index + 1))
      responses[last].infos[0].isOfPeriod = true
    }
  }

  private mutating func copy(
    of bought: Bought, _ madeAt: Instant, response: UInt32, _ number: Int
  ) -> TransactionCopy {
    var copy = TransactionCopy(
      response: response, purchase: bought.start, madeAt: madeAt, origin: bought.origin,
      file: response, row: 1, number: UInt16(number))
    copy.appTransactionID = id(bought.appTransaction)
    copy.accountToken = symbol(bought.token)
    copy.originalID = id(bought.original)
    copy.transactionID = id(bought.transaction ?? "\(bought.original)-\(bought.start.seconds)")
    copy.lineItemID = id(bought.line ?? "L\(bought.original)-\(bought.start.seconds)")
    copy.app = symbol(bought.app)
    copy.product = symbol(bought.product)
    copy.group = symbol(bought.group)
    copy.expires = bought.expires
    copy.cancellation = bought.cancellation
    copy.originalPurchase = bought.originalPurchase
    copy.price = bought.price
    copy.currency = bought.price == nil ? .blank : symbol(bought.currency)
    copy.country = symbol(bought.country)
    copy.revocationPercentage = bought.percentage
    if let refunded = bought.refunded { copy.refundedPrice = refunded }
    copy.type = bought.type
    copy.ownership = bought.ownership
    copy.flags = bought.flags
    if bought.origin == .v2, bought.isSigned { copy.flags.insert(.hasSignedDate) }
    copy.instalmentNumber = bought.instalment
    copy.instalmentTotal = bought.instalmentTotal
    return copy
  }

  /// What the run says.
  package var settings: ReceiptSettings {
    var settings = ReceiptSettings(
      symbols: symbols, toleranceSeconds: toleranceSeconds, asOf: asOf)
    settings.groups = groups
    settings.durations = durations
    return settings
  }

  /// Returns the customers, from one store or from several.
  package func customers(stores count: Int = 1, compacts: Bool = true) -> ReceiptCustomers {
    let feeds = (0..<UInt32(responses.count)).map { snapshots.deliveries[$0]?.feed ?? 0 }
    var stores = (0..<count).map { _ in ReceiptStore(compacts: compacts, feeds: feeds) }
    for (index, response) in responses.enumerated() {
      stores[index % count].add(response.copies, response.infos)
    }
    var statements = stores.reduce(into: ReceiptStatements()) { $0.merge($1.statements) }
    statements.snapshots = snapshots
    return ReceiptCustomers(
      stores, statements: statements, identities: identities, settings: settings)
  }
}
