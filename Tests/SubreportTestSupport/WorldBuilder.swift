package import Storage
package import SubscriptionModel

/// One row of a SUBSCRIBER report, in the words of a test.
package struct Purchase: Sendable {
  /// The Event Date.
  package var day: Day
  /// The product's Apple ID, printed as it is.
  package var product = "monthly"
  /// The product's standard duration.
  package var term = Term(months: 1)
  /// What kind of charge it is.
  package var kind = ChargeKind.standard
  /// How an offer is paid.
  package var mode = OfferMode.none
  /// The offer's duration.
  package var offerTerm: Term?
  /// The marketing opt-in's duration.
  package var optInTerm: Term?
  /// The price in milliunits.
  package var price: Int64 = 10_000
  /// The proceeds in milliunits.
  package var proceeds: Int64 = 7_000
  /// The customer's currency.
  package var currency = "USD"
  /// The proceeds' currency; `nil` when it is the customer's.
  package var proceedsCurrency: String?
  /// Whether the customer keeps an old price.
  package var isPreserved = false
  /// Whether the customer pays less because of another subscription.
  package var isContingent = false
  /// How the product is paid.
  package var plan = BillingPlan.upfront
  /// How the product is paid, where a column says so.
  package var statedPlan: BillingPlan?
  /// The number of the instalment, where a column says so; otherwise 0.
  package var position: UInt8 = 0
  /// The proceeds rate: `standard` or `after_one_year`.
  package var proceedsRate = "standard"
  /// The storefront.
  package var country = "US"
  /// The subscription group.
  package var group = "premium"
  /// The App Apple ID.
  package var app = ""
  /// The account, as a number of the world's vendors.
  package var vendor = 0
  /// The row's units.
  package var units = 1
  /// Whether the subscriber's id was reset.
  package var isIDReset = false
  /// Whether the row is a refund.
  package var isRefund = false
  /// A refund's Purchase Date; `nil` when blank.
  package var purchaseDay: Day?

  /// Creates a charge at the standard price: 10.00 USD for one month.
  ///
  /// - Parameters:
  ///   - day: The Event Date.
  ///   - product: The product's Apple ID.
  ///   - term: The product's standard duration.
  package init(_ day: Day, product: String = "monthly", term: Term = Term(months: 1)) {
    self.day = day
    self.product = product
    self.term = term
  }

  /// Returns the row with changes.
  package func with(_ change: (inout Purchase) -> Void) -> Purchase {
    var copy = self
    change(&copy)
    return copy
  }

  /// Returns the same charge as a free trial of a length.
  package func asTrial(_ term: Term) -> Purchase {
    with {
      $0.kind = .trial
      $0.mode = .freeTrial
      $0.offerTerm = term
      $0.price = 0
      $0.proceeds = 0
    }
  }

  /// Returns a refund of this charge, dated by its own day.
  package func refunded(on day: Day) -> Purchase {
    with {
      $0.purchaseDay = $0.day
      $0.day = day
      $0.isRefund = true
    }
  }
}

/// Returns a price as views print it: 9,990 is `9.99 USD`.
package func priceText(_ milliunits: Int64, _ currency: String) -> String {
  let cents = milliunits % 1_000 / 10
  return "\(milliunits / 1_000).\(cents < 10 ? "0" : "")\(cents) \(currency)"
}

/// Writes rows of SUBSCRIBER reports as records and terms.
package struct WorldBuilder: Sendable {
  /// The report date of the first file.
  package let firstFileDay: Day
  /// The day up to which the data are complete.
  package var asOf: Day
  /// The apps that moved; the index of a file is the number of its vendor.
  package var transfers = AppTransfers.none
  /// What a month of the tables is.
  package var monthSystem = MonthSystem.calendar
  /// Whether other reports go on after as-of.
  package var hasStopped = false
  /// The text of each symbol.
  package private(set) var symbols = [""]
  /// The distinct terms.
  package private(set) var terms: [ChargeTerms] = []
  /// The records of each subscriber, in file order.
  package private(set) var subscribers: [[ChargeRecord]] = []
  private var recordCount: UInt64 = 0

  package init(firstFileDay: Day, asOf: Day) {
    self.firstFileDay = firstFileDay
    self.asOf = asOf
  }

  /// Returns the symbol of a text; the empty one is symbol 0.
  package mutating func symbol(_ text: String) -> Symbol {
    if let index = symbols.firstIndex(of: text) { return Symbol(index) }
    symbols.append(text)
    return Symbol(symbols.count - 1)
  }

  /// Returns the world without the rows of later days than one.
  package func until(_ day: Day) -> WorldBuilder { without { $1.day > day.number } }

  /// Returns the world without some rows.
  package func without(_ isGone: (_ subscriber: Int, ChargeRecord) -> Bool) -> WorldBuilder {
    var rest = self
    rest.subscribers = subscribers.enumerated().map { subscriber, records in
      records.filter { !isGone(subscriber, $0) }
    }
    return rest
  }

  /// Says how the product of each kind of charge is paid.
  ///
  /// - Parameter plans: One for each of `terms`.
  package mutating func set(_ plans: [BillingPlan]) {
    for (index, plan) in plans.enumerated() {
      terms[index].plan = plan
      terms[index].attributes.plan = symbol(plan.name)
    }
  }

  /// Adds a subscriber.
  ///
  /// - Parameter rows: The subscriber's rows, in file order.
  package mutating func add(_ rows: [Purchase]) {
    let key = UInt64(subscribers.count + 1)
    subscribers.append(rows.map { record(of: $0, subscriber: key) })
  }

  private mutating func record(of row: Purchase, subscriber: UInt64) -> ChargeRecord {
    let rowTerms = terms(of: row)
    let index = terms.firstIndex(of: rowTerms) ?? terms.count
    if index == terms.count { terms.append(rowTerms) }
    recordCount += 1
    return ChargeRecord(
      subscriber: subscriber, order: UInt64(row.vendor) << 32 | recordCount, day: row.day.number,
      purchaseDay: row.purchaseDay?.number ?? ChargeRecord.noDay, terms: UInt32(index),
      units: Int16(row.units), isRefund: row.isRefund, isIDReset: row.isIDReset)
  }

  private mutating func terms(of row: Purchase) -> ChargeTerms {
    var attributes = Attributes()
    attributes.app = symbol(row.app)
    attributes.group = symbol(row.group)
    attributes.product = symbol(row.product)
    attributes.productName = attributes.product
    attributes.duration = symbol(row.term.name)
    attributes.country = symbol(row.country)
    attributes.preserved = symbol(row.isPreserved ? "yes" : "no")
    attributes.proceedsRate = symbol(row.proceedsRate)
    attributes.contingent = symbol(row.isContingent ? "yes" : "no")
    attributes.price = symbol(priceText(row.price, row.currency))
    let currency = symbol(row.currency)
    let proceedsCurrency = row.proceedsCurrency.map { symbol($0) } ?? currency
    var terms = ChargeTerms(
      attributes: attributes, kind: row.kind, offerMode: row.mode, standardTerm: row.term,
      offerTerm: row.offerTerm, optInTerm: row.optInTerm,
      price: Amount(milliunits: row.price, currency: currency),
      proceeds: Amount(milliunits: row.proceeds, currency: proceedsCurrency))
    terms.isPreserved = row.isPreserved
    terms.isContingent = row.isContingent
    terms.statedPlan = row.statedPlan
    terms.plan = row.plan
    terms.statedPosition = row.position
    terms.attributes.plan = row.plan == .upfront ? .blank : symbol(row.plan.name)
    return terms
  }

  /// Returns the history of the subscriber with an index, as the program builds it.
  package func history(_ subscriber: Int = 0) -> ChainBuilder {
    var builder = ChainBuilder(
      terms: terms, asOf: asOf, firstFileDay: firstFileDay, transfers: transfers)
    let records = subscribers[subscriber].sorted {
      ($0.day, $0.order) < ($1.day, $1.order)
    }
    builder.build(records[...])
    return builder
  }

  /// Returns the history of the subscriber with an index, as the obvious version builds it.
  package func reference(_ subscriber: Int = 0) -> ReferenceChains {
    ReferenceChains(
      subscribers[subscriber], terms: terms, asOf: asOf, firstFileDay: firstFileDay,
      transfers: transfers)
  }
}
