/// The content that the App Store signs in the Server API: transactions and renewals.
struct SignedContent {
  let history: CustomerHistory
  let ids: ReceiptID
  let prices: PriceBook
  let timeline: Timeline
  /// Whether the world has commitments, so that transactions have a billing plan.
  let hasBillingPlans: Bool

  private var app: App { Catalog.apps[history.purchases[0].product.app] }

  private var appTransactionID: String {
    "\(ids.number(.appTransaction, history.customer))"
  }

  private var originalID: Int {
    ids.number(.transaction, history.customer, history.purchases[0].serial)
  }

  // MARK: Transactions

  /// Returns a transaction's content as of a moment.
  func transaction(_ purchase: Purchase, at date: Instant) -> JSONText {
    var json = JSONText()
    json.object { json in
      json.id("transactionId", ids.number(.transaction, history.customer, purchase.serial))
      json.id("originalTransactionId", originalID)
      json.id("webOrderLineItemId", ids.number(.lineItem, history.customer, purchase.serial))
      json.member("bundleId", app.sku)
      json.member("productId", purchase.product.sku)
      json.id("subscriptionGroupIdentifier", app.groupID)
      json.member("purchaseDate", purchase.purchased)
      json.member("originalPurchaseDate", history.purchases[0].purchased)
      json.member("expiresDate", purchase.expires)
      json.member("quantity", 1)
      json.member("type", "Auto-Renewable Subscription")
      if let token = history.accountToken { json.member("appAccountToken", token) }
      json.member("inAppOwnershipType", "PURCHASED")
      json.member("signedDate", date)
      if let refunded = purchase.refunded, refunded <= date {
        json.member("revocationReason", purchase.serial % 4 == 0 ? 1 : 0)
        json.member("revocationDate", refunded)
        json.member("revocationType", "REFUND_FULL")
        json.member("revocationPercentage", 100_000)
      }
      if let upgraded = purchase.upgraded, upgraded <= date { json.member("isUpgraded", true) }
      appendOffer(purchase.offer, to: &json)
      json.member("environment", "Production")
      json.member("transactionReason", purchase.transactionReason)
      json.member("storefront", history.storefront.alpha3)
      json.id("storefrontId", history.storefront.storeID)
      appendPrice("price", prices.amounts(purchase.terms), to: &json)
      if hasBillingPlans { appendPlan(of: purchase, to: &json) }
      json.member("appTransactionId", appTransactionID)
    }
    return json
  }

  private func appendOffer(_ offer: Offer, to json: inout JSONText) {
    guard offer.family != .standard else { return }
    json.member("offerType", offer.family.rawValue)
    if offer.family != .introductory {
      json.member("offerIdentifier", offer.id.isEmpty ? offer.name : offer.id)
    }
    switch offer.payment {
    case .standard: break
    case .freeTrial: json.member("offerDiscountType", "FREE_TRIAL")
    case .payUpFront: json.member("offerDiscountType", "PAY_UP_FRONT")
    case .payAsYouGo: json.member("offerDiscountType", "PAY_AS_YOU_GO")
    }
    json.member("offerPeriod", offer.term.isoText)
  }

  // MARK: Renewals

  /// Returns the content about the next renewal as of a moment.
  func renewal(_ state: RenewalState, at date: Instant) -> JSONText {
    let last = history.purchases[state.purchase]
    let next = Catalog.products[state.nextProduct]
    var json = JSONText()
    json.object { json in
      if let intent = state.expirationIntent { json.member("expirationIntent", intent) }
      json.id("originalTransactionId", originalID)
      json.member("autoRenewProductId", next.sku)
      json.member("productId", last.product.sku)
      json.member("autoRenewStatus", state.willRenew ? 1 : 0)
      json.member("isInBillingRetryPeriod", state.isInRetry ?? false)
      if let answer = state.priceIncrease {
        json.member("priceIncreaseStatus", answer == .consentAsked ? 0 : 1)
      }
      if let graceEnd = state.graceEnd { json.member("gracePeriodExpiresDate", graceEnd) }
      json.member("signedDate", date)
      json.member("environment", "Production")
      json.member("recentSubscriptionStartDate", recentStart(before: state.purchase))
      json.member("renewalDate", last.expires)
      if state.willRenew {
        appendPrice(
          "renewalPrice",
          renewalAmounts(
            last, product: state.nextProduct, instalment: state.nextInstalment(after: last)),
          to: &json)
      }
      if hasBillingPlans { appendPlan(after: last, state, to: &json) }
      if state.expired != nil { appendWinBack(product: state.nextProduct, to: &json) }
      if let token = history.accountToken { json.member("appAccountToken", token) }
      json.member("appTransactionId", appTransactionID)
    }
    return json
  }

  /// Returns the standard amounts of the next period.
  func renewalAmounts(_ last: Purchase, product: Int, instalment: UInt8) -> Amounts {
    // The price of an instalment is fixed for the term.
    if instalment > 1 { return prices.amounts(last.terms) }
    var terms = last.terms
    terms.instalment = instalment
    if Int(terms.product) != product || Int(terms.offer) != Offer.standard {
      terms.pricing = .current
    }
    terms.product = UInt8(product)
    terms.offer = UInt8(Offer.standard)
    terms.step = 0
    if let schedule = prices.schedule(terms) {
      let day = timeline.day(of: last.expires)
      let isSame = Int(last.terms.product) == product
      let step =
        isSame
        ? schedule.following(Int(last.terms.step), on: day) : schedule.listed(on: day)
      terms.step = UInt8(step)
    }
    return prices.amounts(terms)
  }

  /// Appends a price; receipts use milliunits, the simulation hundredths.
  private func appendPrice(_ name: String, _ amounts: Amounts, to json: inout JSONText) {
    json.member(name, amounts.price * 10)
    json.member("currency", Catalog.currencies[amounts.currency])
  }

  /// Returns the start of the current subscription, ignoring lapses of up to 60 days.
  private func recentStart(before place: Int) -> Instant {
    var start = history.purchases[0].purchased
    for (earlier, later) in zip(history.purchases, history.purchases.dropFirst()).prefix(place)
    where later.purchased - earlier.end > 60 * Timeline.dayLength {
      start = later.purchased
    }
    return start
  }

  private func appendWinBack(product: Int, to json: inout JSONText) {
    let offers = Offer.indexes(of: .winBack, product: product)
    guard !offers.isEmpty else { return }
    json.array("eligibleWinBackOfferIds") { json in
      for offer in offers { json.string(Offer.all[offer].id) }
    }
  }
}

extension Purchase {
  /// The cause in the words of the Server API, where an upgrade is a purchase.
  fileprivate var transactionReason: String {
    switch cause {
    case .start, .upgrade: "PURCHASE"
    case .renewal, .recovery: "RENEWAL"
    }
  }
}

/// The JSON members of signed transactions and renewals for billing plans and commitments.
extension SignedContent {
  /// Appends a transaction's billing plan and, for an instalment, its commitment.
  func appendPlan(of purchase: Purchase, to json: inout JSONText) {
    let instalment = Int(purchase.terms.instalment)
    json.member("billingPlanType", Self.plan(isMonthly: instalment > 0))
    guard instalment > 0 else { return }
    json.object("commitmentInfo") { json in
      json.member("billingPeriodNumber", instalment)
      json.member("totalBillingPeriods", CommitmentHistory.length)
      json.member("commitmentPrice", sum(prices.amounts(purchase.terms)))
      if let termEnds = purchase.termEnds { json.member("commitmentExpiresDate", termEnds) }
    }
  }

  /// Appends the billing plan of the next period, and what follows the commitment.
  func appendPlan(after last: Purchase, _ state: RenewalState, to json: inout JSONText) {
    let isMonthly = state.nextInstalment(after: last) > 0
    if state.willRenew {
      json.member("renewalBillingPlanType", Self.plan(isMonthly: isMonthly))
    }
    guard last.terms.instalment > 0 else { return }
    let staysMonthly = !state.nextIsUpfront && state.nextProduct == Int(last.terms.product)
    json.object("commitmentInfo") { json in
      json.member("commitmentAutoRenewProductId", Catalog.products[state.nextProduct].sku)
      json.member("commitmentAutoRenewStatus", state.endsWithTerm ? 0 : 1)
      guard !state.endsWithTerm else { return }
      json.member("commitmentRenewalBillingPlanType", Self.plan(isMonthly: staysMonthly))
      if let termEnds = last.termEnds { json.member("commitmentRenewalDate", termEnds) }
      json.member("commitmentRenewalPrice", renewalSum(last, state, isMonthly: staysMonthly))
    }
  }

  /// Returns the whole price of the next commitment, or of the next year, in milliunits.
  private func renewalSum(_ last: Purchase, _ state: RenewalState, isMonthly: Bool) -> Int {
    let amounts = renewalAmounts(last, product: state.nextProduct, instalment: isMonthly ? 1 : 0)
    return isMonthly ? sum(amounts) : amounts.price * 10
  }

  /// Returns the price of twelve instalments in milliunits.
  private func sum(_ amounts: Amounts) -> Int {
    amounts.price * 10 * CommitmentHistory.length
  }

  private static func plan(isMonthly: Bool) -> String { isMonthly ? "MONTHLY" : "BILLED_UPFRONT" }
}

extension RenewalState {
  /// Returns the next charge's position in a commitment, or 0 if it will be no instalment.
  func nextInstalment(after last: Purchase) -> UInt8 {
    nextProduct == Int(last.terms.product)
      ? last.terms.nextInstalment(isUpfront: nextIsUpfront) : 0
  }
}

/// A Server Notification, version 2, about one event of a customer.
struct Notification {
  let event: CustomerEvent
  let content: SignedContent
  let chain: TestChain

  private var history: CustomerHistory { content.history }

  /// Returns the notification's content, to be signed; it includes signed parts.
  ///
  /// `number` is that of the event in the history.
  func payload(number: Int) throws(SimulationError) -> JSONText {
    let purchase = history.purchases[event.purchase]
    let app = Catalog.apps[purchase.product.app]
    let state = RenewalState(history, at: event.date)
    let transaction = try chain.signed(content.transaction(purchase, at: event.date))
    let renewal = try chain.signed(content.renewal(state, at: event.date))
    let (type, subtype) = names
    var json = JSONText()
    json.object { json in
      json.member("notificationType", type)
      if let subtype { json.member("subtype", subtype) }
      json.member("notificationUUID", content.ids.uuid(2, history.customer << 16 | number))
      json.object("data") { json in
        json.member("appAppleId", app.appleID)
        json.member("bundleId", app.sku)
        json.member("bundleVersion", "4.2.1")
        json.member("environment", "Production")
        json.member("signedTransactionInfo", transaction)
        json.member("signedRenewalInfo", renewal)
        json.member("status", state.status(history, at: event.date))
      }
      json.member("version", "2.0")
      json.member("signedDate", event.date)
    }
    return json
  }

  /// Apple's type and subtype of the event.
  private var names: (type: String, subtype: String?) {
    switch event.kind {
    case .purchased: purchaseNames
    case .renewalDisabled: ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")
    case .productChosen, .upfrontChosen: ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE")
    case .paymentFailed(let graceEnd):
      ("DID_FAIL_TO_RENEW", graceEnd == nil ? nil : "GRACE_PERIOD")
    case .graceExpired: ("GRACE_PERIOD_EXPIRED", nil)
    case .priceIncreased(.consentAsked): ("PRICE_INCREASE", "PENDING")
    case .priceIncreased: ("PRICE_INCREASE", "ACCEPTED")
    case .expired(let reason): ("EXPIRED", Self.subtype(of: reason))
    case .refunded: ("REFUND", nil)
    }
  }

  private var purchaseNames: (type: String, subtype: String?) {
    switch history.purchases[event.purchase].cause {
    case .start: ("SUBSCRIBED", event.purchase == 0 ? "INITIAL_BUY" : "RESUBSCRIBE")
    case .renewal: ("DID_RENEW", nil)
    case .recovery: ("DID_RENEW", "BILLING_RECOVERY")
    case .upgrade: ("DID_CHANGE_RENEWAL_PREF", "UPGRADE")
    }
  }

  private static func subtype(of reason: CancellationReason) -> String? {
    switch reason {
    case .canceled: "VOLUNTARY"
    case .billingIssue: "BILLING_RETRY"
    case .priceConsent: "PRICE_INCREASE"
    case .none, .other: nil
    }
  }
}
