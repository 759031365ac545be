/// A column of a report, with all its names in Apple's versions.
///
/// Columns are found by name, never by position, because Apple's order differs between versions,
/// and between documentation and files.
struct Column: Hashable, Sendable {
  /// The names, the newest first; if a header has several of them, the first is used.
  let names: [String]
  /// The names as ``comparableName(_:)`` returns them; computed once, for all headers.
  let comparableNames: [String]
  /// The names as ``looseName(_:)`` returns them.
  let looseNames: [String]

  init(_ names: String...) {
    self.names = names
    comparableNames = names.map(comparableName)
    looseNames = names.map(looseName)
  }

  /// The name to use in messages.
  var name: String { names[0] }
}

/// Returns a column name for comparison: in lower case, without blanks at its ends, with single
/// blanks inside.
func comparableName(_ name: some StringProtocol) -> String {
  let name = name.lowercased()
  // Unicode's tables are needed only for other characters than those of English names.
  guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
    return name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
  let words = name.utf8.split { $0 == 0x20 || 0x09...0x0D ~= $0 }
  return words.count == 1 && words[0].count == name.utf8.count
    ? name : words.map { String(Substring($0)) }.joined(separator: " ")
}

/// Returns the ASCII letters and digits of a name in lower case, to recognize changed names.
///
/// Works on bytes, for speed: it is called with whole lines of files that are not reports.
func looseName(_ name: some StringProtocol) -> String {
  var bytes: [UInt8] = []
  for byte in name.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      bytes.append(byte)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
    default: break
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

// MARK: - Subscription

extension Column {
  static let appName = Column("App Name")
  static let appAppleID = Column("App Apple ID")
  static let subscriptionName = Column("Subscription Name")
  static let subscriptionAppleID = Column("Subscription Apple ID")
  static let groupID = Column("Subscription Group ID")
  static let standardDuration = Column("Standard Subscription Duration", "Subscription Duration")
  static let offerName = Column("Subscription Offer Name", "Promotional Offer Name")
  static let offerID = Column("Promotional Offer ID")
  static let offerType = Column("Subscription Offer Type", "Introductory Price Type")
  static let offerDuration = Column("Subscription Offer Duration", "Introductory Price Duration")
  static let optIn = Column("Marketing Opt-In")
  static let optInDuration = Column("Marketing Opt-In Duration")
  static let preservedPricing = Column("Preserved Pricing")
  static let proceedsReason = Column("Proceeds Reason")
  static let client = Column("Client")
  static let device = Column("Device")
  static let country = Column("Country")
  static let contingentApp = Column("Contingent App Name")
  // Not seen in these reports so far; Analytics reports have Billing Frequency and Billing Period
  // (FORMATS.md 2.8).
  static let billingPlan = Column("Billing Plan", "Billing Plan Type", "Billing Frequency")
  static let billingPeriod = Column("Billing Period")
}

// MARK: - Money

extension Column {
  static let customerPrice = Column("Customer Price")
  static let customerCurrency = Column("Customer Currency")
  static let developerProceeds = Column("Developer Proceeds", "Royalty Price")
  /// The same column, by the name that it has in SALES.
  static let currencyOfProceeds = Column(
    "Currency of Proceeds", "Proceeds Currency", "Royalty Currency")
  static let proceedsCurrency = Column(
    "Proceeds Currency", "Currency of Proceeds", "Royalty Currency")
}

// MARK: - SUBSCRIBER

extension Column {
  static let eventDate = Column("Event Date")
  static let subscriberID = Column("Subscriber ID")
  static let subscriberIDReset = Column("Subscriber ID Reset")
  static let refund = Column("Refund")
  static let purchaseDate = Column("Purchase Date")
  static let units = Column("Units")
}

// MARK: - SUBSCRIPTION_EVENT

extension Column {
  static let event = Column("Event")
  static let paidPeriods = Column("Consecutive Paid Periods")
  static let originalStartDate = Column("Original Start Date")
  static let previousName = Column("Previous Subscription Name")
  static let previousAppleID = Column("Previous Subscription Apple ID")
  static let cancellationReason = Column("Cancellation Reason")
  static let quantity = Column("Quantity")
  static let trial = Column("Trial")
  static let trialDuration = Column("Trial Duration")
}

// MARK: - SUBSCRIPTION

extension Column {
  static let activeStandard = Column("Active Standard Price Subscriptions", "Active Subscriptions")
  static let payUpFrontIntroductory = Column("Active Pay Up Front Introductory Offer Subscriptions")
  static let payAsYouGoIntroductory = Column(
    "Active Pay As You Go Introductory Offer Subscriptions")
}

// MARK: - SALES

extension Column {
  static let sku = Column("SKU", "Vendor Identifier")
  static let title = Column("Title", "Title / Episode / Season")
  static let productType = Column("Product Type Identifier")
  static let beginDate = Column("Begin Date")
  static let endDate = Column("End Date")
  static let countryCode = Column("Country Code")
  static let appleIdentifier = Column("Apple Identifier")
  static let parentIdentifier = Column("Parent Identifier")
  static let period = Column("Period")
  static let bundle = Column("CMB")
  static let subscription = Column("Subscription")
  static let orderType = Column("Order Type")
  static let promoCode = Column("Promo Code")
}

// MARK: - FINANCIAL and FINANCE_DETAIL

extension Column {
  static let startDate = Column("Start Date")
  static let transactionDate = Column("Transaction Date")
  static let settlementDate = Column("Settlement Date")
  static let partnerShare = Column("Partner Share")
  static let extendedPartnerShare = Column("Extended Partner Share")
  static let partnerShareCurrency = Column("Partner Share Currency")
  static let saleOrReturn = Column("Sale or Return", "Sales or Return")
  static let countryOfSale = Column("Country of Sale")
}

// MARK: - Payments

extension Column {
  static let regionAndCurrency = Column(
    "Country or Region (Currency)", "Region (Currency)", "Territory (Currency)")
  static let unitsSold = Column("Units Sold")
  static let earned = Column("Earned")
  static let preTaxSubtotal = Column("Pre-Tax Subtotal")
  static let inputTax = Column("Input Tax")
  static let adjustments = Column("Adjustments")
  static let withholdingTax = Column("Withholding Tax")
  static let balance = Column("Balance", "Beginning Balance")
  static let totalOwed = Column("Total Owed")
  static let exchangeRate = Column("Exchange Rate")
  static let proceeds = Column("Proceeds")
  static let bankCurrency = Column("Bank Account Currency")
}
