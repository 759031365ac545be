public import Storage
public import SubscriptionModel

/// One row of a SUBSCRIBER report, in the words of a test.
public struct Purchase: Sendable {
  /// The Event Date.
  public var day: Day
  /// The product's Apple ID, printed as it is.
  public var product = "monthly"
  /// The product's standard duration.
  public var term = Term(months: 1)
  /// What kind of charge it is.
  public var kind = ChargeKind.standard
  /// How an offer is paid.
  public var mode = OfferMode.none
  /// The offer's duration.
  public var offerTerm: Term?
  /// The marketing opt-in's duration.
  public var optInTerm: Term?
  /// The price in milliunits.
  public var price: Int64 = 10_000
  /// The proceeds in milliunits.
  public var proceeds: Int64 = 7_000
  /// The customer's currency.
  public var currency = "USD"
  /// The proceeds' currency; `nil` when it is the customer's.
  public var proceedsCurrency: String?
  /// Whether the customer keeps an old price.
  public var isPreserved = false
  /// Whether the customer pays less because of another subscription.
  public var isContingent = false
  /// How the product is paid.
  public var plan = BillingPlan.upfront
  /// How the product is paid, where a column says so.
  public var statedPlan: BillingPlan?
  /// The number of the instalment, where a column says so; otherwise 0.
  public var position: UInt8 = 0
  /// The proceeds rate: `standard` or `after_one_year`.
  public var proceedsRate = "standard"
  /// The storefront.
  public var country = "US"
  /// The subscription group.
  public var group = "premium"
  /// The row's units.
  public var units = 1
  /// Whether the subscriber's id was reset.
  public var isIDReset = false
  /// Whether the row is a refund.
  public var isRefund = false
  /// A refund's Purchase Date; `nil` when blank.
  public var purchaseDay: Day?

  /// Creates a charge at the standard price: 10.00 USD for one month.
  ///
  /// - Parameters:
  ///   - day: The Event Date.
  ///   - product: The product's Apple ID.
  ///   - term: The product's standard duration.
  public init(_ day: Day, product: String = "monthly", term: Term = Term(months: 1)) {
    self.day = day
    self.product = product
    self.term = term
  }

  /// Returns the row with changes.
  public func with(_ change: (inout Purchase) -> Void) -> Purchase {
    var copy = self
    change(&copy)
    return copy
  }

  /// Returns the same charge as a free trial of a length.
  public func asTrial(_ term: Term) -> Purchase {
    with {
      $0.kind = .trial
      $0.mode = .freeTrial
      $0.offerTerm = term
      $0.price = 0
      $0.proceeds = 0
    }
  }

  /// Returns a refund of this charge, dated by its own day.
  public func refunded(on day: Day) -> Purchase {
    with {
      $0.purchaseDay = $0.day
      $0.day = day
      $0.isRefund = true
    }
  }
}

/// Returns a price as views print it: 9,990 is `9.99 USD`.
public func priceText(_ milliunits: Int64, _ currency: String) -> String {
  let cents = milliunits % 1_000 / 10
  return "\(milliunits / 1_000).\(cents < 10 ? "0" : "")\(cents) \(currency)"
}

/// Writes rows of SUBSCRIBER reports as records and terms.
public struct WorldBuilder: Sendable {
  /// The report date of the first file.
  public let firstFileDay: Day
  /// The day up to which the data are complete.
  public var asOf: Day
  /// What a month of the tables is.
  public var monthSystem = MonthSystem.calendar
  /// The text of each symbol.
  public private(set) var symbols = [""]
  /// The distinct terms.
  public private(set) var terms: [ChargeTerms] = []
  /// The records of each subscriber, in file order.
  public private(set) var subscribers: [[ChargeRecord]] = []
  private var recordCount: UInt64 = 0

  /// Creates an empty world.
  ///
  /// - Parameters:
  ///   - firstFileDay: The report date of the first file.
  ///   - asOf: The day up to which the data are complete.
  public init(firstFileDay: Day, asOf: Day) {
    self.firstFileDay = firstFileDay
    self.asOf = asOf
  }

  /// Returns the symbol of a text; the empty one is symbol 0.
  public mutating func symbol(_ text: String) -> Symbol {
    if let index = symbols.firstIndex(of: text) { return Symbol(index) }
    symbols.append(text)
    return Symbol(symbols.count - 1)
  }

  /// Returns the world without the rows of later days than one.
  public func until(_ day: Day) -> WorldBuilder { without { $1.day > day.number } }

  /// Returns the world without some rows.
  public func without(_ isGone: (_ subscriber: Int, ChargeRecord) -> Bool) -> WorldBuilder {
    var rest = self
    rest.subscribers = subscribers.enumerated().map { subscriber, records in
      records.filter { !isGone(subscriber, $0) }
    }
    return rest
  }

  /// Says how the product of each kind of charge is paid.
  ///
  /// - Parameter plans: One for each of `terms`.
  public mutating func set(_ plans: [BillingPlan]) {
    for (index, plan) in plans.enumerated() {
      terms[index].plan = plan
      terms[index].attributes.plan = symbol(plan.name)
    }
  }

  /// Adds a subscriber.
  ///
  /// - Parameter rows: The subscriber's rows, in file order.
  public mutating func add(_ rows: [Purchase]) {
    let key = UInt64(subscribers.count + 1)
    subscribers.append(rows.map { record(of: $0, subscriber: key) })
  }

  private mutating func record(of row: Purchase, subscriber: UInt64) -> ChargeRecord {
    let rowTerms = terms(of: row)
    let index = terms.firstIndex(of: rowTerms) ?? terms.count
    if index == terms.count { terms.append(rowTerms) }
    recordCount += 1
    return ChargeRecord(
      subscriber: subscriber, order: recordCount, day: row.day.number,
      purchaseDay: row.purchaseDay?.number ?? ChargeRecord.noDay, terms: UInt32(index),
      units: Int16(row.units), isRefund: row.isRefund, isIDReset: row.isIDReset)
  }

  private mutating func terms(of row: Purchase) -> ChargeTerms {
    var attributes = Attributes()
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
  public func history(_ subscriber: Int = 0) -> ChainBuilder {
    var builder = ChainBuilder(terms: terms, asOf: asOf, firstFileDay: firstFileDay)
    let records = subscribers[subscriber].sorted {
      ($0.day, $0.order) < ($1.day, $1.order)
    }
    builder.build(records[...])
    return builder
  }

  /// Returns the history of the subscriber with an index, as the obvious version builds it.
  public func reference(_ subscriber: Int = 0) -> ReferenceChains {
    ReferenceChains(
      subscribers[subscriber], terms: terms, asOf: asOf, firstFileDay: firstFileDay)
  }
}
